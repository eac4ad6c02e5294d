import CustomerFixtures
@testable import CustomerStore
import CustomersTestSupport
import Testing

/// Fields of which a customer has several values: e-mail addresses, phone numbers, postal addresses, and tags.
@Suite(.onThreads) struct SeveralValuesTests {
  private static let kinds: [ContactLine.Kind] = [.email, .phone, .address]

  /// The values of one kind, the main one first if there is one.
  private struct Values: Equatable {
    var hasMain = false
    var all: [ContactLine] = []

    mutating func add(_ line: ContactLine) {
      if let index = all.firstIndex(where: { $0.value == line.value }) {
        if !line.label.isEmpty { all[index].label = line.label }
      } else if hasMain {
        all.append(line)
      } else {
        all.insert(line, at: 0)
        hasMain = true
      }
    }

    mutating func remove(_ value: String) {
      guard let index = all.firstIndex(where: { $0.value == value }) else { return }
      all.remove(at: index)
      if index == 0, hasMain { hasMain = !all.isEmpty }
    }

    /// Replaces the main value; its label stays.
    mutating func set(_ value: String, _ kind: ContactLine.Kind) {
      guard !hasMain || all[0].value != value else { return }
      let label = hasMain ? all.removeFirst().label : ""
      hasMain = !value.isEmpty
      guard hasMain else { return }
      let known = all.firstIndex { $0.value == value }.map { all.remove(at: $0) }
      all.insert(known ?? ContactLine(kind, label: label, value), at: 0)
    }
  }

  @Test(arguments: sampled(1...(isLong ? 200 : 6), oneIn: 6))
  func `adding, removing, and replacing keeps all other values, labels, and their order`(seed: Int) throws {
    var random = SplitMix64(seed: seed)
    let labels = ["", "work", "home", "Ski: Hut", "a\\b"]
    let values = ["1", "22", "b@y", "B, C; D", "Weg 1\nBonn", "x:y", "c:\\d"]
    let tags = ["vip", "lead", "a b", "Öl"]
    let store = try CustomerStore.inMemory("Ann")
    try store.write { list in try list.update(1) { $0.otherContacts = "call Ann" } }
    var model = Dictionary(uniqueKeysWithValues: Self.kinds.map { ($0, Values()) })
    var modelTags: [String] = []
    for round in 0..<200 {
      let kind = Self.kinds[random.below(Self.kinds.count)]
      let line = ContactLine(
        kind, label: labels[random.below(labels.count)], values[random.below(values.count)])
      let tag = tags[random.below(tags.count)]
      let field = try #require(kind.field)
      let changes: FieldChanges
      switch random.below(6) {
      case 0, 1:
        changes = FieldChanges(adding: [.otherContacts: [line.text]])
        model[kind]?.add(line)
      case 2:
        changes = FieldChanges(removing: [.otherContacts: [line.text]])
        model[kind]?.remove(line.value)
      case 3:
        let value = random.oneIn(5) ? "" : line.value
        changes = [field: .text(value)]
        model[kind]?.set(value, kind)
      case 4:
        changes = FieldChanges(adding: [.tags: [tag, tag.uppercased()]])
        if !modelTags.contains(tag) { modelTags.append(tag) }
      default:
        changes = FieldChanges(removing: [.tags: [tag.uppercased()]])
        modelTags.removeAll { $0 == tag }
      }
      // A form that changes nothing else does the same as an option.
      let isForm = changes.added.isEmpty && changes.removed.isEmpty && random.oneIn(2)
      try store.write { list in
        let before = try list.customer(1).fields
        var after = before
        for (field, value) in changes.values { after[field] = value }
        try list.apply(isForm ? .save(1, from: before, to: after) : .update([1], changes))
      }
      let fields = try store.read { list in try list.customer(1).fields }
      for kind in Self.kinds {
        let expected = try #require(model[kind])
        try #require(
          fields.contacts.filter { $0.kind == kind } == expected.all, "seed \(seed), round \(round)")
        try #require(fields[try #require(kind.field)].text == (expected.hasMain ? expected.all[0].value : ""))
      }
      try #require(fields.otherLines == ["call Ann"] && fields.values(of: .tags) == modelTags)
    }
  }

  @Test func `a question is about any of the values, in SQL as in Swift`() throws {
    var random = SplitMix64(seed: 1)
    let values = ["a@x", "b@y", "C@Y", "Öl\nBonn", "c:\\d", "vip", "1"]
    let store = try CustomerStore.inMemory()
    var rows: [[String: [String]]] = []
    try store.write { list in
      for number in 1...60 as ClosedRange<Int64> {
        try list.insert(CustomerFields(name: "P\(number)"))
        var row: [String: [String]] = [:]
        try list.update(CustomerID(rawValue: number)) { fields in
          for kind in [ContactLine.Kind.email, .phone, .address, .fax] {
            let own = values.filter { _ in random.oneIn(4) }
            for value in own {
              fields.addContact(ContactLine(kind, label: random.oneIn(2) ? "work" : "", value).text)
            }
            row[kind.rawValue] = own
          }
          row["tag"] = values.filter { _ in random.oneIn(4) }
          fields.tags = row["tag", default: []].map(ContactLine.escaped).joined(separator: "\n")
        }
        rows.append(row)
      }
    }
    try store.read { list in
      for name in ["email", "phone", "address", "tag", "tags"] {
        for sign in ["=", "!=", "~", "!~"] {
          for value in values + ["", "Y", "\\", "bonn", "nothing"] where !value.isEmpty || sign.hasSuffix("=")
          {
            let question = "\(name)\(sign)\"\(value)\""
            let found = try list.customers(matching: RowFilter([FilterExpression(question)], in: list))
            let expected = rows.indices.filter { row in
              let texts = rows[row][name == "tags" ? "tag" : name, default: []].map(searchFolded)
              let wanted = searchFolded(value)
              let isOne =
                sign.hasSuffix("=")
                ? (texts.isEmpty ? [""] : texts).contains(wanted) : texts.contains { $0.contains(wanted) }
              // Whether no value is another one is not known.
              if sign == "!=", texts.isEmpty, !wanted.isEmpty { return false }
              return isOne != sign.hasPrefix("!")
            }
            try #require(found.map(\.id.rawValue) == expected.map { Int64($0 + 1) }, "\(question)")
          }
        }
      }
    }
  }

  private static func store() throws -> CustomerStore {
    let store = try CustomerStore.inMemory("Ann Lee, Bob Ray, Cy Fox, Dan")
    try store.write { list in
      try list.update(1) {
        ($0.email, $0.otherContacts) = ("a@x", "email work: b@y\nfax: 030-555 0199\naddress: Weg 1\\nBonn")
      }
      try list.update(2) {
        ($0.email, $0.otherContacts) = ("c@z", "email: B@Y\nemail home: a@x\nphone: 030/123456")
      }
      try list.update(3) { ($0.phone, $0.tags) = ("(030) 12 34 56", "old friend\nvip") }
    }
    return store
  }

  @Test func `a search and a name find all values`() throws {
    try Self.store().read { list in
      for (search, ids) in [
        (TextSearch("b@y"), [1, 2]), (TextSearch("b@y", in: [.email]), [1, 2]),
        (TextSearch("b@y", in: [.phone]), []), (TextSearch("0305550199"), [1]),
        (TextSearch("030123456"), [2, 3]),
        (TextSearch("bonn", atWordStarts: true), [1]),
        (TextSearch("friend", in: [.tags], atWordStarts: true), [3]),
      ] as [(TextSearch, [Int64])] {
        let found = try list.customers(matching: RowFilter(search: search))
        #expect(found.map(\.id.rawValue) == ids, "\(search)")
      }
      let ann = try list.customer(1)
      #expect(TextSearch("b@y").matchingTexts(of: ann).map(\.text) == ["email work: b@y"])
      #expect(TextSearch("b@y", in: [.email]).matchingTexts(of: ann).map(\.text) == ["b@y"])
      #expect(TextSearch("y 0305550199").matchingFields(of: ann) == [.otherContacts])
      #expect(try RowResolver(list).row(RowSelectors(["c@z"]), in: list).id == 2)
    }
  }

  @Test func `duplicates have any value in common`() throws {
    try Self.store().read { list in
      let groups = try list.duplicates()
      #expect(
        groups == [
          DuplicateGroup(reasons: [.email], customers: [1, 2]),
          DuplicateGroup(reasons: [.phone], customers: [2, 3]),
        ])
    }
  }

  @Test func `a merged customer keeps all values and labels`() throws {
    let store = try Self.store()
    let merged = try store.write { list in try list.merge([1, 2, 3]).fields }
    #expect(
      merged.contacts.map(\.text)
        == [
          "email home: a@x", "email work: b@y", "email: c@z", "phone: 030/123456", "address: Weg 1\nBonn",
          "fax: 030-555 0199",
        ].map { $0.replacing("\n", with: "\\n") })
    #expect(merged.extraColumns.names == ["name 2", "name 3"] && merged.tags == "old friend\nvip")
  }

  @Test func `a merged customer has what its card lacks, such as a photo, and keeps the rest`() throws {
    let store = try CustomerStore.inMemory("A, B, C")
    let cards = [
      "TEL;TYPE=CELL:1\nitem1.URL:x",
      "TEL;TYPE=WORK:2\nPHOTO;ENCODING=b:/9j\nitem1.IMPP:y\nitem2.TEL:3\nitem2.X-ABLABEL:z",
      "PHOTO;ENCODING=b:/8j\nGEO:1,2",
    ]
    let columns = try store.write { list in
      for (id, card) in zip([1, 2, 3] as [CustomerID], cards) {
        try list.update(id) { $0.extraColumns[ExtraColumns.card] = .text(card) }
      }
      return try list.merge([1, 2, 3]).fields.extraColumns
    }
    #expect(
      columns[ExtraColumns.card] == .text("TEL;TYPE=CELL:1\nitem1.URL:x\nPHOTO;ENCODING=b:/9j\nGEO:1,2"))
    #expect(columns["vcard 2"] == .text("TEL;TYPE=WORK:2\nitem1.IMPP:y\nitem2.TEL:3\nitem2.X-ABLABEL:z"))
    #expect(columns["vcard 3"] == .text("PHOTO;ENCODING=b:/8j"))
  }

  @Test func `a label is neither lost nor a reason to leave what the first card lacks`() throws {
    let store = try CustomerStore.inMemory("A, B")
    let cards = [
      "item1.X-SOCIAL:http://one\nitem1.X-ABLABEL:Work\nitem3.X-SKYPE:s",
      "item1.X-SOCIAL:http://two\nitem1.X-ABLABEL:Work\nitem2.X-OTHER:3\nitem2.X-ABLABEL:Work\nitem3.X-SKYPE:s",
    ]
    let columns = try store.write { list in
      for (id, card) in zip([1, 2] as [CustomerID], cards) {
        try list.update(id) { $0.extraColumns[ExtraColumns.card] = .text(card) }
      }
      return try list.merge([1, 2]).fields.extraColumns
    }
    #expect(columns[ExtraColumns.card] == .text(cards[0] + "\nitem2.X-OTHER:3\nitem2.X-ABLABEL:Work"))
    #expect(columns["vcard 2"] == .text("item1.X-SOCIAL:http://two\nitem1.X-ABLABEL:Work"))
    // Nor is it shown, or searched.
    #expect(columns.shown.map(\.name) == ["name 2"])
    var others = ExtraColumns()
    for name in ["vcard", "vcard 12", "vcard x", "vcards", "vCard"] { others[name] = .text("x") }
    #expect(others.shown.map(\.name) == ["vcard x", "vcards", "vCard"])
  }

  @Test func `a group of a card is the same by any number`() {
    var card = JoinedCard("item1.X-A:1\nitem1.X-ABLABEL:L\nX-B:1")
    #expect(card.take("item2.X-A:1\nitem2.X-ABLABEL:L") == "")
    #expect(card.take("item2.X-ABLABEL:M\nitem2.X-A:1") == "item2.X-ABLABEL:M\nitem2.X-A:1")
    #expect(card.take("item2.X-C:1\nitem2.X-ABLABEL:L") == "")
    #expect(card.take("item9.X-ABLABEL:L\nitem9.X-C:1") == "")
    #expect(card.text.hasSuffix("X-B:1\nitem2.X-C:1\nitem2.X-ABLABEL:L"))
  }

  @Test func `blank lines of tags are not kept, and a table shows how many values there are`() throws {
    let store = try Self.store()
    try store.write { list in try list.apply(.update([4], [.tags: "\n a \n\n \nb"])) }
    let (outline, customers) = try store.read { list in
      (try list.outline(), try list.customers(matching: RowFilter()))
    }
    func cell(_ row: Int, _ field: CustomerField) -> String {
      ListColumn.field(field).cell(customers[row - 1], outline).text
    }
    #expect(customers[3].fields.tags == " a \nb")
    #expect(cell(1, .email) == "a@x +1")
    #expect(cell(2, .email) == "c@z +2")
    #expect(cell(2, .phone) == "030/123456")
    #expect(cell(3, .tags) == "old friend, vip")
  }
}
