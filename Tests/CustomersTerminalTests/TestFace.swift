import CustomerFixtures
import CustomerStore
import CustomerTable
@testable import CustomersTerminal
import Testing

/// A table on a screen, with simulated keys and mouse events.
struct TestFace {
  let store: CustomerStore
  var face: TableFace
  private(set) var requests: [TableFace.Request] = []
  private var now = ContinuousClock.now

  init(
    _ sample: SampleList, columns: Int = 80, rows: Int = 24, policy: EditingPolicy = TableFace.policy(),
    colors: Bool = true
  ) throws {
    self.init(
      try CustomerStore.inMemory(sample), columns: columns, rows: rows, policy: policy, colors: colors)
  }

  init(
    _ store: CustomerStore, columns: Int = 80, rows: Int = 24, policy: EditingPolicy = TableFace.policy(),
    colors: Bool = true
  ) {
    self.store = store
    face = TableFace(
      TableSession(store, policy: policy), options: .init(fileName: "customers.sqlite", colors: colors))
    face.resize(columns: columns, rows: rows)
    tick()
  }

  var state: TableState { face.state }

  /// Advances the clock.
  mutating func tick(_ duration: Duration = .zero) {
    now += duration
    repeat { face.tick(at: now) } while face.hasWork
  }

  /// Presses keys, named as in the help and separated by spaces.
  mutating func press(_ keys: String, sourceLocation: SourceLocation = #_sourceLocation) {
    for name in keys.split(separator: " ").map(String.init) {
      guard let press = KeyPress(named: name) else {
        Issue.record("no key is called \(name)", sourceLocation: sourceLocation)
        continue
      }
      send(.key(press))
    }
  }

  /// Types a string.
  mutating func type(_ text: String) {
    for scalar in text.unicodeScalars { send(.key(KeyPress(.character(scalar)))) }
  }

  mutating func send(_ event: InputEvent) {
    requests += face.handle([event], at: now)
    while face.hasWork { face.tick(at: now) }
  }

  /// Sends an event of the left button over a cell.
  mutating func mouse(_ action: MouseEvent.Action, _ column: Int, _ row: Int) {
    send(.mouse(MouseEvent(action, button: 1, column: column, row: row)))
  }

  mutating func click(_ column: Int, _ row: Int) {
    mouse(.press, column, row)
    mouse(.release, column, row)
  }

  /// Clicks on a string, which must occur once on the screen.
  mutating func click(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let row = try #require(lines.firstIndex { $0.contains(text) }, "\(text)", sourceLocation: sourceLocation)
    let cells = screen.row(row).map(\.text)
    let column = cells.indices.first { cells[$0...].joined().hasPrefix(text) }
    click(try #require(column, sourceLocation: sourceLocation) - cells.startIndex, row)
  }

  /// Makes an edit as another program and lets the table read it.
  mutating func other(_ edit: (inout CustomerList) throws -> Void) throws {
    try store.write(action: "edit", edit)
    tick()
  }

  var screen: ScreenBuffer { face.draw() }

  /// The rows of the screen as text.
  var lines: [String] {
    let screen = screen
    return (0..<screen.rows).map { screen.text(row: $0) }
  }

  /// The list in the file, as one line.
  var list: String {
    get throws { try store.read { list in try SampleList(list).text } }
  }
}

extension SampleList {
  /// The sample list of the screens: names, subtitles, and signs of every kind.
  static let screens: SampleList = {
    func customer(_ name: String, company: String = "", email: String = "", note: String = "")
      -> CustomerFields
    {
      var fields = CustomerFields(name: name)
      (fields.company, fields.email, fields.note) = (company, email, note)
      return fields
    }
    var list = SampleList(sections: [
      Section(
        title: "Customers",
        customers: [
          customer("Elizabeth Bennet", company: "Longbourn Books", note: "walks everywhere"),
          customer("Zoë Müller", company: "Müller & Töchter", note: "met at the fair"),
          customer("Sherlock Holmes", email: "sherlock@bakerstreet.example", note: "knock twice"),
          customer("山田 太郎", company: "山田商店", note: "返事は日本語で"), customer("Bob Ray"),
        ]),
      Section(
        title: "Leads",
        customers: [
          customer("Dorothea Brooke", company: "Middlemarch", email: "dorothea@lowick.example"),
          customer("Ann Lee", note: "asked for the spring list"), customer("Jo March"),
          customer("Nemo 🐙", company: "Nautilus & Co", note: "no fixed address"),
        ]),
    ])
    list.sections[0].customers[0].isFavorite = true
    list.sections[1].customers[1].isFavorite = true
    list.sections[0].customers[2].phone = "+44 20 7224 3688"
    list.sections[0].customers[2].address = "221B Baker Street"
    return list
  }()
}

extension CustomerStore {
  /// Returns the sample list in memory, with a protected row and a section footer.
  static func screens() throws -> CustomerStore {
    let store = try inMemory(.screens)
    try store.write { list in
      try list.renameSection(1, footer: "met in person")
      try list.protect(list.customer(named: "Bob Ray").id, canEdit: false, canMove: false)
      try list.forgetHistory()
    }
    return store
  }
}

extension ScreenBuffer {
  /// The text of a row, without trailing spaces.
  func text(row: Int) -> String {
    let text = self.row(row).map(\.text).joined()
    return String(text.reversed().drop { $0 == " " }.reversed())
  }
}
