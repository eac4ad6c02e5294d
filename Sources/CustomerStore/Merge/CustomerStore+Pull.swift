internal import CustomersSQLite
internal import CustomersText

/// Copies of a list come together.
///
/// Two people, or one person with two machines, may each edit a copy of a list. A pull takes what another copy has into the
/// list: its edits become one step, which can be undone. Moves are merged like everything else. Whoever pulls, and in
/// whatever order, all copies that pull from each other become the same list.
extension CustomerStore {
  /// What both copies changed: a text for people, the customer in this list, what it is here and there, and whether the
  /// change of this list counts.
  ///
  /// There is no customer if it is about a section, or if this list does not have the customer. A value is nil if there is
  /// none, or if it was deleted there. The rule, by which `keepsOurs` is set: the later change counts, and a change counts
  /// more than a deletion.
  public typealias PullConflict = (
    text: String, customer: CustomerID?, ours: String?, theirs: String?, keepsOurs: Bool
  )

  /// Takes in what was done in a copy of the list.
  ///
  /// It becomes one step, which can be undone. The copy is only read. A second pull from the same copy finds nothing new;
  /// one in the other direction makes the copy the same list.
  ///
  ///     let done = try store.pull("/media/stick/customers.sqlite")
  ///     print(done.added, done.changed, done.moved, done.deleted)
  ///
  /// - Parameters:
  ///   - path: the file with the copy; it may have an older format, and be in use.
  ///   - isDryRun: whether nothing is written, to see what would be.
  ///   - acceptsUnrelated: whether to merge copies whose histories no longer tell what they have in common. Then nobody is
  ///     deleted, and each difference is a conflict.
  ///   - keepsOurs: whether the change of this list counts, for each conflict; by default by the rule. It may be called
  ///     again for the same conflict if other programs edit the list.
  /// - Returns: the numbers of customers that were added, got other values, moved, and were deleted, and of other changes:
  ///   of sections, lines of logs, columns, and settings.
  /// - Throws: `StoreError`; an error whose description says why if the copy is damaged or of another list, or if other
  ///   programs keep changing the list; what `keepsOurs` throws. Nothing is changed.
  /// - Complexity: O(size of the copy), O(n log n) for n rows, and O(steps of the histories). Others wait only while it is
  ///   written.
  @discardableResult
  public func pull(
    _ path: String, isDryRun: Bool = false, acceptsUnrelated: Bool = false,
    keepsOurs: (PullConflict) throws -> Bool = { $0.keepsOurs }
  ) throws -> (added: Int, changed: Int, moved: Int, deleted: Int, other: Int) {
    let copy = try Self.checkedCopy(at: path)
    for _ in 1...4 {
      guard let byRule = try planPull(copy, resolving: .latest) else { return PullSummary.nothing.numbers }
      guard byRule.relation != .unrelated || acceptsUnrelated else { throw PullError.unrelated }
      var resolution = PullResolution.latest
      for conflict in byRule.summary.conflicts {
        let side: ConflictSide = try keepsOurs(conflict.asked) ? .ours : .theirs
        if side != conflict.winner { resolution.choices[conflict.id] = side }
      }
      let plan = resolution == .latest ? byRule : try planPull(copy, resolving: resolution)
      guard let plan else { return PullSummary.nothing.numbers }
      if isDryRun { return plan.summary.numbers }
      do {
        return try write(action: "take") { try $0.pull(plan, acceptsUnrelated: acceptsUnrelated) }.numbers
      } catch PullError.outdated {}
    }
    throw PullError.outdated
  }

  /// A copy of a list that was checked: a private one, which no program changes.
  package struct ListCopy: Sendable {
    let store: CustomerStore
    /// What the check read of it.
    fileprivate var reader: CopyReader?

    /// Takes a list that no one changes, such as one in memory.
    package init(_ store: CustomerStore) { self.store = store }

    /// The id of the list, which all its copies share.
    package var listID: String { get throws { try store.read { try $0.identity().list } } }
  }

  /// Copies a file with a list and checks the copy.
  ///
  /// The file is only read: one of an older format stays as it is.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - options: how it is opened.
  /// - Returns: the copy, to pull from.
  /// - Throws: `PullError.isDamaged`; `StoreError` if it is no customers file.
  /// - Complexity: O(size of the file).
  package static func checkedCopy(at path: String, options: Options = Options()) throws -> ListCopy {
    var options = options
    (options.createsFile, options.isReadOnly) = (false, true)
    let source = try CustomerStore(path: path, options: options)
    var copy = ListCopy(try source.read { try $0.privateStore(options) })
    let (reader, problems) = try copy.store.read { try $0.checkCopy() }
    guard problems.isEmpty, let reader else { throw PullError.isDamaged(max(1, problems.count)) }
    copy.reader = reader
    return copy
  }

  /// Works out what a pull would do, without making anyone wait.
  ///
  /// - Parameters:
  ///   - copy: the copy to pull from.
  ///   - resolution: whose change counts where both copies changed something.
  /// - Returns: what would change; nil if there is nothing new.
  /// - Throws: `PullError`, `StoreError`, `ListError.damaged`.
  /// - Complexity: O(n log n) for n rows, and O(steps of the histories).
  package func planPull(_ copy: ListCopy, resolving resolution: PullResolution) throws -> PullPlan? {
    try readAtLength { list in try copy.plan(for: list, resolution) }
  }
}

extension CustomerStore.ListCopy {
  package func plan(for list: borrowing CustomerList, _ resolution: PullResolution) throws -> PullPlan? {
    try store.read { copy in try PullPlan(list, pulling: copy, reader: reader, resolving: resolution) }
  }
}

extension CustomerList {
  /// Writes a pull that was planned, as one step, which can be undone.
  ///
  /// If it changes nothing, and there was nothing to decide, there is nothing to undo, and what was undone can still be redone.
  /// A second one from the same copy finds nothing new.
  ///
  /// - Parameters:
  ///   - plan: the plan.
  ///   - acceptsUnrelated: whether to merge copies whose histories no longer tell what they have in common. Then nobody is
  ///     deleted, and each difference is a conflict.
  /// - Returns: what was changed.
  /// - Throws: `PullError.outdated` if the list was edited since, `.unrelated`; `ListError`.
  package mutating func pull(_ plan: PullPlan, acceptsUnrelated: Bool) throws -> PullSummary {
    guard try version() == plan.version else { throw PullError.outdated }
    guard plan.relation != .unrelated || acceptsUnrelated else { throw PullError.unrelated }
    try write(plan)
    return plan.summary
  }

  /// Copies the list, in the state of the transaction, for this process alone.
  fileprivate func privateStore(_ options: CustomerStore.Options) throws -> CustomerStore {
    // Nothing of it stays with the connection from which it was filled.
    nonisolated(unsafe) let copy = try connection.privateCopy()
    return unsafe CustomerStore(inMemory: copy, options: options)
  }
}

/// What a pull did, or would do.
package struct PullSummary: Hashable, Sendable {
  /// How the other copy is related to the list.
  package enum Relation: Hashable, Sendable {
    /// The list is the same, or later.
    case same
    /// The list has nothing that the other copy does not have: it becomes the same.
    case older
    /// Both have something that the other has not.
    case apart
    /// It is not known what both have in common, because the histories were erased.
    case unrelated
  }

  /// A value that is not of the kind of its column.
  package struct Misfit: Hashable, Sendable {
    /// The name of the column.
    package let column: String
    /// The kind that one of the copies gave it.
    package let kind: ColumnKind
    /// The customer in this list; nil for one that it did not have.
    package let customer: CustomerID?
    /// The name of the customer.
    package let name: String
    /// The value.
    package let value: String
  }

  /// How the other copy is related to the list.
  package var relation = Relation.same
  /// The steps that were made in the other copy.
  package var steps: [HistoryStep] = []
  /// The numbers of customers that were added, got other values, moved, and were deleted.
  package var added = 0
  package var changed = 0
  package var moved = 0
  package var deleted = 0
  /// The number of sections that were added, changed, moved, or deleted.
  package var sections = 0
  /// The number of lines of logs that were added, changed, or deleted.
  package var lines = 0
  /// The number of declared columns, settings, and persons that were added, changed, or deleted.
  package var entries = 0
  /// The number of customers before.
  package var count = 0
  /// What both copies changed.
  package var conflicts: [MergeConflict] = []
  /// The values that stay text although one copy says that their column is of another kind.
  package var misfits: [Misfit] = []

  /// There was nothing new.
  package static let nothing = PullSummary()

  /// Whether the list stays as it is, and no one decided that: both copies made the same changes, or none that is left.
  package var changesNothing: Bool {
    conflicts.isEmpty && [added, changed, moved, deleted, sections, lines, entries].allSatisfy { $0 == 0 }
  }

  fileprivate var numbers: (added: Int, changed: Int, moved: Int, deleted: Int, other: Int) {
    (added, changed, moved, deleted, other: sections + lines + entries)
  }
}

extension MergeConflict {
  fileprivate var asked: CustomerStore.PullConflict {
    (line, customer, ours, theirs, keepsOurs: winner == .ours)
  }
}

/// Why nothing was pulled.
///
/// The list is unchanged.
package enum PullError: Error, Hashable, Sendable {
  /// The file has another list, with people of its own.
  case otherList
  /// The histories no longer tell what the two have in common.
  case unrelated
  /// Nor do they of this many customers that have one id, and nothing of their names in common.
  case strangers(Int)
  /// The file is damaged: it has this many problems.
  case isDamaged(Int)
  /// The list was edited since the pull was worked out.
  case outdated
}

extension PullError: ExplainedError {
  private static let toAddCustomers = Remedy.advice(
    "to add its customers: customers export --db FILE | customers import -")

  package func task(with file: String) -> String? { "take in \(quoted(file))" }

  package var explanation: Explanation {
    switch self {
    case .otherList:
      .refused("it is not a copy of this list", Self.toAddCustomers)
    case .unrelated: .refused("the histories do not tell any more what the two have in common")
    case .strangers(let count):
      .refused(
        "the histories do not tell any more what the two have in common, and "
          + (count == 1 ? "1 customer has the id" : "\(count) customers have the ids") + " of others there",
        Self.toAddCustomers)
    case .isDamaged(let count):
      .failed(
        "the file is damaged (\(counted(count, "problem")))",
        .run(.checkFile, to: "see what is wrong"),
        nothing: "changed")
    case .outdated: .failed("other programs keep changing the list")
    }
  }
}
