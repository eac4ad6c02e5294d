import CustomerStore
import CustomerTransfer
import CustomersTestSupport
import Testing

/// Ways to reach a customer, one per line.
@Suite(.onThreads) struct ContactLineTests {
  @Test(arguments: [
    (ContactLine(.email, label: "work", "b@y"), "email work: b@y"), (ContactLine(.phone, "+1"), "phone: +1"),
    (ContactLine(.address, label: "home", "a\nb\\c"), "address home: a\\nb\\\\c"),
    (ContactLine(.fax, label: "at: my desk", ":"), "fax at\\: my desk: :"),
  ])
  func `a line is written and read`(line: ContactLine, text: String) {
    #expect(line.text == text)
    #expect(ContactLine(text) == line)
  }

  @Test(arguments: ["", "call Ann", "letter: x", "email", "email:x"])
  func `any other text is not one`(text: String) {
    #expect(ContactLine(text) == nil)
  }

  @Test(arguments: [
    ("* Work Fax", ContactLine.Kind.fax, "work"), ("_$!<Mobile>!$_", .phone, "mobile"),
    ("CELL", .phone, "mobile"),
    ("Pager", .pager, ""), ("Ski Hut", .phone, "Ski Hut"), ("pref voice", .phone, "pref voice"),
  ])
  func `labels of other programs`(written: String, kind: ContactLine.Kind, label: String) {
    #expect(ContactLine(.phone, labeled: written, "1") == ContactLine(kind, label: label, "1"))
  }

  @Test func `the first of the best rank is the main one, and a label is not lost`() {
    var contacts = Contacts()
    contacts.add(ContactLine(.phone, label: "home", "1"))
    contacts.add(ContactLine(.phone, label: "work", "2"), .preferred)
    contacts.add(ContactLine(.phone, "2"))
    contacts.add(ContactLine(.phone, ""))
    contacts.add(ContactLine(.fax, "3"))
    #expect(contacts.main(.phone) == "2" && contacts.main(.email) == nil && contacts.main(.fax) == nil)
    #expect(contacts.others.map(\.text) == ["phone home: 1", "phone work:", "fax: 3"])
  }
}
