@_spi(Tools) import CustomerStore
import CustomerFixtures
import CustomersTestSupport

/// A random batch for a list, and what it must lead to by the definition: rows go, the last one first,
/// and come, the first one first.
struct RandomBatch {
  /// The rows of each section before; section n has the id n + 1.
  let before: [[Int64]]
  private(set) var updates = BatchUpdates()
  /// The customers that move, and their moves.
  private(set) var moving: Set<Int64> = []
  /// The rows of each section afterwards; a new customer is `-1 - n`, n its number in the order of the calls.
  private(set) var after: [[Int64]]

  private enum Kind { case delete(Int64), move(Int64), update(Int64), insert }

  /// Makes a batch that does something to one in `rarity` rows, and inserts up to `inserts` more.
  init(_ before: [[Int64]], rarity: Int, inserts: Int, _ random: inout SplitMix64) {
    self.before = before
    after = before
    var kinds: [Kind] = []
    for id in before.joined() where random.oneIn(rarity) {
      switch random.below(4) {
      case 0: kinds.append(.delete(id))
      case 1: kinds.append(.update(id))
      default: kinds.append(.move(id))
      }
      if case .move = kinds.last, random.oneIn(4) { kinds.append(.update(id)) }
    }
    kinds += (0..<random.below(inserts + 1)).map { _ in .insert }
    kinds.shuffle(using: &random)
    let targets = targets(for: kinds, &random)
    for kind in kinds {
      if case .delete(let id) = kind { remove(id) }
      if case .move(let id) = kind { remove(id) }
    }
    add(kinds, targets, &random)
  }

  private mutating func remove(_ id: Int64) {
    for section in after.indices { after[section].removeAll { $0 == id } }
  }

  /// A target for each operation that needs one, and its place.
  private func targets(
    for kinds: [Kind], _ random: inout SplitMix64
  ) -> [Int: (target: BatchUpdates.Target, section: Int, order: Int)] {
    var counts = before.map(\.count)
    var coming: [[Int]] = before.map { _ in [] }
    for (index, kind) in kinds.enumerated() {
      switch kind {
      case .delete(let id): counts[section(of: id)] -= 1
      case .update: continue
      case .move(let id):
        counts[section(of: id)] -= 1
        fallthrough
      case .insert: coming[random.below(before.count)].append(index)
      }
    }
    var targets: [Int: (target: BatchUpdates.Target, section: Int, order: Int)] = [:]
    for (section, operations) in coming.enumerated() {
      let count = counts[section] + operations.count
      let kinds = operations.map { _ in random.below(6) }
      let (tops, ends) = (kinds.count { $0 == 0 }, kinds.count { $0 == 1 })
      var free = Array(tops + 1..<count - ends + 1).shuffled(using: &random)
      var (top, end) = (0, count - ends)
      let id = SectionID(rawValue: Int64(section + 1))
      for (operation, kind) in zip(operations, kinds) {
        switch kind {
        case 0:
          top += 1
          targets[operation] = (.first(in: id), section, top)
        case 1:
          end += 1
          targets[operation] = (.last(in: id), section, end)
        default:
          let order = free.removeLast()
          targets[operation] = (.place(order, in: id), section, order)
        }
      }
    }
    return targets
  }

  private mutating func add(
    _ kinds: [Kind], _ targets: [Int: (target: BatchUpdates.Target, section: Int, order: Int)],
    _ random: inout SplitMix64
  ) {
    var coming: [(section: Int, order: Int, id: Int64)] = []
    var inserted: Int64 = 0
    for (index, kind) in kinds.enumerated() {
      switch (kind, targets[index]) {
      case (.delete(let id), _): updates.delete(source(id, &random))
      case (.update(let id), _): updates.update(source(id, &random), [.company: .text("company \(index)")])
      case (.move(let id), let target?):
        moving.insert(id)
        updates.move(source(id, &random), to: target.target)
        coming.append((target.section, target.order, id))
      case (.insert, let target?):
        updates.insert(CustomerFields(note: "new"), at: target.target)
        inserted += 1
        coming.append((target.section, target.order, -inserted))
      default: preconditionFailure("an operation without a target")
      }
    }
    for row in coming.sorted(by: { $0.order < $1.order }) {
      after[row.section].insert(row.id, at: row.order - 1)
    }
  }

  private func source(_ id: Int64, _ random: inout SplitMix64) -> BatchUpdates.Source {
    let section = section(of: id)
    guard random.oneIn(2), let index = before[section].firstIndex(of: id) else {
      return .customer(CustomerID(rawValue: id))
    }
    return .place(index + 1, in: SectionID(rawValue: Int64(section + 1)))
  }

  private func section(of id: Int64) -> Int { before.firstIndex { $0.contains(id) } ?? 0 }

  /// Whether a protected row goes to another section, or past one that stays or is protected as well.
  func breaks(protected: Set<Int64>) -> Bool {
    let named = moving.intersection(protected)
    let kept = Set(after.joined()).intersection(before.joined()).subtracting(moving).union(named)
    return zip(before, after).contains { before, after in
      !named.intersection(before).isSubset(of: after)
        || before.filter { kept.contains($0) && after.contains($0) }
          != after.filter { kept.contains($0) && before.contains($0) }
    }
  }
}
