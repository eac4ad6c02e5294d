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
}
