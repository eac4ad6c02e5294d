internal import CustomersSQLite

extension CustomerList {
  /// Writes a rearrangement, after the rows that it deletes have been deleted.
  ///
  /// A few rows are placed one by one, each once; a section that gets many is rewritten.
  ///
  /// - Returns: the new customers, in the order of `fields`.
  func write(_ change: Rearrangement, inserting fields: [CustomerFields] = []) throws -> [CustomerID] {
    var writing = try Writing(change, fields, counts: { try section($0).count })
    for (section, arrivals) in writing.renewed { try bring(arrivals, to: section, &writing) }
    for arrival in writing.single { try put(arrival, &writing) }
    for (section, arrivals) in writing.renewed { try renew(section, arrivals, writing.newIDs) }
    return writing.newIDs.compactMap { $0 }
  }

  /// Puts a row in place among those that are in place already.
  private func put(_ arrival: Rearrangement.Arrival, _ writing: inout Writing) throws {
    if case .customer(_, let from) = arrival.row { writing.leave(from) }
    let place = writing.place(now: arrival.place)
    switch arrival.row {
    case .customer(let id, _): try set(id, place)
    case .new(let index): writing.newIDs[index] = try insertRow(writing.fields[index], at: place)
    }
  }

  /// Moves the rows that are not in a section yet to its end.
  private func bring(
    _ arrivals: [Rearrangement.Arrival], to section: SectionID, _ writing: inout Writing
  ) throws {
    var count = try self.section(section).count
    var new: [Int] = []
    for arrival in arrivals {
      switch arrival.row {
      case .new(let index): new.append(index)
      case .customer(_, let from) where from.section == section: break
      case .customer(let id, let from):
        writing.leave(from)
        count += 1
        try set(id, CustomerPlace(section: section, order: count))
      }
    }
    guard !new.isEmpty else { return }
    let first = try nextID(in: "customer_record")
    var next = new.makeIterator()
    _ = try insertRows(at: CustomerPlace(section: section, order: count + 1)) { [fields = writing.fields] in
      next.next().map { NewCustomer(fields[$0]) }
    }
    for (offset, index) in new.enumerated() {
      writing.newIDs[index] = CustomerID(rawValue: first + Int64(offset))
    }
  }

  /// Writes the order of a section that has all its rows.
  private func renew(
    _ section: SectionID, _ arrivals: [Rearrangement.Arrival], _ newIDs: [CustomerID?]
  ) throws {
    let present = try ids(in: section)
    let places = arrivals.compactMap { arrival in
      switch arrival.row {
      case .customer(let id, _): (id, arrival.place.order)
      case .new(let index): newIDs[index].map { ($0, arrival.place.order) }
      }
    }
    let coming = Set(places.map(\.0))
    let order = present.filter { !coming.contains($0) }.interleaved(with: places)
    if order != present { try write(order, in: section) }
  }
}

/// The progress of writing a rearrangement.
private struct Writing {
  let fields: [CustomerFields]
  private let sections: [SectionID: SectionChange]
  /// The sections that are rewritten, and the rows they get.
  private(set) var renewed: [(section: SectionID, arrivals: [Rearrangement.Arrival])] = []
  /// The rows that the other sections get, by section and place.
  private(set) var single: [Rearrangement.Arrival] = []
  /// The new customers inserted so far.
  var newIDs: [CustomerID?]
  /// For each row still to leave, the number of staying rows above it; ascending.
  private var waiting: [SectionID: [Int]] = [:]

  init(
    _ change: Rearrangement, _ fields: [CustomerFields], counts: (SectionID) throws -> Int
  ) rethrows {
    self.fields = fields
    sections = change.sections
    newIDs = Array(repeating: nil, count: fields.count)
    var arrivals: [SectionID: [Rearrangement.Arrival]] = [:]
    for arrival in change.arrivals { arrivals[arrival.place.section, default: []].append(arrival) }
    for section in arrivals.keys.sorted(by: { $0.rawValue < $1.rawValue }) {
      let arrivals = arrivals[section, default: []].sorted { $0.place.order < $1.place.order }
      if try CustomerList.isRenewed(count: counts(section), edits: arrivals.count) {
        renewed.append((section, arrivals))
      } else {
        single += arrivals
      }
    }
    for case .customer(_, let from) in change.arrivals.map(\.row) {
      waiting[from.section, default: []].append(gap(from))
    }
    for section in waiting.keys { waiting[section]?.sort() }
  }

  /// The number of staying rows above a row that leaves.
  private func gap(_ from: CustomerPlace) -> Int {
    sections[from.section]?.unmovedRows(beforeLeft: from.order) ?? 0
  }

  /// Records that a row is about to leave its place.
  mutating func leave(_ from: CustomerPlace) {
    guard let index = waiting[from.section]?.count(below: gap(from)) else { return }
    waiting[from.section]?.remove(at: index)
  }

  /// The place that a row gets now, while the rows that will come below it are missing and some that will
  /// leave are still there.
  ///
  /// Waiting rows with the same number of staying rows above them stay below it.
  func place(now place: CustomerPlace) -> CustomerPlace {
    let above = sections[place.section]?.unmovedRows(beforeTaken: place.order) ?? 0
    let passing = waiting[place.section]?.count(below: above) ?? 0
    return CustomerPlace(section: place.section, order: place.order + passing)
  }
}

extension CustomerList {
  /// Whether a section is rewritten when this many of its rows get a place; otherwise they are placed one by
  /// one.
  ///
  /// Measured (`CustomersBenchmark planning`): placing a row takes as long as writing about 36. A few rows
  /// are always placed one by one, so that programs that follow the changes see what was moved.
  static func isRenewed(count: Int, edits: Int) -> Bool { edits > 16 + count / 36 }
}
