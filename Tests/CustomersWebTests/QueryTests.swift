import CustomerFixtures
import CustomersTestSupport
import Testing

@testable import CustomersWeb

@Suite(.onThreads) struct QueryTests {
  @Test func `names and values are unescaped`() {
    #expect(TargetQuery.read("/a?b=1&c=%C3%A4+x&d&e=1=2") == ["b": "1", "c": "ä x", "d": "", "e": "1=2"])
    #expect(TargetQuery.read("/a") == [:] && TargetQuery.read("/a?") == [:])
  }

  @Test(arguments: ["/a?b=%", "/a?b=%4", "/a?b=%+1", "/a?b=%zz", "/a?b=%ff", "/a?b=1&b=2"])
  func `a wrong escape, a text that is not UTF-8, and a second value are refused`(target: String) {
    #expect(TargetQuery.read(target) == nil)
  }

  @Test(arguments: [
    (["from": "0"], "The parameter from must be a whole number from 1."),
    (["first": "5", "last": "3"], "The parameter last must be a whole number from 5."),
    (["limit": "1001"], "The parameter limit must be a whole number from 0 to 1000."),
  ])
  func `a number beyond its range is refused with the range`(query: [String: String], message: String)
    async throws
  {
    let path = query["first"] == nil ? "rows" : "ids"
    let answer = try await TestAPI("A").v1(path, query)
    #expect(answer.status == 400 && answer.message == message)
  }
}
