import CustomersTestSupport
import Foundation
import Testing

/// The statements and their tests.
///
/// Five descriptions of editing tables on a phone specify the table and the form in 172 statements:
///
/// - S1: editing tables: swipe, edit mode, moving rows, the row that adds, batch updates.
/// - S2: the button that confirms a deletion.
/// - S3: declarative sections and rows, and paths out of range.
/// - S4: a form editor with add and edit modes.
/// - S5: a customer application: list, detail, edit mode, cells, sections.
///
/// Each has a test whose name contains its number, or a reason why it has none: it is about a part of a phone's toolkit
/// that this table does not have. Where the table differs on purpose, the line says how, and the test asserts that. The
/// tests are in `CustomerTableTests`, and in `CustomersTerminalTests` for what a user sees.
///
/// A line has the statement, what it is about, what shows it, whose business it is (that of the library, which any app
/// gets with its values and events; of the terminal's table alone, because it is about a picture; or of no one), and the
/// suite of `CustomersPageTests` that checks it in a real browser, or why it does not apply on the page.
@Suite(.onThreads) struct StatementsTests {
  @Test func `each of the 172 statements has a test or a reason`() throws {
    let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let rows = Self.statements.split(separator: "\n").map { line in
      line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }
    #expect(rows.map { $0[0] } == Self.all, "every statement has one line, in order")
    #expect(Self.all.count == 172)

    let library = try Self.named(in: tests.appending(path: "CustomerTableTests"))
    let named = library.union(try Self.named(in: tests.appending(path: "CustomersTerminalTests")))
    let tested = Set(
      rows.filter { $0[2] == "tested" || $0[2].hasPrefix("tested, but differs: ") }.map { $0[0] })
    #expect(named.subtracting(tested).sorted() == [], "tests that the page does not know")
    #expect(tested.subtracting(named).sorted() == [], "statements without their test")
    for row in rows where !tested.contains(row[0]) {
      #expect(
        row[2].hasPrefix("does not apply: ") && row[2].count > 20, "\(row[0]) has neither a test nor a reason"
      )
    }
    for row in rows {
      let whose = library.contains(row[0]) ? "library" : tested.contains(row[0]) ? "terminal" : "—"
      #expect(row[3] == whose, "\(row[0])")
    }

    let pages = Set(
      try FileManager.default.contentsOfDirectory(atPath: tests.appending(path: "CustomersPageTests").path))
    for row in rows where !row[4].hasPrefix("does not apply: ") {
      let suite = row[4].prefix { $0 != ";" }
      #expect(pages.contains("\(suite).swift"), "\(row[0]) names no suite of the page's")
    }
  }

  /// The statements that the tests of a folder name.
  private static func named(in folder: URL) throws -> Set<String> {
    var named: Set<String> = []
    let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    for file in files where file.pathExtension == "swift" {
      // The name of a test is the only text in backticks on its line.
      for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
      where line.contains("`") {
        named.formUnion(line.matches(of: /S[1-5]\.[0-9]+/).map { String($0.output) })
      }
    }
    return named
  }

  /// S5 has no statement 8.
  private static let all = [(1, 36), (2, 22), (3, 30), (4, 35), (5, 50)].flatMap { document, count in
    (1...count).map { "S\(document).\($0)" }
  }.filter { $0 != "S5.8" }

  private static let statements = """
    S1.1 | a swipe shows Delete and deletes nothing | tested | library | DeletingTests
    S1.2 | without a way to delete there is no button | tested | library | LiveTests
    S1.3 | a deletion takes the row from the list and the display at once | tested | library | DeletingTests
    S1.4 | a commit of nothing changes nothing | tested | library | DeletingTests
    S1.5 | rows can be edited unless something says no | tested | library | DeletingTests
    S1.6 | a row that can't be edited has neither button nor control | tested | library | MovingTests
    S1.7 | one row can have another rule than the table | tested | library | MovingTests
    S1.8 | the button reads Delete | tested | library | DeletingTests
    S1.9 | a row can have another title for its button | tested | library | does not apply: the page has one form and one list, without such a choice
    S1.10 | any data source behaves the same | tested | library | does not apply: it is about values of the library, which the page does not see
    S1.11 | edit mode shows controls and handles | tested | library | AccessibilityTests
    S1.12 | the control shows the button, the button deletes | tested | library | DeletingTests
    S1.13 | a row that can't be moved has no handle | tested | library | MovingTests
    S1.14 | in edit mode, a row without an editing style has no control | tested | library | MovingTests
    S1.15 | out of edit mode every row can be swiped | tested | library | AccessibilityTests; differs: the row under a mouse shows its handle
    S1.16 | Edit begins, Done ends | tested | library | DeletingTests
    S1.17 | Edit closes a half-swiped row first | tested | library | DeletingTests
    S1.18 | a move up | tested | library | MovingTests
    S1.19 | a move down | tested | library | MovingTests
    S1.20 | a move to the same place | tested | library | MovingTests
    S1.21 | the list has the order that is shown | tested | library | MovingTests
    S1.22 | SQL renumbers without gap or duplicate | tested | library | MovingTests
    S1.23 | a move loses and changes nothing | tested | library | RandomPageTests
    S1.24 | edit mode adds one row, (add new) | tested | library | AccessibilityTests; differs: one after each section
    S1.25 | its style is insert | tested | library | StatementTests
    S1.26 | touching it adds a customer | tested | library | FormTests
    S1.27 | it has no handle | tested | library | AccessibilityTests
    S1.28 | a drop on it is a drop at the last place | tested | library | MovingTests
    S1.29 | any other drop is where it is | tested | library | MovingTests
    S1.30 | it goes when edit mode ends | tested | library | DeletingTests
    S1.31 | it is never stored | tested | library | DeletingTests
    S1.32 | it is added and removed once | tested | library | DeletingTests
    S1.33 | rows before and after add up | tested | library | does not apply: it is about values of the library, which the page does not see
    S1.34 | a mismatch is an error | tested | library | does not apply: it is about values of the library, which the page does not see
    S1.35 | only the end of a batch counts | tested | library | does not apply: it is about values of the library, which the page does not see
    S1.36 | batches work outside edit mode | tested | library | does not apply: it is about values of the library, which the page does not see
    S2.1 | the minus shows the button | tested | library | DeletingTests
    S2.2 | the minus again takes it away | tested | library | DeletingTests
    S2.3 | the button deletes | tested | library | DeletingTests
    S2.4 | anything else cancels | tested | library | DeletingTests
    S2.5 | and does only that | tested | library | DeletingTests
    S2.6 | editing and confirming are shown together | tested | library | DeletingTests
    S2.7 | other transitions keep their behavior | tested | library | does not apply: the browser does it by itself
    S2.8 | the text can be another | tested | library | does not apply: the page has one form and one list, without such a choice
    S2.9 | a button that is shown again is whole | tested | library | DeletingTests
    S2.10 | how the button leaves | tested | library | does not apply: it is about a picture of the phone
    S2.11 | the order of the steps of a deletion | tested | library | does not apply: the program decides it, and the page shows what it sends
    S2.12 | without a way to delete nothing happens | tested | library | LiveTests
    S2.13 | the row is the one where it is then | tested | library | DeletingTests
    S2.14 | cancel commits nothing | tested | library | DeletingTests
    S2.15 | afterwards the mode is as before | tested | library | DeletingTests
    S2.16 | nothing listens after the button is gone | tested | library | DeletingTests
    S2.17 | a double tap deletes once | tested | library | DeletingTests
    S2.18 | a tap within the button is on the button | tested | terminal | DeletingTests
    S2.19 | the other rows are dimmed | tested | library | DeletingTests
    S2.20 | at most one row shows the button | tested | library | DeletingTests
    S2.21 | the minus goes back | tested | library | DeletingTests
    S2.22 | no internals of the list widget | does not apply: there is no list widget whose internals could be used; the state is a value | — | does not apply: it is about values of the library, which the page does not see
    S3.1 | title and subtitle of a row | tested | library | AccessibilityTests
    S3.2 | every row offers Delete | tested | library | AccessibilityTests
    S3.3 | by identity | tested | library | DeletingTests
    S3.4 | also among equals | tested | library | DeletingTests
    S3.5 | a section's title | tested | library | AccessibilityTests
    S3.6 | or none | tested | library | ArithmeticTests
    S3.7 | counts are those of the sections | tested | library | ArithmeticTests
    S3.8 | a refresh leaves nothing of the old list | tested | library | LiveTests
    S3.9 | before the first refresh there are no rows | tested | library | LiveTests
    S3.10 | a row or nothing | tested | library | ArithmeticTests
    S3.11 | what is out of range | tested | library | ArithmeticTests
    S3.12 | for every number | tested | library | does not apply: it is about values of the library, which the page does not see
    S3.13 | a cell out of range | tested, but differs: there is no cell instead of an empty one, and no assertion or log entry in any build | library | does not apply: it is about values of the library, which the page does not see
    S3.14 | a right out of range | tested, but differs: rows are named by id, and an unknown one has no controls; no assertion or log entry | library | does not apply: it is about values of the library, which the page does not see
    S3.15 | the default of protection | tested | library | does not apply: the program decides it, and the page shows what it sends
    S3.16 | a row can say yes | tested | library | does not apply: the program decides it, and the page shows what it sends
    S3.17 | a row that says nothing asks the table | tested | library | does not apply: the program decides it, and the page shows what it sends
    S3.18 | a table that says nothing has the default | tested | library | does not apply: the program decides it, and the page shows what it sends
    S3.19 | row, then table, then default | tested | library | does not apply: the program decides it, and the page shows what it sends
    S3.20 | a row that can't be edited has no style | tested | library | StatementTests
    S3.21 | editable without control | does not apply: a row is editable or not; there is no third style without a control | — | does not apply: the program decides it, and the page shows what it sends
    S3.22 | reuse identifiers | does not apply: rows are drawn from values, so there are no cells to reuse | — | does not apply: it is about values of the library, which the page does not see
    S3.23 | the subtitle style | tested | library | AccessibilityTests
    S3.24 | reused cells | tested | library | RandomPageTests
    S3.25 | images | does not apply: a terminal shows no images | — | PhotosTests
    S3.26 | rows are made as they come into view | tested | library | LiveTests
    S3.27 | an error names what is there | tested | library | does not apply: it is about values of the library, which the page does not see
    S3.28 | thousands of changes at once | tested | library | RandomPageTests
    S3.29 | counts and rows agree after a deletion | tested | library | RandomPageTests
    S3.30 | chained builders | does not apply: rows are values of the list, not built one by one | — | does not apply: it is about values of the library, which the page does not see
    S4.1 | add mode and edit mode | tested | library | FormTests
    S4.2 | whoever owns the form gets the messages | tested | library | does not apply: it is about values of the library, which the page does not see
    S4.3 | fields give labels and order | tested | library | AccessibilityTests
    S4.4 | edit mode begins with the data | tested | library | FormTests
    S4.5 | add mode has placeholders | tested | library | FormTests
    S4.6 | which go and come back | tested | library | does not apply: the browser does it by itself
    S4.7 | or none | tested | library | does not apply: the program decides it, and the page shows what it sends
    S4.8 | and are never saved | tested | library | FormTests
    S4.9 | only the fields that were asked for | tested | library | does not apply: the program decides it, and the page shows what it sends
    S4.10 | the data are copied | tested, but differs: fields that the user has not changed follow the list while the form is open | library | FormTests
    S4.11 | a form without fields | tested | library | does not apply: it is about values of the library, which the page does not see
    S4.12 | the fields come first | tested | library | AccessibilityTests
    S4.13 | Save gives all fields | tested | library | FormTests
    S4.14 | and writes nothing itself | tested | library | FormTests
    S4.15 | Cancel gives nothing | tested, but differs: it asks before it discards what was typed | library | FormTests
    S4.16 | Delete asks | tested | library | FormTests
    S4.17 | yes deletes | tested | library | FormTests
    S4.18 | no goes on | tested | library | FormTests
    S4.19 | one message | tested | library | does not apply: it is about values of the library, which the page does not see
    S4.20 | the form closes whatever is done with it | tested | library | does not apply: it is about values of the library, which the page does not see
    S4.21 | labels are shown | tested | library | AccessibilityTests
    S4.22 | or not | tested | library | does not apply: the page has one form and one list, without such a choice
    S4.23 | Delete in edit mode only | tested | library | FormTests
    S4.24 | or not at all | tested | library | does not apply: the page has one form and one list, without such a choice
    S4.25 | or in add mode too | tested | library | does not apply: the page has one form and one list, without such a choice
    S4.26 | Delete comes after the fields | tested | library | AccessibilityTests
    S4.27 | the strings of the buttons | tested | library | AccessibilityTests
    S4.28 | can be others | tested | library | does not apply: the page has one form and one list, without such a choice
    S4.29 | where the buttons are | tested | terminal | AccessibilityTests
    S4.30 | the title | tested | library | does not apply: the page has one form and one list, without such a choice
    S4.31 | the first field has the focus | tested | library | FormTests
    S4.32 | or another | tested | library | does not apply: the page has one form and one list, without such a choice
    S4.33 | or none | tested | library | does not apply: the page has one form and one list, without such a choice
    S4.34 | long forms scroll | tested | terminal | FormTests
    S4.35 | any field at any time | tested | library | FormTests
    S5.1 | what a customer has | tested | library | does not apply: it is about values of the library, which the page does not see
    S5.2 | one row for each customer | tested | library | ArithmeticTests
    S5.3 | the title is the name | tested | library | AccessibilityTests
    S5.4 | rows are read as they appear | tested | library | LiveTests
    S5.5 | the note is the subtitle | tested | library | AccessibilityTests
    S5.6 | never another customer's | tested | library | AccessibilityTests
    S5.7 | set up when first shown | tested | library | does not apply: it is about values of the library, which the page does not see
    S5.9 | a row opens its customer | tested | library | FormTests
    S5.10 | with its fields | tested | library | FormTests
    S5.11 | the first field has the focus | tested | library | FormTests
    S5.12 | Next goes around | tested | library | StatementTests
    S5.13 | what the return key reads | tested | terminal | StatementTests
    S5.14 | Save writes | tested | library | FormTests
    S5.15 | the list shows it | tested | library | FormTests
    S5.16 | back without Save changes nothing | tested | library | FormTests
    S5.17 | nothing changed, nothing reloaded | tested | library | does not apply: it is about values of the library, which the page does not see
    S5.18 | titles and the way back | tested | terminal | does not apply: the page has one form and one list, without such a choice
    S5.19 | edit mode shows controls | tested | library | AccessibilityTests
    S5.20 | without a way to delete nothing is deleted | tested | library | LiveTests
    S5.21 | the Edit button toggles | tested | library | DeletingTests
    S5.22 | what turns the swipe on | tested | library | does not apply: the program decides it, and the page shows what it sends
    S5.23 | a deletion step by step | tested | library | DeletingTests
    S5.24 | what turns handles on | tested | library | AccessibilityTests
    S5.25 | dragging shows the row moving | tested | library | MovingTests
    S5.26 | a move is out and in | tested | library | MovingTests
    S5.27 | a reload shows the list | tested | library | does not apply: it is about values of the library, which the page does not see
    S5.28 | a move lasts | tested | library | FormTests
    S5.29 | also after a restart | tested | library | KilledServerTests; differs: the order is kept
    S5.30 | the row that adds | tested | library | AccessibilityTests
    S5.31 | counts with it | tested | library | DeletingTests
    S5.32 | a swipe out of edit mode | tested | library | DeletingTests
    S5.33 | edit mode is off at first | tested | library | AccessibilityTests
    S5.34 | a new customer comes above the row that adds | tested | library | FormTests
    S5.35 | styles | tested | library | StatementTests
    S5.36 | what can be moved | tested | library | AccessibilityTests
    S5.37 | where a drop goes | tested | library | MovingTests
    S5.38 | those added stay | tested | library | DeletingTests
    S5.39 | the state change adds the row | tested | library | does not apply: it is about values of the library, which the page does not see
    S5.40 | the row that adds holds nothing | tested | library | DeletingTests
    S5.41 | adding by the form | tested | library | FormTests
    S5.42 | an empty list | tested | library | FormTests
    S5.43 | favorites | tested | library | StatementTests
    S5.44 | the hint for an empty note | tested | library | does not apply: as in the terminal, the program shows no hint
    S5.45 | a reused cell | tested | library | RandomPageTests
    S5.46 | nothing overlaps | tested | terminal | does not apply: it is about a picture of the phone
    S5.47 | row heights | tested | library | does not apply: it is about a picture of the phone
    S5.48 | a resize | tested | library | does not apply: it is about a picture of the phone
    S5.49 | several sections | tested | library | AccessibilityTests
    S5.50 | a declarative form | tested | library | FormTests
    """
}
