import CustomerFixtures
@testable import CustomerStore
@testable import CustomerTable
import CustomersTestSupport
import Testing

/// Fields of a form that know what their values are, and texts of several lines.
@Suite struct KindFormTests {
  private static let columns: [DeclaredColumn] = [
    DeclaredColumn(id: DeclaredColumnID(rawValue: -1), name: "Due", kind: .date),
    DeclaredColumn(
      id: DeclaredColumnID(rawValue: -2), name: "Stage", kind: .choice, choices: ["new", "Open", "old"]),
    DeclaredColumn(id: DeclaredColumnID(rawValue: -3), name: "Paid", kind: .yesNo),
    DeclaredColumn(id: DeclaredColumnID(rawValue: -4), name: "Sum", kind: .number),
    DeclaredColumn(id: DeclaredColumnID(rawValue: -5), name: "Allergies", kind: .lines),
  ]

  private func form(_ fields: CustomerFields = CustomerFields(firstName: "Ann")) -> FormState {
    let customer = Customer(id: 1, place: CustomerPlace(section: 1, order: 1), fields: fields)
    return FormState(.edit(1), fields, options: EditingPolicy().form(of: customer, Self.columns))
  }

  private func focus(_ form: inout FormState, _ name: String) throws -> Int {
    let index = try #require(form.fields.firstIndex { $0.id == .field(.extra(name)) })
    form.update(.focus(.field(index)))
    return index
  }

  @Test func `a form has all declared columns, and those of the customer and of others beside it, once`() {
    var ann = CustomerFields(firstName: "Ann")
    ann.extraColumns.set([("Zip", .text("1")), ("Sum", .text("2"))])
    let names = form(ann).fields.compactMap { if case .field(.extra(let name)) = $0.id { name } else { nil } }
    #expect(names == ["Due", "Stage", "Paid", "Sum", "Allergies", "Zip"])
    let new = EditingPolicy().form(of: nil, Self.columns)
    #expect(new.fields.suffix(5) == Self.columns.map { CustomerField.extra($0.name) })
    let beside = Customer(id: 1, place: CustomerPlace(section: 1, order: 1), fields: ann)
    let columns = Self.columns.map(\.name) + ["Zip"]
    #expect(
      EditingPolicy().form(of: nil, Self.columns, beside: [beside, beside]).fields.suffix(6)
        == columns.map(CustomerField.extra))
  }

  @Test func `a day is typed in any form, shown as the list keeps it, and stepped`() throws {
    var form = form()
    let due = try focus(&form, "Due")
    let today = CalendarDay.today
    form.update(.text(.insert("+3d")))
    #expect(form.fields[due].reading == CalendarDay(number: today.number + 3)?.description)
    form.update(.step(1))
    #expect(form.fields[due].text?.text == CalendarDay(number: today.number + 4)?.description)
    form.update(.step(-1))
    #expect(form.edited[.extra("Due")].text == CalendarDay(number: today.number + 3)?.description)
    #expect(form.fields[due].reading == nil)
    form.update(.text(.replace("soon")))
    #expect(form.update(.save) == nil && form.fields[due].problem?.contains("is not a date") == true)
    form.update(.text(.replace("")))
    form.update(.step(-1))
    #expect(form.fields[due].text?.text == today.description && form.fields[due].problem == nil)
  }

  @Test func `the next date is typed as a day, and cleared by none`() throws {
    var fields = CustomerFields(firstName: "Ann")
    fields.next = "2026-12-24"
    var form = form(fields)
    let next = try #require(form.fields.firstIndex { $0.id == .field(.next) })
    #expect(form.fields[next].text?.text == "2026-12-24" && form.fields[next].valueKind == .date)
    form.update(.focus(.field(next)))
    form.update(.text(.replace("soon")))
    #expect(
      form.update(.save) == nil && form.fields[next].problem?.contains("2026-12-24, friday, or +3d") == true)
    form.update(.text(.replace("none")))
    #expect(form.fields[next].reading == nil)
    form.update(.text(.replace("tomorrow")))
    #expect(form.fields[next].reading == CalendarDay(number: CalendarDay.today.number + 1)?.description)
    guard case .save(let saved, _)? = form.update(.save) else { Issue.record("not saved"); return }
    #expect(saved.next == "tomorrow")
  }

  @Test func `a choice is stepped, taken by its letter, and cleared`() throws {
    var form = form()
    let stage = try focus(&form, "Stage")
    func text() -> String? { form.fields[stage].text?.text }
    var taken: [String?] = []
    for event: FormEvent in [
      .step(1), .step(1), .step(1), .step(1), .step(-1), .text(.insert("o")), .text(.insert("o")),
      .text(.insert("x")), .text(.insert(" ")), .text(.deleteBackward), .text(.left),
    ] {
      form.update(event)
      taken.append(text())
    }
    #expect(taken == ["new", "Open", "old", "", "old", "Open", "old", "old", "", "", ""])
    let paid = try focus(&form, "Paid")
    form.update(.text(.insert("Y")))
    #expect(form.fields[paid].text?.text == "yes")
    let sum = try focus(&form, "Sum")
    form.update(.step(1))
    #expect(form.fields[sum].text?.text == "")
    form.update(.text(.insert("1.200,50")))
    #expect(form.fields[sum].reading == "1200.50")
    for _ in 1...3 { form.update(.text(.deleteBackward)) }
    #expect(form.fields[sum].text?.text == "1.200" && form.fields[sum].reading == nil)
    form.update(.save)
    #expect(form.fields[sum].problem == "\"1.200\" may be 1.2 or 1200; write 1.2 or 1200")
  }

  @Test func `a note takes lines, between which the cursor moves before the focus does`() throws {
    var form = form(CustomerFields(firstName: "Ann", note: "one\nlonger"))
    let note = try #require(form.fields.firstIndex { $0.id == .field(.note) })
    form.update(.focus(.field(note)))
    form.update(.up)
    #expect(form.focus == .field(note) && form.fields[note].text?.cursor == 3)
    form.update(.text(.insert("\nx")))
    #expect(form.edited.note == "one\nx\nlonger")
    form.update(.text(.start))
    form.update(.text(.deleteToEnd))
    #expect(form.edited.note == "one\n\nlonger")
    form.update(.down)
    form.update(.text(.end))
    form.update(.text(.deleteToStart))
    #expect(form.edited.note == "one\n\n")
    form.update(.down)
    #expect(form.focus == .field(note + 1))
    // So does a column of lines, though it is empty.
    _ = try focus(&form, "Allergies")
    form.update(.text(.insert("nuts\nmilk")))
    #expect(form.edited[.extra("Allergies")].text == "nuts\nmilk")
    // A name has one line.
    form.update(.focus(.field(0)))
    form.update(.text(.insert("\nLee")))
    #expect(form.edited.firstName == "Ann Lee")
  }

  @Test(arguments: [
    ("address work: 1 Way\\nTown", "address work: 1 Way\nTown"), ("email a\\:b: x\\\\y", "email a\\:b: x\\y"),
    ("email work:", "email work:"), ("call Ann", "call Ann"), ("fax: 1", "fax: 1"), ("a\\nb", "a\\nb"),
  ])
  func `a line break in an address is shown as one`(line: String, shown: String) {
    var ann = CustomerFields(firstName: "Ann", otherContacts: line)
    ann.tags = "a\\nb"
    let form = form(ann)
    let index = form.fields.firstIndex { $0.id == .field(.otherContacts) }
    #expect(index.flatMap { form.fields[$0].text?.text } == shown)
    #expect(form.fields.first { $0.id == .field(.tags) }?.text?.text == "a\nb")
    #expect(form.edited == ann && !form.hasChanges)
    #expect(CustomerField.otherContacts.line(typed: shown) == line)
    #expect(CustomerField.otherContacts.line(typed: "two\nlines") == "two lines")
  }
}
