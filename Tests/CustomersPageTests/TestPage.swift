internal import CustomerFixtures
internal import CustomerStore
internal import CustomersBrowser
internal import CustomersHTTP
internal import CustomersWeb
internal import CustomersTerminal
internal import Foundation
internal import Synchronization
internal import Testing

/// The page of a list in a browser, with the list at hand.
struct TestPage: Sendable {
  let tab: Tab
  let list: TemporaryStore
  let server: TestServer

  /// The names in the list, section by section.
  func stored() throws -> [[String]] {
    try list.store.read { try SampleList($0) }.sections.map { $0.customers.map(\.name) }
  }

  /// The ids in the list, in order.
  func ids() throws -> [Int] {
    try list.store.read { list in try list.sections().flatMap { try list.ids(in: $0.id) } }
      .map { Int($0.rawValue) }
  }

  /// Edits the list as another program would.
  func edit(_ body: @escaping @Sendable (inout CustomerList) throws -> Void) throws {
    try CustomerStore(path: list.path).write { try body(&$0) }
  }

  /// The names on the screen, in the order of their numbers, as JavaScript.
  static let names = """
    [...document.querySelectorAll('.row')].sort((a, b) => a.row - b.row).map((e) => e.querySelector('b').textContent)
    """

  /// The row that shows a name, as JavaScript, or a part of it.
  func row(_ name: String, _ part: String = "") -> String {
    let row =
      "[...document.querySelectorAll('.row')].find((e) => e.querySelector('b').textContent === '\(name)')"
    return part.isEmpty ? row : "\(row).querySelector('\(part)')"
  }

  func id(_ id: String) -> String { "document.getElementById('\(id)')" }

  /// Waits until each edit of the page has its answer.
  ///
  /// A row that was dropped stays in the hand for a while only, so that it is nowhere held does not say that it was
  /// moved.
  func settle() async throws {
    try await tab.wait(until: "!document.body.matches('.waiting')")
  }

  /// Waits until the page shows these names, and the list has them; and until the page waits for no answer, beside which it
  /// begins no other edit on a busy machine.
  func expect(_ names: [String], sourceLocation: SourceLocation = #_sourceLocation) async throws {
    let wanted = String(decoding: try JSONEncoder().encode(names), as: UTF8.self)
    try await tab.wait(
      until:
        "!document.querySelector('.held, body.waiting') && JSON.stringify(\(Self.names)) === JSON.stringify(\(wanted))"
    )
    #expect(try stored().flatMap(\.self) == names, sourceLocation: sourceLocation)
  }

  /// Waits until each row on the screen shows the name that it has in the list.
  func expectScreen(_ names: [String]) async throws {
    let wanted = String(decoding: try JSONEncoder().encode(names), as: UTF8.self)
    try await tab.wait(
      until: """
        document.querySelectorAll('.row').length && [...document.querySelectorAll('.row')].every((e) =>
          \(wanted)[e.row] === e.querySelector('b').textContent)
        """)
  }

  /// Waits for a text in the line of news.
  func hear(_ text: String) async throws {
    let quoted = String(decoding: try JSONEncoder().encode(text), as: UTF8.self)
    try await tab.wait(until: "document.querySelector('footer p').textContent.includes(\(quoted))")
  }

  /// Keeps timers of this many milliseconds from ending until the page is loaded again.
  ///
  /// On a busy machine a gesture or an answer may take longer than the page waits for it.
  func freezeTimers(of milliseconds: Int) async throws {
    try await tab.run(
      "((after) => self.setTimeout = (work, time, ...more) => time === \(milliseconds) || after(work, time, ...more))(self.setTimeout)"
    )
  }

  /// Names that modules of the page define, as JavaScript: the page keeps them to itself.
  static func names(_ names: String, of modules: String...) throws -> String {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Sources/CCustomersFiles/page")
    let source = try modules.map { module in
      try String(contentsOf: folder.appending(path: "\(module).js"), encoding: .utf8)
        .replacing(#/(?m)^import .*$/#, with: "").replacing(#/(?m)^export /#, with: "")
    }
    return "(() => {\n\(source.joined(separator: "\n"))\nreturn { \(names) } })()"
  }

  /// Drops a file on the page.
  func drop(_ name: String, _ text: String) async throws { try await drop(name, Array(text.utf8)) }

  /// Drops a file on the page.
  func drop(_ name: String, _ bytes: [UInt8]) async throws {
    let quoted = "Uint8Array.from(atob('\(Data(bytes).base64EncodedString())'), (c) => c.charCodeAt())"
    try await tab.run(
      """
      (() => { const data = new DataTransfer()
        data.items.add(new File([\(quoted)], '\(name)'))
        for (const kind of ['dragover', 'drop']) document.body.dispatchEvent(
          new DragEvent(kind, {dataTransfer: data, bubbles: true, cancelable: true})) })()
      """)
  }

  /// The id of what has the focus.
  func focus() async throws -> String {
    try await tab.value("document.activeElement.id || document.activeElement.dataset.do")
  }

  /// Chooses an item of the menu that is open.
  func choose(_ item: String) async throws {
    try await tab.click(
      "[...document.querySelectorAll('#menu button')].find((e) => e.textContent === '\(item)')")
  }

  /// Chooses an item of the list's menu, and an option in the question that it asks.
  func choose(_ item: String, answering option: String, isTouched: Bool = false) async throws {
    let press = { (element: String) in
      if isTouched { try await tab.tap(element) } else { try await tab.click(element) }
    }
    try await press(id("more"))
    try await choose(item)
    try await tab.wait(until: "document.getElementById('ask').open")
    try await tab.run("document.querySelector('#answer select').value = '\(option)'")
    try await press(id("yes"))
  }

  func isOpen(_ dialog: String) async throws -> Bool { try await tab.value("\(id(dialog)).open") }
}

/// A server of a list in this process.
final class TestServer: Sendable {
  static let token = "0123456789abcdef0123456789abcdef"

  let url: String
  let port: UInt16
  /// The title of the page, once it has news; a key for a part does not know the name of the list.
  let title: String
  private let server: HTTPServer

  init(
    _ store: CustomerStore, port: UInt16 = 0, build: String = "1", isReadOnly: Bool = false,
    part: (ListAPI, CustomerStore) throws -> any ListService = { api, _ in api }
  ) throws {
    let (listeners, port) = try Listener.loopback(port: port)
    self.port = port
    url = "http://localhost:\(port)/#\(Self.token)"
    let api = ListAPI(
      store: store, isReadOnly: isReadOnly, program: "0", build: build, listName: "customers.sqlite",
      policy: TableFace.policy(isReadOnly: isReadOnly))
    let service = try part(api, store)
    title = service is ListAPI ? "customers.sqlite" : "Customers"
    server = HTTPServer(
      of: service, on: listeners, hosts: PageHosts(port: port, names: []), token: Self.token)
    Thread.detachNewThread { [server] in server.run() }
  }

  func stop() { server.stop() }
}

/// At most a few pages at once: each needs a process of the browser.
private actor Gate {
  static let shared = Gate()
  private var free = Tab.limit
  private var waiting: [CheckedContinuation<Void, Never>] = []

  func enter() async {
    if free > 0 { free -= 1 } else { await withCheckedContinuation { waiting.append($0) } }
  }

  func leave() { if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() } }
}

/// Shows a list in a tab of its own; afterward there must be no error and no violation of the page's policy.
func withPage(
  _ sample: SampleList, _ screen: Tab.Screen = .desk, isReadOnly: Bool = false,
  prepare: @escaping @Sendable (inout CustomerList) throws -> Void = { _ in },
  part: (ListAPI, CustomerStore) throws -> any ListService = { api, _ in api },
  sourceLocation: SourceLocation = #_sourceLocation,
  _ body: (TestPage) async throws -> Void
) async throws {
  await Gate.shared.enter()
  defer { Task { await Gate.shared.leave() } }
  let list = try TemporaryStore(sample)
  try await list.store.write { try prepare(&$0) }
  var options = CustomerStore.Options()
  options.whileWaiting = { _ in true }
  let server = try TestServer(
    try CustomerStore(path: list.path, options: options), isReadOnly: isReadOnly, part: part)
  defer { server.stop() }
  let tab = try await Tab(server.url, screen)
  let page = TestPage(tab: tab, list: list, server: server)
  do {
    // The rows are shown, and the stream of news is connected.
    try await tab.wait(
      until:
        "(document.getElementById('count').textContent || document.body.matches('.adding')) && document.title === '\(server.title)'"
    )
    try await body(page)
  } catch {
    Issue.record(error, sourceLocation: sourceLocation)
  }
  #expect(tab.problems == [], sourceLocation: sourceLocation)
  // axe-core itself may do what the policy of the page forbids, so it comes last.
  for problem in try await tab.inaccessible() { Issue.record("\(problem)", sourceLocation: sourceLocation) }
  try await tab.close()
}
