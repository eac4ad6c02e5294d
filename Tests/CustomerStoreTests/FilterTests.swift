import CustomerFixtures
@testable import CustomerStore
import CustomersTestSupport
import Testing

/// Questions about customers, and the columns that they have beside the fields.
@Suite(.onThreads) struct FilterTests {
  private static func store() throws -> CustomerStore {
    let store = try CustomerStore.inMemory("Ann Lee, Bob Ray, Zoë Müller, Dan | Leads: Eve, Finn")
    try store.write { list in
      let extras = [
        #"{"City":"Berlin","Age":"9"}"#, #"{"City":"Köln","Age":"10"}"#, #"{"Age":10.5,"City":"BERLIN"}"#,
        "{}", #"{"Postal Code":"x\"y"}"#,
      ]
      for (index, extra) in extras.enumerated() {
        try list.update(CustomerID(rawValue: Int64(index + 1))) { $0.extra = extra }
      }
      try list.update(2) { ($0.note, $0.isFavorite, $0.company) = ("tea at two", true, "Ray & Söhne") }
      try list.update(4) { $0.note = "TEE" }
      try list.protect(6, canMove: false)
    }
    return store
  }

  private func found(_ terms: String..., in store: CustomerStore) throws -> [Int64] {
    try store.read { list in
      let filter = try RowFilter(terms.map { word throws in try FilterExpression(word) }, in: list)
      let rows = try list.customers(matching: filter).map(\.id.rawValue)
      // SQL must omit the same rows as a comparison of every row.
      var expected: [Int64] = []
      try list.forEach { customer in
        if filter.matches(customer) { expected.append(customer.id.rawValue) }
        return true
      }
      #expect(rows == expected, "\(terms)")
      return rows
    }
  }

  @Test func `rows match a term, ignoring case and accents`() throws {
    let store = try Self.store()
    let cases: [(String, [Int64])] = [
      ("City=berlin", [1, 3]), ("city = Berlin", [1, 3]), ("CITY=koln", [2]), ("city=ber", []),
      ("city~ER", [1, 3]), ("city!=berlin", [2]), ("city!~e", [2, 4, 5, 6]), ("city=", [4, 5, 6]),
      ("city!=", [1, 2, 3]), ("age<10", [1]), ("age>9.5", [2, 3]), ("age<\"x\"", [1, 2, 3]),
      ("city>\"Bz\"", [2]),
      ("postal-code=X\"Y", [5]), ("postal_code~\"\"\"\"", [5]), ("note~tea", [2]), ("note~TE", [2, 4]),
      ("name=zoe muller", [3]), ("name~n", [1, 4, 6]), ("Last-Name=lee", [1]),
      ("E-mail=", [1, 2, 3, 4, 5, 6]),
      ("company~sohne", [2]), ("favorite=yes", [2]), ("is_favorite=no", [1, 3, 4, 5, 6]),
      ("favorite!=1", [1, 3, 4, 5, 6]), ("section=leads", [5, 6]), ("section!=leads", [1, 2, 3, 4]),
      ("section~EAD", [5, 6]), ("can_move=no", [6]), ("can-edit!=no", [1, 2, 3, 4, 5, 6]),
      ("age<=10", [1, 2]), ("age>=10", [2, 3]), ("age <= 9.0", [1]), ("age>=1e1", [2, 3]),
      ("age<=\"x\"", [1, 2, 3]), ("age=10.50", [3]), ("age!=9.0", [2, 3]), ("age=09", []),
      ("city=Berlin,Köln", [1, 2, 3]), ("city = Köln , Rome", [2]), ("city!=berlin,koln", []),
      ("city=\"\",Köln", [2, 4, 5, 6]), ("name~ann,\"dan\"", [1, 4]), ("name!~a,e", [6]),
      ("city=berlin age>9", [3]), ("city=berlin age>9 or name=dan", [3, 4]),
      ("name=dan OR city=berlin age>9 or favorite=yes", [2, 3, 4]), ("note=\"tea at two\"", [2]),
      ("note=tea at two city=köln", [2]), ("\"City\"=köln", [2]), ("email= city!=", [1, 2, 3]),
      ("favorite=yes,no", [1, 2, 3, 4, 5, 6]), ("section=leads,customers", [1, 2, 3, 4, 5, 6]),
      ("section!=leads,customers", []), ("city=or", []), ("city= or name=dan", [4, 5, 6]),
      ("not city=berlin", [2]), ("not city!=berlin", [1, 3]), ("not city~er", [2, 4, 5, 6]),
      ("not (city=berlin age>9)", [1, 2]), ("not(city=berlin or age=10)", []), ("NOT not city=köln", [2]),
      ("(city=berlin or city=köln) age<10", [1]), ("name=dan or (city=berlin (age>9 or note~tea))", [3, 4]),
      ("note=tea at two (not city=berlin)", [2]), ("not age<10", [2, 3]), ("not city=", [1, 2, 3]),
      ("not favorite=yes", [1, 3, 4, 5, 6]), ("not section=leads name~a", [1, 2, 4]), ("note=TEE (x)", []),
      ("city!=\"\",berlin", [2]), ("not can_move=no section=leads", [5]),
    ]
    for (term, ids) in cases { #expect(try found(term, in: store) == ids, "\(term)") }
    #expect(try found("city=berlin", "age>9", in: store) == [3])
    #expect(try found(in: store) == [1, 2, 3, 4, 5, 6])
  }

  @Test func `an invalid term is refused`() throws {
    let store = try Self.store()
    let cases: [(String, FilterError.Reason)] = [
      ("City", .malformed), ("=x", .malformed), ("", .malformed), ("or City=x", .malformed),
      ("City=x or", .malformed), ("section<a", .malformed), ("City=\"x\" y", .malformed), ("not", .malformed),
      ("()", .malformed),
      ("not or City=x", .malformed), ("(City=x", .parenthesis), ("City=x (Age=2", .parenthesis),
      ("a!b", .unknownOperator("!", meant: "!=")), ("Age==20", .unknownOperator("==", meant: "=")),
      ("Age<>20", .unknownOperator("<>", meant: "!=")), ("Age=~2", .unknownOperator("=~", meant: "~")),
      ("Age =< 2", .unknownOperator("=<", meant: "<=")), ("note=<b>", .unknownOperator("=<", meant: "<=")),
      ("Age<<2", .unknownOperator("<<", meant: nil)),
      ("City=x && Age=2", .unknownConjunction("&&", meant: "and")),
      ("City=x || Age=2", .unknownConjunction("||", meant: "or")),
      ("City=\"x", .quote), ("City=\"x\"y", .quote), ("postal_code~\"", .quote),
      ("City=x,", .noValue), ("City=,x", .noValue), ("City=x, Age=2", .noValue), ("note~", .noValue),
      ("Age<", .noValue), ("Age<\"\"", .noValue), ("Age<1,2", .severalValues("<")),
      ("Age>=1,2", .severalValues(">=")), ("Ctiy!=Berlin", .noSuchField("Ctiy", near: "City")),
      ("xyzzy=1", .noSuchField("xyzzy", near: nil)),
      ("favorite=maybe", .notYesOrNo(field: "favorite", found: "maybe")),
      ("can_edit~y", .notYesOrNo(field: "can_edit", found: "~y")),
    ]
    for (term, reason) in cases {
      do {
        _ = try found(term, in: store)
        Issue.record("\(term) was accepted")
      } catch let error as FilterError {
        #expect(error.reason == reason && term.hasSuffix(error.word), "\(term): \(error)")
      }
    }
    let deep = String(repeating: "(", count: 1_000_000) + "City=x"
    #expect(throws: FilterError.self) { try FilterExpression(deep) }
    #expect(throws: SelectionError.self) { try found("section=nowhere", in: store) }
  }

  @Test func `a number is compared with numbers, and a date with dates`() throws {
    let store = try CustomerStore.inMemory("A, B, C, D, E, F")
    let values = ["2026-11-22", "2026-11-30", "soon", "7", "12345678901234567891", ""]
    try store.write { list in
      for (index, value) in values.enumerated() {
        try list.update(CustomerID(rawValue: Int64(index + 1))) { $0.extraColumns["due"] = .text(value) }
      }
    }
    let today = try #require(CalendarDay("2026-11-23"))
    let cases: [(String, [Int64])] = [
      ("due<today", [1]), ("due<=today+7", [1, 2]), ("due<today+7", [1]), ("due=yesterday", [1]),
      ("due>tomorrow", [2]), ("due=today-1,TODAY+7", [1, 2]), ("due=\"today\"", []), ("due~today", []),
      ("due<100", [4]), ("due>12345678901234567890", [5]), ("due>=12345678901234567892", []),
      ("due<\"s\"", [1, 2, 4, 5]), ("due>=\"soon\"", [3]), ("name=today", []), ("due<today+1w", [1]),
      ("due<=eom", [1, 2]), ("due=monday", [2]), ("due=22.11.", [1]), ("due!=22.11.", [2, 3, 4, 5]),
      ("due=22.11.2026", [1]), ("not due<today", [2]),
    ]
    try store.read { list in
      for (term, ids) in cases {
        let filter = try RowFilter([FilterExpression(term)], today: today, in: list)
        let found = try list.customers(matching: filter).map(\.id.rawValue)
        #expect(found == ids, "\(term)")
      }
    }
  }

  @Test func `a phone number is found by its digits`() throws {
    let store = try CustomerStore.inMemory("A, B, C, D")
    let phones = ["030-0074321", "+49 (30) 0074321, mobile 0170/123456", "0300074321", "12-34"]
    try store.write { list in
      for (index, phone) in phones.enumerated() {
        try list.update(CustomerID(rawValue: Int64(index + 1))) { $0.phone = phone }
      }
      try list.update(4) { $0.note = "0300074321" }
    }
    for (text, ids) in [
      ("0300074321", [1, 2, 3, 4]), ("030-0074321", [1, 2, 3]), ("030 0074321", [1, 2, 3, 4]),
      ("300074321 a", [1]), ("0049300074321", [1, 2, 3]),
      ("+49 30 0074321", [1, 2, 3]), ("+49 (0)30 0074321", [1, 2, 3]), ("+43 30 0074321", [1, 3]),
      ("+49 170 123456", [2]), ("+353 30 0074321", [1, 3]), ("+1 300 074 321", [1, 3]),
      ("0074321", [1, 2, 3, 4]), ("0074321017", []), ("0170123456", [2]), ("1234", [2]), ("12-34", [4]),
      ("+493000", [2]),
    ] as [(String, [Int64])] {
      let search = TextSearch(text)
      let found = try store.read { list in try list.customers(matching: RowFilter(search: search)) }
      #expect(found.map(\.id.rawValue) == ids, "\(text)")
      for customer in found where customer.id != 4 && text != "300074321 a" {
        #expect(search.matchingFields(of: customer).contains(.phone), "\(text)")
      }
    }
    let customers = try store.read { list in try list.customers(matching: RowFilter()) }
    func count(_ search: TextSearch) -> Int { customers.count { search.matches($0) } }
    #expect(count(TextSearch("0300074321", in: [.note])) == 1)
    #expect(count(TextSearch("0300074321", in: [.phone])) == 3)
    #expect(count(TextSearch("0300074321", atWordStarts: true)) == 3)
    #expect(count(TextSearch("300074321", atWordStarts: true)) == 0)
  }

  @Test func `no word is found in a photo`() throws {
    let store = try CustomerStore.inMemory("A")
    try store.write { list in
      try list.update(1) { $0.extraColumns[ExtraColumns.card] = .text("PHOTO;ENCODING=b:/9j/Lee+vip") }
    }
    let customer = try store.read { list in try list.customer(1) }
    for text in ["lee", "vip", "photo"] {
      #expect(!TextSearch(text).matches(customer) && TextSearch(text).matchingTexts(of: customer).isEmpty)
    }
    #expect(TextSearch("lee", in: [.extra(ExtraColumns.card)]).matches(customer))
  }

  @Test func `columns are listed in their order, and found by their names however they are written`() throws {
    try Self.store().read { list in
      let columns = try list.extraColumns()
      #expect(
        columns == [
          ExtraColumn(name: "City", count: 3), ExtraColumn(name: "Age", count: 3),
          ExtraColumn(name: "Postal Code", count: 1),
        ])
      for (name, field) in [
        ("city", .extra("City")), ("POSTAL_code", .extra("Postal Code")), ("E-MAIL", .email),
        ("first name", .firstName), ("favorite", .isFavorite), ("", nil), ("Cit", nil),
      ] as [(String, CustomerField?)] {
        let found = try list.field(named: name)
        #expect(found == field, "\(name)")
      }
    }
  }

  @Test func `a search can match beginnings of words, and reports where it matched`() throws {
    let store = try Self.store()
    try store.read { list in
      for (search, names) in [
        (TextSearch("er"), ["Ann Lee", "Zoë Müller"]),
        (TextSearch("ber mull", atWordStarts: true), ["Zoë Müller"]),
        (TextSearch("er", atWordStarts: true), []),
        (TextSearch("ber", in: [.extra("City")]), ["Ann Lee", "Zoë Müller"]),
      ] {
        let found = try list.customers(matching: RowFilter(search: search)).map(\.name)
        #expect(found == names)
      }
      let zoe = try list.customer(3)
      #expect(TextSearch("er").matchingFields(of: zoe) == [.lastName, .extra("City")])
    }
    func marked(_ text: String, _ search: TextSearch) -> [String] {
      search.ranges(in: text).map { String(text[$0]) }
    }
    #expect(marked("Müller, mullah", TextSearch("MULL")) == ["Müll", "mull"])
    #expect(marked("banana", TextSearch("ana")) == ["anana"])
    #expect(marked("Anna Banana", TextSearch("ana an", atWordStarts: true)) == ["An"])
    #expect(marked("e\u{301}t\u{E9}", TextSearch("ete")) == ["e\u{301}t\u{E9}"])
    #expect(marked("Weißstraße", TextSearch("sss")) == ["ßs"] && marked("Maße", TextSearch("as")) == ["aß"])
    #expect(marked("x", TextSearch("")) == [])
  }

  @Test func `case and accents are folded as people expect`() {
    let same: KeyValuePairs = [
      "MÜLLER": "muller", "Gonçalves": "goncalves", "Łódź": "lodz", "Ø": "o", "Åse": "ase", "İ": "i",
      "ΌΔΟΣ": "οδοσ",
      "οδός": "οδοσ", "Ёлка": "елка", "Ấ": "a", "e\u{301}": "e", "\u{212A}": "k", "\u{212B}": "a",
      "STRAẞE": "strasse", "Straße": "strasse", "Sørensen Æbelø": "sorensen aebelo", "Cœur": "coeur",
      "I\u{307}": "i", "\u{37E}": ";", "が": "が", "명": "명", "": "",
    ]
    for (text, folded) in same { #expect(searchFolded(text) == folded, "\(text)") }
    // Letters are without the marks that their names have.
    var letters: [String: String] = [:]
    for letter in "abcdefghijklmnopqrstuvwxyzαβγδεζηθικλμνξοπρσςτυφχψωабвгдежзийклмнопрстуфхцчшщъыьэюя"
      .unicodeScalars
    {
      for form in [String(letter), String(letter).uppercased()] {
        let name = form.unicodeScalars.first?.properties.name
        if let name { letters[name] = searchFolded(String(letter)) }
      }
    }
    var count = 0
    for scalar in (UInt32(0x80)...0xffff).lazy.compactMap(Unicode.Scalar.init) {
      let lowercase = scalar.properties.uppercaseMapping.lowercased().unicodeScalars
      guard lowercase.count == 1, let letter = lowercase.first, letter != "й",
        let name = letter.properties.name, let end = name.firstRange(of: " WITH "),
        let plain = letters[String(name[..<end.lowerBound])]
      else { continue }
      count += 1
      #expect(searchFolded(String(scalar)) == plain, "\(name)")
    }
    #expect(count > 900)
    // What is ASCII stays so, and nothing else becomes what a look at bytes would not let through.
    for value in 0..<0x80 as Range<UInt8> {
      let letter = String(Unicode.Scalar(value))
      #expect(searchFolded(letter) == letter.lowercased())
    }
  }
}
