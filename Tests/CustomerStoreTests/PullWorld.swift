@testable import CustomerStore
import CustomerFixtures
import CustomersSQLite
import CustomersTestSupport

/// Copies of a list that are edited apart, and pull from each other.
struct PullWorld {
  var random: SplitMix64
  /// Each copy; a pull changes only the one that pulls.
  var copies: [CustomerStore] = []
  /// Those of whom some copy deleted someone, who may be gone.
  private(set) var deleted: Set<UID> = []
  /// Everyone who was in some copy.
  private(set) var everyone: Set<UID> = []

  init(seed: Int, copies count: Int, customers: Int = 6) throws {
    random = SplitMix64(seed: seed)
    let store = try CustomerStore.inMemory()
    try store.write { list in
      for index in 0..<random.below(customers + 1) {
        var fields = CustomerFields(firstName: "r\(index)", phone: "0", tags: "t")
        fields.extra = #"{"City":"x"}"#
        try list.insert(fields)
      }
      if random.oneIn(2) { _ = try list.addSection(title: "Leads") }
    }
    copies = [store]
    for _ in 1..<count { copies.append(try store.copyInMemory()) }
    try note(store)
  }

  /// A list by its uids, with all values.
  static func state(_ store: CustomerStore) throws -> ListState {
    try store.read { list in try CopyReader(list).state(nil, in: list).whole }
  }

  private mutating func note(_ store: CustomerStore) throws {
    everyone.formUnion(try PullWorld.state(store).rows.values.joined())
  }

  /// Pulls one copy into another one.
  @discardableResult
  static func pull(
    _ store: CustomerStore, _ other: CustomerStore, resolving resolution: PullResolution = .latest
  ) throws -> PullSummary {
    try store.pull(CustomerStore.ListCopy(other), resolving: resolution, acceptsUnrelated: true)
  }

  /// Makes some edit of a copy, as our program or as another client does.
  mutating func edit(_ store: CustomerStore) throws { try note(store) { try $0.change(store) } }

  /// Undoes the last step of a copy.
  mutating func undo(_ store: CustomerStore) throws {
    try note(store) { _ in try store.write { _ = try $0.undo() } }
  }

  /// Notes who is deleted and who is new.
  private mutating func note(_ store: CustomerStore, _ change: (inout PullWorld) throws -> Void) throws {
    let before = try Set(PullWorld.state(store).rows.values.joined())
    do { try change(&self) } catch is ListError {} catch is StoreError {}
    let after = try Set(PullWorld.state(store).rows.values.joined())
    deleted.formUnion(before.subtracting(after))
    everyone.formUnion(after)
  }

  private mutating func change(_ store: CustomerStore) throws {
    let (ids, sections) = try store.read { list in
      let sections = try list.sections()
      return (try sections.flatMap { try list.ids(in: $0.id) }, sections)
    }
    let name = "n\(random.below(1000))"
    guard let section = sections.randomElement(using: &random) else {
      return try store.write { _ = try $0.addSection(title: name) }
    }
    let kind = random.below(33)
    guard let id = ids.randomElement(using: &random) else {
      return try store.write { _ = try $0.insert(CustomerFields(name: name), in: section.id) }
    }
    let place = 1 + random.below(section.count + 1)
    var random = random
    defer { self.random = random }
    try store.write(action: "edit") { list in
      switch kind {
      case 0...2: try list.insert(CustomerFields(name: name), at: .place(place), in: section.id)
      case 3:
        try list.insert(
          contentsOf: (0..<2 + random.below(40)).map { CustomerFields(name: "\(name)-\($0)") }, in: section.id
        )
      case 4: try list.delete(id)
      case 5: try list.delete(Array(ids.prefix(1 + random.below(3))))
      case 6...8: try list.move(id, to: .place(min(place, max(1, section.count))), in: section.id)
      case 9...10:
        let start = random.below(ids.count)
        try list.move(Array(ids[start...].prefix(4)), to: random.oneIn(2) ? .first : .last, in: section.id)
      case 11...12: try list.update(id) { $0.phone = "\(random.below(4))" }
      case 13: try list.update(id) { $0.tags.addLine(["x", "y", "z"][random.below(3)]) }
      case 14:
        let column = ["City", "Town", "Ort"][random.below(3)]
        try list.update(id) { fields in
          let name = fields.extraColumns.names.contains(column) ? column : fields.extraColumns.names.first
          fields.extraColumns[name ?? column] = .text("\(random.below(3))")
          if random.oneIn(3) { fields.extraColumns["Fax"] = .text("f") }
        }
      case 15: try list.protect(id, canEdit: random.oneIn(2), canMove: random.oneIn(2))
      case 16:
        try list.sort(by: SortOrder(by: [.field(.firstName)], isDescending: random.oneIn(2)), in: section.id)
      case 17: _ = try list.addSection(title: "T\(random.below(5))", at: 1 + random.below(sections.count + 1))
      case 18: try list.renameSection(section.id, title: "T\(random.below(5))", footer: name)
      case 19: try list.moveSection(section.id, to: 1 + random.below(sections.count))
      case 20: try list.deleteSection(section.id, withCustomers: random.oneIn(3))
      case 21: try list.addLine(name, to: id)
      case 22:
        if let line = try list.log(of: id).randomElement(using: &random) {
          if random.oneIn(2) {
            try list.updateLine(line.id, text: name)
          } else {
            try list.deleteLine(line.id)
          }
        }
      case 23:
        let columns = ["City", "Town", "Ort"]
        let (name, newName) = (columns[random.below(3)], columns[random.below(3)])
        _ = try random.oneIn(5) ? list.dropColumn(name) : list.renameColumn(name, to: newName)
      case 24: try list.set("s\(random.below(3))", to: random.oneIn(3) ? nil : name)
      case 25: try list.declareColumn("c\(random.below(4))", kind: random.oneIn(2) ? .date : .number)
      case 26...27:
        guard var column = try list.declaredColumns().randomElement(using: &random) else { break }
        if random.oneIn(4), !column.isField {
          try list.undeclareColumn(column.id)
        } else {
          column.place = random.below(20)
          if !column.isField { (column.name, column.choices) = ("c\(random.below(4))", [name]) }
          try list.changeColumn(column)
        }
      case 28:
        try list.update(id) { fields in
          (fields.address, fields.addressParts) = (name, random.oneIn(2) ? "" : "{\"city\":\"\(name)\"}")
        }
      case 29: _ = try list.undo()
      case 31...32:
        let other = ids[random.below(ids.count)]
        if random.oneIn(2) { try list.addLine(name, to: other) }
        if other != id { try list.merge([id, other]) }
      default: _ = try random.oneIn(3) ? list.redo() : list.undo()
      }
    }
  }
}
