/// The order of all sections in memory, ids only, with cheap moves.
///
/// The ids of a section are in chunks of about √n, so that moving a row and finding a row or a place take
/// O(√n). Needs memory for a few words per row, however many moves are made.
struct PlannedOrder {
  private struct Chunk {
    var section: SectionID
    var ids: [CustomerID]
  }

  private var chunks: [Chunk] = []
  /// The chunks of each section in order, as indices of `chunks`.
  private var sequences: [SectionID: [Int]] = [:]
  private var chunkOf: [CustomerID: Int] = [:]
  private var counts: [SectionID: Int] = [:]
  private let chunkSize: Int
  private let mostChunks: Int
  /// The customers that were moved since the order was read.
  private(set) var moved: Set<CustomerID> = []
  /// The rows moved since the last `accept` and their places before.
  private var journal: [(id: CustomerID, from: CustomerPlace)] = []

  /// Creates the order from lists of ids.
  init(_ sections: [SectionID: [CustomerID]]) {
    let count = sections.values.reduce(0) { $0 + $1.count }
    let size = max(16, Int(Double(count).squareRoot()))
    chunkSize = size
    for (section, ids) in sections {
      counts[section] = ids.count
      // An empty section has an empty chunk.
      for start in stride(from: 0, to: max(1, ids.count), by: size) {
        sequences[section, default: []].append(chunks.count)
        chunks.append(Chunk(section: section, ids: Array(ids[start..<min(start + size, ids.count)])))
      }
    }
    mostChunks = 2 * chunks.count + 16
    chunkOf.reserveCapacity(count)
    for (number, chunk) in chunks.enumerated() { for id in chunk.ids { chunkOf[id] = number } }
  }

  /// The number of rows of a section; nil if there is no such section.
  func count(of section: SectionID) -> Int? { counts[section] }

  /// The place of a customer; nil if there is no such customer.
  func place(of id: CustomerID) -> CustomerPlace? {
    guard let number = chunkOf[id], let index = chunks[number].ids.firstIndex(of: id) else { return nil }
    var order = index + 1
    for earlier in sequences[chunks[number].section, default: []] {
      guard earlier != number else { break }
      order += chunks[earlier].ids.count
    }
    return CustomerPlace(section: chunks[number].section, order: order)
  }

  /// Some rows of a section from place `order` on; none beyond its end.
  func rows(from order: Int, in section: SectionID) -> ArraySlice<CustomerID> {
    guard order >= 1, order <= counts[section] ?? 0 else { return [] }
    let (position, index) = spot(CustomerPlace(section: section, order: order))
    return chunks[sequences[section, default: []][position]].ids[index...]
  }

  /// All rows of a section, in order.
  func ids(in section: SectionID) -> [CustomerID] {
    sequences[section, default: []].flatMap { chunks[$0].ids }
  }

  /// The chunk of a section with a place, as an index of its sequence, and the index in the chunk.
  private func spot(_ place: CustomerPlace) -> (position: Int, index: Int) {
    let sequence = sequences[place.section, default: []]
    var index = place.order - 1
    var position = 0
    while index >= chunks[sequence[position]].ids.count, position < sequence.count - 1 {
      index -= chunks[sequence[position]].ids.count
      position += 1
    }
    return (position, index)
  }
}

extension PlannedOrder {
  /// Moves a customer to the place that it has after the move.
  mutating func move(_ id: CustomerID, to place: CustomerPlace) {
    guard let from = self.place(of: id), from != place else { return }
    journal.append((id, from))
    moved.insert(id)
    shift(id, to: place)
  }

  /// Makes the moves since the last call final.
  mutating func accept() { journal.removeAll(keepingCapacity: true) }

  /// Reverts the moves since `accept`.
  mutating func rollBack() {
    for move in journal.reversed() { shift(move.id, to: move.from) }
    accept()
  }

  private mutating func shift(_ id: CustomerID, to place: CustomerPlace) {
    guard let old = chunkOf[id], let index = chunks[old].ids.firstIndex(of: id) else { return }
    chunks[old].ids.remove(at: index)
    counts[chunks[old].section, default: 0] -= 1
    let (position, newIndex) = spot(place)
    let new = sequences[place.section, default: []][position]
    chunks[new].ids.insert(id, at: newIndex)
    counts[place.section, default: 0] += 1
    chunkOf[id] = new
    if chunks[new].ids.count > 2 * chunkSize { split(position, of: place.section) }
  }

  /// Splits a chunk in two; if there are too many chunks, many of them empty, rebuilds them in the usual
  /// size.
  private mutating func split(_ position: Int, of section: SectionID) {
    let number = sequences[section, default: []][position]
    let half = chunks[number].ids[chunkSize...]
    for id in half { chunkOf[id] = chunks.count }
    sequences[section]?.insert(chunks.count, at: position + 1)
    chunks.append(Chunk(section: section, ids: Array(half)))
    chunks[number].ids.removeSubrange(chunkSize...)
    guard chunks.count > mostChunks else { return }
    var rebuilt = PlannedOrder(Dictionary(uniqueKeysWithValues: sequences.keys.map { ($0, ids(in: $0)) }))
    (rebuilt.moved, rebuilt.journal) = (moved, journal)
    self = rebuilt
  }
}
