import CustomersCluster
import CustomersSQLite
import CustomersTestSupport
import Testing

@Suite(.onThreads) struct AddressTests {
  @Test func `the address of a cluster has nodes and a database`() throws {
    let address = try #require(ClusterAddress("dqlite://10.0.0.1:9001,localhost:9002/customers"))
    #expect(address.nodes.map(\.description) == ["10.0.0.1:9001", "127.0.0.1:9002"])
    #expect(address.database == "customers")
    #expect(address.description == "dqlite://10.0.0.1:9001,127.0.0.1:9002/customers")
  }

  @Test(arguments: ["[::1]:9001", "[fd00::1]:9001", "node-1.example.com:9001", "a:1"])
  func `a node has a name or an IPv6 address`(text: String) throws {
    #expect(try #require(NodeAddress(text)).description == text)
  }

  @Test(arguments: [
    ("127.0.0.9", true, true), ("10.1.2.3", false, true), ("172.32.0.1", false, false),
    ("8.8.8.8", false, false),
    ("[::1]", true, true), ("[fd00::1]", false, true), ("[2001:db8::1]", false, false),
  ])
  func `an address is of this machine, private, or public`(host: String, isLoopback: Bool, isPrivate: Bool)
    throws
  {
    let address = try SocketAddress(#require(NodeAddress("\(host):1")))
    #expect(address.isLoopback == isLoopback && address.isPrivate == isPrivate)
  }

  @Test func `a client connects by IPv6`() throws {
    let error = #expect(throws: SQLiteError.self) { try DqliteConnection(#require(NodeAddress("[::1]:1"))) }
    #expect(error?.message == "[::1]:1: Connection refused")
    #expect(try SocketAddress(#require(NodeAddress("[fd00::1]:1"))).text(port: 1) == "[fd00:0:0:0:0:0:0:1]:1")
  }

  @Test func `a name that can't be resolved is reported`() throws {
    let error = #expect(throws: SQLiteError.self) {
      try DqliteConnection(#require(NodeAddress("no-such-machine.invalid:9001")))
    }
    #expect(error?.message.hasPrefix("can't find no-such-machine.invalid: ") == true)
  }

  @Test(arguments: [
    "", "customers", "dqlite://", "dqlite:///customers", "dqlite://10.0.0.1/customers",
    "dqlite://10.0.0.1:9001",
    "dqlite://10.0.0.1:9001/", "dqlite://10.0.0.1:0/c", "dqlite://10.0.0.1:99999/c",
    "dqlite://10.0.0:1/c", "dqlite://10.0.0.256:1/c", "dqlite://-a.example:1/c", "dqlite://a..b:1/c",
    "dqlite://::1:9001/c", "dqlite://[::1/c", "dqlite://[::1]/c", "dqlite://[10.0.0.1]:1/c",
    "dqlite://[::g]:1/c",
    "dqlite://10.0.0.1:1,/c", "dqlite://10.0.0.1:1/a/b", "dqlite://10.0.0.1:1/a b", "ssh://10.0.0.1:1/c",
  ])
  func `other text is not the address of a cluster`(text: String) { #expect(ClusterAddress(text) == nil) }
}
