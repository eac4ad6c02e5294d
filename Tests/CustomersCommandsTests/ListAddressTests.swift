@testable import CustomersCommands
import CustomersSystem
import CustomerStore
import CustomersTestSupport
import Testing

/// Where a list is, and how a run that another one starts knows it.
@Suite(.onThreads) struct ListAddressTests {
  /// A context with these variables, whose lists can't be opened: the error is the address.
  private func context(_ environment: [String: String] = [:]) -> Context {
    var context = Context(
      environment: environment, input: StandardInput(.standardInput),
      output: CustomersCommands.Stream(TextSink()),
      errors: CustomersCommands.Stream(TextSink()))
    context.openStore = { address, _ in throw Opened(address: address) }
    return context
  }

  private struct Opened: Error, Equatable {
    var address: ListAddress
  }

  private struct Unexpected: Error {}

  @Test func `a string is a file unless it begins like another address`() throws {
    for text in ["list", "/a b", ":memory:", "ssh:/x", "dqlite:x", "./ssh://a/b", "~/x"] {
      #expect(try ListAddress(text) == .file(text))
    }
    guard case .ssh(let machine) = try ListAddress("ssh://ann@far:22/~/x") else { throw Unexpected() }
    #expect(machine.host == "far" && machine.path == "/~/x")
    guard case .cluster(let cluster) = try ListAddress("dqlite://127.0.0.1:1/x") else { throw Unexpected() }
    #expect("\(cluster)" == "dqlite://127.0.0.1:1/x")
    for text in ["ssh://far", "ssh://-o/x", "dqlite://", "dqlite://far/x"] {
      #expect(throws: Failure.self, "\(text)") { try ListAddress(text) }
    }
  }

  @Test func `a request names a file of this machine, and the runs that it starts keep it`() throws {
    var here = context()
    here.environment["HOME"] = "/home"
    let request = try RemoteRequest(served: [], list: "ssh://far/~/list")
    let served = here.serving(request, from: nil, try Offer(["--any"]))
    let list = try ChosenList(Invocation(), in: served)
    #expect(list.address == .file("/home/list") && list.name == "ssh://far/home/list")
    let started = served.starting(on: list).starting(on: list)
    #expect(try ChosenList(Invocation(), in: started).address == list.address)
    let session = Session(in: started)
    #expect(throws: Opened(address: list.address)) { try session.openList(creating: false) }
    #expect(session.storeOptionsTimeout == .seconds(10))
  }

  @Test func `a run started by one on a cluster opens that cluster`() throws {
    let text = "dqlite://127.0.0.1:1/x"
    let first = Session(in: context(["CUSTOMERS_DB": text]))
    let started = try Session(in: first.context.starting(on: first.list))
    #expect(throws: Opened(address: try ListAddress(text))) { try started.openList(creating: true) }
    #expect(started.storeOptionsTimeout == .seconds(30))
  }
}

extension Session {
  /// How long the list is waited for.
  fileprivate var storeOptionsTimeout: Duration? { try? storeOptions(creating: false).busyTimeout }
}
