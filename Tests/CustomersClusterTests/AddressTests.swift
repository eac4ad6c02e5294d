import CustomersCluster
import Testing

@Suite struct AddressTests {
  @Test func `the address of a cluster has nodes and a database`() throws {
    let address = try #require(ClusterAddress("dqlite://10.0.0.1:9001,localhost:9002/customers"))
    #expect(address.nodes.map(\.description) == ["10.0.0.1:9001", "127.0.0.1:9002"])
    #expect(address.database == "customers")
    #expect(address.description == "dqlite://10.0.0.1:9001,127.0.0.1:9002/customers")
  }

  @Test(arguments: [
    "", "customers", "dqlite://", "dqlite:///customers", "dqlite://10.0.0.1/customers",
    "dqlite://10.0.0.1:9001",
    "dqlite://10.0.0.1:9001/", "dqlite://10.0.0.1:0/c", "dqlite://10.0.0.1:99999/c",
    "dqlite://example.com:1/c",
    "dqlite://10.0.0.1:1,/c", "dqlite://10.0.0.1:1/a/b", "dqlite://10.0.0.1:1/a b", "ssh://10.0.0.1:1/c",
  ])
  func `other text is not the address of a cluster`(text: String) { #expect(ClusterAddress(text) == nil) }
}
