internal import CustomersSQLite

/// The states that a copy of a list had, and those of other copies that are in it: what two copies have in common is found by
/// comparing these.
///
/// Two copies that know one mark had, or took in, one state. What was pulled and then undone is as if it had never been.
struct KnownStates: Sendable {
  /// A state that the copy had itself.
  struct Own: Equatable, Sendable {
    var step: Int64
    /// The name of the state; 0 for that before the first step, which every copy had.
    var mark: Int64
    /// The last edit before it.
    var edit: Int64
    /// The number of edits of the step, if that is part of its name.
    var edits: Int?
  }

  /// The states that it had, by their steps.
  let own: [Own]
  /// The states of others that it took in, with the first step that did.
  let taken: [Int64: Int64]
  /// Those with which it was merged: it differs from them by nothing but what its log says.
  let heads: Set<Int64>
  /// The edit after which the log is complete: the states from it on can be read.
  let reach: Int64
  private let steps: [Int64: Own]

  init(own: [Own], taken: [Int64: Int64], heads: Set<Int64>, reach: Int64) {
    (self.own, self.taken, self.heads, self.reach) = (own, taken, heads, reach)
    steps = Dictionary(own.map { ($0.mark, $0) }) { first, _ in first }
  }

  /// The state now.
  var head: Own { own[own.count - 1] }

  /// The step from which on a state of another copy is in this one; nil if it is not.
  ///
  /// A step of a client that does not identify itself may have got more edits after the file was copied. It has its
  /// mark then, but is another state.
  func step(of state: Own) -> Int64? {
    if let own = steps[state.mark], own.edits == nil || state.edits == nil || own.edits == state.edits {
      return taken[state.mark].map { min($0, own.step) } ?? own.step
    }
    return taken[state.mark]
  }

  /// The names of all states.
  var marks: [Int64] { Set(taken.keys).union(own.map(\.mark)).sorted() }

  /// Whether some state of this name is in it.
  func has(mark: Int64) -> Bool { steps[mark] != nil || taken[mark] != nil }

  /// The last of the edits up to one that another copy has, too, from the time when they were one file.
  func lastEdit(sharedWith other: KnownStates, upTo edit: Int64) -> Int64? {
    own.last { $0.edit <= edit && other.steps[$0.mark] != nil }?.edit
  }

  /// Whether it was merged with a state that another copy had.
  func isMerged(with other: KnownStates) -> Bool { heads.contains { other.steps[$0] != nil } }

  /// The copy as it was after a step.
  func upTo(_ step: Int64) -> KnownStates {
    KnownStates(
      own: own.filter { $0.step <= step }, taken: taken.filter { $1 <= step }, heads: heads, reach: reach)
  }

  /// The latest of the states that it had and another copy knows.
  func latest(knownTo other: KnownStates, fromEdit first: Int64 = 0) -> Own? {
    own.last { $0.edit >= first && other.step(of: $0) != nil }
  }
}

/// The state that two copies of a list have grown from.
indirect enum CommonState {
  /// A state that one of them had and the other had or took in.
  ///
  /// What happened to each since is in its log after an edit: nil if that is not known.
  case state(of: MergeSide, KnownStates.Own, since: (a: Int64?, b: Int64?))
  /// Each took in a state of the other that is later than all that both know, so both are later than one another: their
  /// merge is what the copies have in common.
  case merged(CommonState, a: KnownStates.Own, b: KnownStates.Own)

  /// Finds it; nil if there is none of which the log of a copy is still there.
  init?(_ a: KnownStates, _ b: KnownStates, depth: Int = 0) {
    // All begin with an empty list, which says nothing of one whose history was erased.
    let first = Int64(a.reach > 0 || b.reach > 0 ? 1 : 0)
    let ofA = a.latest(knownTo: b, fromEdit: max(first, a.reach))
    let ofB = b.latest(knownTo: a, fromEdit: max(first, b.reach))
    switch (ofA, ofB) {
    case (nil, nil): return nil
    case (let ofA?, nil): self.init(ofA: ofA, a, b)
    case (nil, let ofB?): self.init(ofB: ofB, a, b)
    case (let ofA?, let ofB?):
      // Whether each of the two is in the other one.
      let isInA = a.step(of: ofB).map { $0 <= ofA.step } ?? false
      let isInB = b.step(of: ofA).map { $0 <= ofB.step } ?? false
      if !isInA, !isInB, depth < 8,
        let base = CommonState(a.upTo(ofA.step), b.upTo(ofB.step), depth: depth + 1)
      {
        self = .merged(base, a: ofA, b: ofB)
      } else if isInA || !isInB {
        self.init(ofA: ofA, a, b)
      } else {
        self.init(ofB: ofB, a, b)
      }
    }
  }

  private init(ofA state: KnownStates.Own, _ a: KnownStates, _ b: KnownStates) {
    self = .state(of: .a, state, since: (state.edit, b.editBefore(a.upTo(state.step))))
  }

  private init(ofB state: KnownStates.Own, _ a: KnownStates, _ b: KnownStates) {
    self = .state(of: .b, state, since: (a.editBefore(b.upTo(state.step)), state.edit))
  }

  /// The edits after which the logs say what happened to the copies since.
  var since: (a: Int64?, b: Int64?) {
    switch self {
    case .state(_, _, let since): since
    case .merged(let base, _, _): base.since
    }
  }
}

extension KnownStates {
  /// The last edit of this copy that another one has, as it is; nil if the log does not reach back to it.
  ///
  /// Where a copy took in a state of another one, it had edits of its own before that the other does not have.
  fileprivate func editBefore(_ other: KnownStates) -> Int64? {
    latest(knownTo: other).flatMap { $0.edit >= reach ? $0.edit : nil }
  }
}

extension CustomerList {
  /// The states that the list had, and those of other copies that are in it.
  ///
  /// - Complexity: O(steps).
  func knownStates() throws -> KnownStates {
    let own = try connection.fetchAll(
      "SELECT step, mark, last_edit, edits FROM own_state WHERE mark NOT NULL ORDER BY step"
    ) { row in
      KnownStates.Own(
        step: row.integer(0), mark: row.integer(1), edit: row.integer(2),
        // A step that was forgotten has none left.
        edits: row.isNull(3) || row.integer(3) == 0 ? nil : row.int(3))
    }
    let taken = try connection.fetchAll("SELECT mark, step, is_head FROM taken_state") {
      (mark: $0.integer(0), step: $0.integer(1), isHead: $0.bool(2))
    }
    return KnownStates(
      own: [KnownStates.Own(step: 0, mark: 0, edit: 0)] + own,
      taken: Dictionary(taken.map { ($0.mark, $0.step) }, uniquingKeysWith: min),
      heads: Set(taken.filter(\.isHead).map(\.mark)),
      reach: try reach())
  }

  /// The edit after which no edit is missing in the log.
  func reach() throws -> Int64 {
    let sql = "SELECT first_edit, edits FROM history_step ORDER BY id DESC"
    return try connection.query(sql) { row in
      var first: Int64?
      while try row.step() {
        // In a damaged file, the numbers may be any.
        guard first == nil || row.integer(0) &+ row.integer(1) == first else { break }
        first = row.integer(0)
      }
      return (first ?? 1) &- 1
    }
  }
}
