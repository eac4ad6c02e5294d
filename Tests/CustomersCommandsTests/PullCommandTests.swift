import CustomersTestSupport
import Foundation
import Testing

/// `customers pull`.
@Suite(.onThreads) struct PullCommandTests {
  @Test(arguments: try Transcript.sessions("Pull"))
  func session(_ transcript: Transcript) throws { try transcript.replay() }
}
