internal import CustomersSQLite
internal import CustomersSystem

/// What a copy calls its rows, or its sections, and what every copy does.
///
/// Rows that were added together have consecutive ids and uids, so a long list has few runs of these.
struct UIDs<ID: RawRepresentable<Int64> & Hashable & Sendable>: Sendable {
  private struct Run {
    var id: Int64
    var uid: UID
    var count: Int64

    /// The index of a number in the run if that begins with another one, which is not greater; nil if it ends before.
    func index(_ number: Int64, from first: Int64) -> Int64? {
      let (index, isTooFar) = number.subtractingReportingOverflow(first)
      return isTooFar || index >= count ? nil : index
    }
  }

  private var byID: [Run] = []
  private var byUID: [Run] = []
  /// Those that were added or forgotten since.
  private var changedIDs: [UID: ID?] = [:]
  private var changedUIDs: [ID: UID?] = [:]
  /// Those that got another uid because another copy calls them by that.
  private(set) var adopted: [ID] = []
  /// Those that have no uid, or one that can't be one; in an intact list there is none.
  fileprivate(set) var unnamed: [ID] = []

  subscript(uid: UID) -> ID? {
    if !changedIDs.isEmpty, let id = changedIDs[uid] { return id }
    let next = byUID.partitionIndex { $0.uid > uid }
    guard next > 0, let index = byUID[next - 1].index(uid, from: byUID[next - 1].uid) else { return nil }
    return ID(rawValue: byUID[next - 1].id + index)
  }

  subscript(id: ID) -> UID? {
    if !changedUIDs.isEmpty, let uid = changedUIDs[id] { return uid }
    let next = byID.partitionIndex { $0.id > id.rawValue }
    guard next > 0, let index = byID[next - 1].index(id.rawValue, from: byID[next - 1].id) else { return nil }
    return byID[next - 1].uid + index
  }

  /// Takes note of one of those that are there, with a greater id than those before.
  fileprivate mutating func append(_ id: Int64, _ uid: UID) {
    if let last = byID.last, last.uid < uid, last.id &+ last.count == id, last.uid &+ last.count == uid {
      byID[byID.count - 1].count += 1
    } else {
      byID.append(Run(id: id, uid: uid, count: 1))
    }
  }

  /// Ends what is there.
  fileprivate mutating func finish() { byUID = byID.sorted { $0.uid < $1.uid } }

  /// Those whose uid another one with a lesser id has; in an intact list there is none.
  var repeated: [ID] {
    let pairs = zip(byUID, byUID.dropFirst())
    guard pairs.contains(where: { $0.index($1.uid, from: $0.uid) != nil }) else { return [] }
    var known: Set<UID> = []
    return byID.flatMap { run in
      (0..<run.count).compactMap { known.insert(run.uid + $0).inserted ? nil : ID(rawValue: run.id + $0) }
    }
  }

  /// Takes note of one that was added.
  mutating func add(_ id: ID, _ uid: UID) { (changedIDs[uid], changedUIDs[id]) = (.some(id), .some(uid)) }

  /// Forgets one that has no record anymore.
  mutating func forget(_ uid: UID) {
    guard let id = self[uid] else { return }
    (changedIDs[uid], changedUIDs[id]) = (.some(nil), .some(nil))
  }

  /// Lets two copies that were converted from format 11 apart call what both had when they parted by one uid.
  ///
  /// What a log does not tell of has its id for a uid, and in a copy that still knows its insertion, another one. Until they
  /// parted, the ids of both were the same.
  ///
  /// - Parameters:
  ///   - other: those of the other copy.
  ///   - wasInBoth: whether both had what has an id when they parted.
  mutating func agree(with other: inout UIDs, where wasInBoth: (ID) -> Bool) {
    for run in byID {
      for index in 0..<run.count {
        let uid = run.uid + index
        guard let id = ID(rawValue: run.id + index), let theirs = other[id], theirs != uid,
          uid == id.rawValue || theirs == id.rawValue, wasInBoth(id)
        else { continue }
        if uid == id.rawValue, self[theirs] == nil {
          forget(uid)
          add(id, theirs)
          adopted.append(id)
        } else if theirs == id.rawValue, other[uid] == nil {
          other.forget(theirs)
          other.add(id, uid)
        }
      }
    }
  }
}

/// Gathers what customers are called, in the order of their ids.
///
/// It is what the view `customer_uid` says, which would look for the run of each row.
struct CustomerUIDs {
  private var uids = UIDs<CustomerID>()
  private var runs: ArraySlice<(ids: ClosedRange<Int64>, uid: UID)>

  init(_ list: borrowing CustomerList) throws {
    let sql = "SELECT first, last, uid FROM uid_run WHERE \(Self.isRun) ORDER BY first"
    runs = try list.connection.fetchAll(sql) { row in
      (row.integer(0)...row.integer(1), row.integer(2))
    }[...]
  }

  /// Whether a row of `uid_run` can be one; the uids of rows that are older than format 12 may be their ids.
  static let isRun = """
    (typeof(last) = 'integer' AND typeof(uid) = 'integer' AND first BETWEEN 1 AND last
      AND (uid = first OR uid < 0 AND last - first < -uid))
    """

  /// Adds one; `uid` is that of its record, `.min` if it is no number.
  mutating func add(_ id: Int64, _ uid: Int64) {
    while let next = runs.dropFirst().first, next.ids.lowerBound <= id { runs.removeFirst() }
    if uid != .min, uid < 0 || 1...CustomerList.greatestID ~= uid { return uids.append(id, uid) }
    guard uid == .min, let run = runs.first, run.ids.contains(id) else {
      return uids.unnamed.append(CustomerID(rawValue: id))
    }
    uids.append(id, run.uid &+ (id &- run.ids.lowerBound))
  }

  var all: UIDs<CustomerID> {
    var all = uids
    all.finish()
    return all
  }
}

extension CustomerList {
  /// What the sections are called, also those that are deleted.
  func sectionUIDs() throws -> UIDs<SectionID> {
    var sections = UIDs<SectionID>()
    try connection.query("SELECT id, uid FROM section_uid ORDER BY id") { row in
      while try row.step() { sections.append(row.integer(0), row.integer(1)) }
    }
    sections.finish()
    return sections
  }
}

extension SHA256 {
  /// A number such as a uid or a mark, made of the digest.
  var uid: UID { Int64(bitPattern: start | 1 << 63) }
}
