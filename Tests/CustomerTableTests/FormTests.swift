import CustomerFixtures
import CustomerStore
import CustomerTable
import CustomersTestSupport
import Synchronization
import Testing

/// The form by itself.
@Suite(.onThreads) struct FormTests {
  let ann = CustomerFields(firstName: "Ann", lastName: "Lee", note: "old")

  func form(
    _ mode: FormState.Mode = .edit(1), _ values: CustomerFields = CustomerFields(),
    _ change: (inout FormState.Options) -> Void = { _ in }
  ) -> FormState {
    var options = FormState.Options()
    change(&options)
    return FormState(mode, values, options: options)
  }

  @Test
  func `fields give the lines, their labels, and their order (S4.1, S4.3, S4.9, S4.21, S5.10)`()
    throws
  {
    let form = form(.edit(1), ann) { $0.fields = [.note, .extra("Fax"), .isFavorite] }
    #expect(form.mode == .edit(1) && form.options.showsLabels)
    #expect(form.fields.map(\.label) == ["Note", "Fax", "Favorite"])
    #expect(form.fields.map(\.text?.text) == ["old", "", nil])
    #expect(
      self.form(.edit(1), ann).fields.map(\.text?.text) == [
        "Ann", "Lee", "", "", "", "", "old", "", "", nil, "",
      ])
  }

  @Test func `fields are in sections with captions, and placeholders say what to enter (S4.12, S5.50)`() {
    var form = form(.add(at: .last, in: nil)) { options in
      options.sections = [
        FormSection("Name", fields: [.firstName, .lastName]),
        FormSection("Company", fields: [.company, .isFavorite]),
      ]
      for field in options.fields where field != .isFavorite {
        options.placeholders[field] = "Enter \(field.title.lowercased())"
      }
    }
    #expect(
      form.sections.map(\.caption) == ["Name", "Company"] && form.sections.map(\.lines) == [0..<2, 2..<4])
    #expect(
      form.fields.map(\.shownPlaceholder) == ["Enter first name", "Enter last name", "Enter company", nil])
    #expect(form.fields[3].text == nil && !form.fields[3].isSet, "a mark")
    for event in [FormEvent.text(.insert("Ann")), .down, .down, .text(.insert("Tea")), .down, .toggle, .save]
    {
      form.update(event)
    }
    var saved = CustomerFields(firstName: "Ann", company: "Tea")
    saved.isFavorite = true
    #expect(form.outcome == .save(saved, place: nil))
    // The place is in the last section, or in one of its own.
    #expect(self.form { $0.places = 1...3 }.sections.map(\.lines) == [0..<12])
    let alone = self.form { options in (options.sections, options.places) = ([], 1...3) }
    #expect(alone.sections.map(\.lines) == [0..<1])
  }

  @Test func `whoever owns the form gets its outcome, once, and can be exchanged (S4.2)`() {
    let messages = Mutex<[String]>([])
    var form = form(.edit(1), ann)
    form.owner = { outcome in messages.withLock { $0.append("first: \(outcome)") } }
    form.update(.text(.insert("a")))
    form.owner = { outcome in messages.withLock { $0.append("second: \(outcome == .cancel)") } }
    for event in [FormEvent.cancel, .confirm, .cancel, .confirm] { form.update(event) }
    #expect(messages.withLock { $0 } == ["second: true"])
  }

  @Test func `an edited customer is copied in, and saved as a whole (S4.4, S4.13, S4.14, S5.16)`() {
    var form = form(.edit(1), ann)
    form.update(.text(.insert("a")))
    #expect(form.original == ann)
    form.update(.save)
    var saved = ann
    saved.firstName = "Anna"
    #expect(form.outcome == .save(saved, place: nil))
  }

  @Test
  func `placeholders disappear with the first letter, return, and are never saved (S4.5, S4.6, S4.7, S4.8)`()
  {
    var form = form(.add(at: .last, in: nil)) { $0.placeholders = [.firstName: "Ann"] }
    #expect(
      form.fields.map(\.shownPlaceholder) == ["Ann"] + CustomerField.edited.dropFirst().map { _ in nil })
    form.update(.text(.insert("B")))
    #expect(form.fields[0].shownPlaceholder == nil)
    form.update(.text(.deleteBackward))
    #expect(form.fields[0].shownPlaceholder == "Ann")
    form.update(.save)
    #expect(form.outcome == .save(CustomerFields(), place: nil))
  }

  @Test func `a form without fields can be saved and canceled (S4.11)`() {
    for (event, outcome) in [(FormEvent.save, FormState.Outcome.save(ann, place: nil)), (.cancel, .cancel)] {
      var form = form(.edit(1), ann) { $0.fields = [] }
      for event in [FormEvent.text(.insert("x")), .toggle, .enter, .down, .up] { form.update(event) }
      form.update(event)
      #expect(form.outcome == outcome)
    }
  }

  @Test func `cancel passes no data, and a form has one message (S4.15, S4.19)`() {
    var form = form(.edit(1), ann)
    form.update(.cancel)
    form.update(.save)
    #expect(form.outcome == .cancel)
  }

  @Test func `cancel asks before it discards what was typed, and asks nothing else (S4.15)`() {
    let changes: [[FormEvent]] = [
      [.text(.insert("x"))], [.focus(.field(9)), .toggle], [.focus(.field(11)), .text(.replace("2"))],
    ]
    for change in changes {
      var form = FormState(.edit(1), ann, place: CustomerPlace(section: 1, order: 1), options: .withPlace)
      for event in change { form.update(event) }
      form.update(.cancel)
      #expect(form.question == .discard && form.outcome == nil, "\(change)")
      form.update(.text(.insert("y")))
      #expect(form.question == nil && form.hasChanges && form.outcome == nil)
      form.update(.focus(.cancel))
      form.update(.enter)
      #expect(form.question == .discard)
      form.update(.confirm)
      #expect(form.outcome == .cancel)
    }
    for mode in [FormState.Mode.edit(1), .add(at: .last, in: nil)] {
      var form = FormState(mode, ann)
      form.update(.text(.insert("x")))
      form.update(.text(.deleteBackward))
      form.update(.cancel)
      #expect(form.outcome == .cancel)
    }
  }

  @Test func `Delete asks first (S4.16, S4.17, S4.18)`() {
    var form = form(.edit(1), ann)
    form.update(.text(.insert("x")))
    form.update(.delete)
    #expect(form.question == .delete && form.outcome == nil)
    form.update(.decline)
    #expect(form.question == nil && form.outcome == nil && form.fields[0].text?.text == "Annx")
    form.update(.delete)
    form.update(.confirm)
    #expect(form.outcome == .delete)
  }

  @Test func `the form has Delete in edit mode, or where requested (S4.23, S4.24, S4.25)`() {
    #expect(form(.edit(1)).hasDelete && !form(.add(at: .last, in: nil)).hasDelete)
    #expect(!form(.edit(1)) { $0.allowsDelete = false }.hasDelete)
    #expect(form(.add(at: .last, in: nil)) { $0.allowsDelete = true }.hasDelete)
  }

  @Test func `labels, buttons, and title have defaults that can be replaced (S4.27, S4.30)`() {
    let usual = form().options
    #expect(
      [usual.deleteTitle, usual.saveTitle, usual.cancelTitle, usual.title] == [
        "Delete", "Save", "Cancel", "",
      ])
    let other = form {
      ($0.saveTitle, $0.title, $0.showsLabels) = ("Keep", "Ann", false)
      $0.labels = [.firstName: "Given name"]
    }
    #expect(other.options.saveTitle == "Keep" && other.options.title == "Ann" && !other.options.showsLabels)
    #expect(other.fields[0].label == "Given name" && other.fields[0].id == .field(.firstName))
  }

  @Test func `the focus begins where it is asked for (S4.31, S4.32, S4.33, S5.11)`() {
    #expect(form().focus == .field(0))
    #expect(form { $0.firstFocus = 2 }.focus == .field(2))
    #expect(form { $0.firstFocus = -1 }.focus == nil)
    var form = form { $0.firstFocus = .max }
    #expect(form.focus == nil)
    form.update(.text(.insert("x")))
    form.update(.enter)
    #expect(form.focus == .field(0))
  }

  @Test
  func
    `Enter goes to the next field and from the last to the first; Tab to the buttons too (S4.26, S4.35, S5.12)`()
  {
    var form = form(.edit(1), ann) { $0.fields = [.firstName, .lastName, .note] }
    var seen: [FormState.Focus?] = []
    for _ in 0..<4 {
      seen.append(form.focus)
      form.update(.enter)
    }
    #expect(seen == [.field(0), .field(1), .field(2), .field(0)])
    form.update(.focus(.field(2)))
    seen = []
    for _ in 0..<4 {
      form.update(.next)
      seen.append(form.focus)
    }
    #expect(seen == [.delete, .save, .cancel, .field(0)])
    form.update(.previous)
    #expect(form.focus == .cancel)
    form.update(.focus(.field(99)))
    #expect(form.focus == .cancel)
  }

  @Test func `buttons that have the focus do what they say on Enter`() {
    for (focus, outcome) in [
      (FormState.Focus.save, FormState.Outcome.save(ann, place: nil)), (.cancel, .cancel),
    ] {
      var form = form(.edit(1), ann)
      form.update(.focus(focus))
      form.update(.enter)
      #expect(form.outcome == outcome)
    }
  }

  @Test func `a mark is set and removed`() {
    var form = form(.edit(1), ann) { $0.fields = [.isFavorite] }
    form.update(.toggle)
    #expect(form.edited.isFavorite)
    form.update(.text(.insert(" ")))
    #expect(!form.edited.isFavorite)
  }

  @Test func `invalid input keeps the form open, with the focus on the first invalid line`() {
    var options = FormState.Options()
    options.places = 1...5
    options.check = { $0.lastName.isEmpty ? [.lastName: "needs a name"] : [:] }
    let place = CustomerPlace(section: 1, order: 3)
    var form = FormState(.edit(1), CustomerFields(firstName: "Ann"), place: place, options: options)
    form.update(.focus(.field(11)))
    form.update(.text(.replace("9")))
    form.update(.save)
    #expect(form.outcome == nil && form.focus == .field(1))
    #expect(form.fields.compactMap(\.problem) == ["needs a name", "must be 1–5"])
    #expect(form.message == "Not saved: 2 fields have errors.")
    form.update(.text(.insert("Lee")))
    #expect(form.fields.compactMap(\.problem) == ["must be 1–5"])
    form.update(.focus(.field(11)))
    form.update(.text(.replace("2")))
    form.update(.save)
    #expect(form.outcome == .save(CustomerFields(firstName: "Ann", lastName: "Lee"), place: 2))
  }

  @Test func `extra columns keep their type if what is typed over them has it`() {
    var fields = CustomerFields(firstName: "Ann")
    fields.extra = #"{"n":1,"o":[1,2]}"#
    var form = form(.edit(1), fields) { $0.fields = [.extra("n"), .extra("o")] }
    #expect(form.edited == fields)
    form.update(.text(.replace("12345678901234567890")))
    #expect(form.edited.extra == #"{"n":12345678901234567890,"o":[1,2]}"#)
    form.update(.text(.replace("two")))
    #expect(form.edited.extra == #"{"n":"two","o":[1,2]}"#)
  }

  @Test func `fields that others change follow, unless the user changed them too`() {
    var form = form(.edit(1), ann)
    form.update(.text(.insert("a")))
    var theirs = ann
    (theirs.firstName, theirs.note) = ("Annie", "new")
    form.follow(theirs)
    #expect(form.fields[0].text?.text == "Anna" && form.fields[0].theirs == .text("Annie"))
    #expect(form.fields[6].text?.text == "new")
    form.update(.save)
    #expect(form.outcome == nil && form.focus == .field(0))
    var mine = form
    mine.update(.save)
    var expected = theirs
    expected.firstName = "Anna"
    #expect(mine.outcome == .save(expected, place: nil) && mine.original == theirs)
    form.update(.takeTheirs)
    form.update(.save)
    #expect(form.outcome == .save(theirs, place: nil))
  }

  @Test
  func `a conflict that was shown is shown again when they write once more, and gone when they take it back`()
  {
    var form = form(.edit(1), ann)
    form.update(.text(.insert("a")))
    var theirs = ann
    theirs.firstName = "Annie"
    form.follow(theirs)
    form.update(.save)
    theirs.firstName = "Anne"
    form.follow(theirs)
    form.update(.save)
    #expect(form.outcome == nil)
    form.follow(ann)
    #expect(form.fields[0].theirs == nil)
    form.update(.save)
    guard case .save(let saved, _)? = form.outcome else { return #expect(Bool(false)) }
    #expect(saved.firstName == "Anna")
  }
}

/// The line of text.
@Suite(.onThreads) struct TextFieldTests {
  @Test func `keys of a line of text`() {
    var field = FormText("Ann Lee")
    for edit in [
      FormText.Edit.deleteWord, .insert("M\u{E4}y"), .start, .right, .deleteForward, .insert("nn\n"),
    ] {
      field.perform(edit)
    }
    #expect(field.text == "Ann n Mäy" && field.cursor == 4)
    field.perform(.deleteToEnd)
    field.perform(.left)
    field.perform(.deleteToStart)
    #expect(field.text == " " && field.cursor == 0)
    for edit in [FormText.Edit.deleteBackward, .left, .cursor(.max), .right, .cursor(.min), .end] {
      field.perform(edit)
    }
    #expect(field.text == " " && field.cursor == 1)
  }

  @Test func `combining characters join the one before them, and the cursor stays in the value`() {
    var field = FormText("e")
    field.perform(.insert("\u{301}"))
    #expect(field.text == "é" && field.cursor == 1)
    field = FormText("a\u{1F1E9}b\u{1F1EA}")
    field.perform(.cursor(3))
    field.perform(.deleteBackward)
    #expect(field.text == "a\u{1F1E9}\u{1F1EA}" && field.cursor <= 2)
  }
}

extension FormState.Options {
  /// The fields and the place, of two.
  fileprivate static let withPlace: FormState.Options = {
    var options = FormState.Options()
    options.places = 1...2
    return options
  }()
}

/// Fields with any number of values, each of which is a line.
@Suite(.onThreads) struct FormListTests {
  private var form: FormState {
    var options = FormState.Options()
    options.fields = [.firstName, .tags, .note]
    return FormState(
      .edit(1), CustomerFields(firstName: "Ann", note: "n", tags: "vip\n\nold"), options: options)
  }

  private func texts(_ form: FormState) -> [String?] { form.fields.map(\.text?.text) }

  @Test func `each value is a line, and one more is empty`() {
    let form = form
    #expect(texts(form) == ["Ann", "vip", "old", "", "n"])
    #expect(form.fields.map(\.label) == ["First name", "Tags", "", "", "Note"])
    #expect(form.fields[2].id == .value(.tags, 2) && Set(form.fields.map(\.id)).count == 5)
    #expect(!form.hasChanges && form.edited == form.original)
  }

  @Test func `values are typed, changed, and removed, and an empty line follows the last`() {
    var form = form
    for event in [
      FormEvent.focus(.field(3)), .text(.insert("new")), .focus(.field(4)), .text(.insert("x")),
      .focus(.field(1)),
      .text(.replace(" ")), .focus(.field(6)), .text(.insert("!")),
    ] { form.update(event) }
    #expect(texts(form) == ["Ann", " ", "old", "new", "x", "", "n!"])
    #expect(form.edited.tags == "old\nnew\nx" && form.edited.note == "n!")
    form.update(.save)
    #expect(form.outcome == .save(form.edited, place: nil))
  }

  @Test func `lines that are typed or pasted into a list are values of it, save those of an address`() {
    var options = FormState.Options()
    options.fields = [.tags, .otherContacts]
    var form = FormState(.edit(1), CustomerFields(tags: "old"), options: options)
    form.update(.focus(.field(0)))
    form.update(.text(.cursor(1)))
    form.update(.text(.insert("a\nb\nc")))
    #expect(form.edited.tags == "oa\nb\ncld" && form.focus == .field(2))
    form.update(.text(.insert("x\n")))
    #expect(form.edited.tags == "oa\nb\ncx\nld" && form.focus == .field(3))
    form.update(.text(.insert("y")))
    #expect(form.edited.tags == "oa\nb\ncx\nyld")
    #expect(Set(form.fields.map(\.id)).count == form.fields.count)
    form.update(.focus(.field(5)))
    form.update(.text(.insert("fax: 55\nemail: x@y.example")))
    #expect(form.edited.otherContacts == "fax: 55\nemail: x@y.example")
    form.update(.next)
    form.update(.text(.insert("address home: Weg 1")))
    form.update(.text(.insert("\n")))
    form.update(.text(.insert("Bonn")))
    #expect(form.edited.contacts.map(\.value).sorted() == ["55", "Weg 1\nBonn", "x@y.example"])
  }

  @Test func `what someone else changes is shown, and the focus stays`() {
    var form = form
    form.update(.focus(.field(4)))
    var theirs = form.original
    theirs.tags = "vip"
    form.follow(theirs)
    #expect(texts(form) == ["Ann", "vip", "", "n"] && form.focus == .field(3) && !form.hasChanges)
    for event in [FormEvent.focus(.field(2)), .text(.insert("mine"))] { form.update(event) }
    theirs.tags = "vip\ntheirs"
    form.follow(theirs)
    #expect(form.fields[1].theirs == "vip\ntheirs" && form.edited.tags == "vip\nmine")
    form.update(.takeTheirs)
    #expect(texts(form) == ["Ann", "vip", "theirs", "", "n"] && form.edited == theirs)
  }
}
