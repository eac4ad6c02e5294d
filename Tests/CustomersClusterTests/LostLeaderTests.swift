@testable import CustomersCluster
import CustomersSQLite
import CustomersTestSupport
import Testing

/// What a client says about a leader that fails in the middle of a request.
@Suite(.onThreads) struct LostLeaderTests {
  @Test(arguments: [(7, "no more rows available"), (10, "disk I/O error"), (1, "no more rows available")])
  func `a leader that is lost is not reported as a disk or as rows`(code: Int32, message: String) {
    let error = SQLiteError(code: ResultCode(rawValue: code), message: message)
    let node = NodeAddress("10.0.0.1:9001")
    #expect(error.ofLostLeader(node) == "the node at 10.0.0.1:9001 no longer leads the cluster")
  }

  @Test func `a node without memory is reported`() {
    let error = SQLiteError(code: ResultCode(rawValue: 7), message: "out of memory")
    #expect(error.ofLostLeader(nil) == "the node reported: out of memory")
  }
}
