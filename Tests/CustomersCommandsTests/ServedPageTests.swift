@testable import CustomersCommands
import CustomersSystem
import CustomersWeb
import CustomersTestSupport
import Synchronization
import Testing

/// What the machine of the list answers to the page of another machine.
@Suite(.onThreads) struct ServedPageTests {
  /// A list in which nothing happens.
  private final class QuietList: ListService {
    /// How many follow it now.
    let follows = Mutex(0)

    func answer(_ request: APIRequest) async -> APIAnswer {
      // Longer than any message.
      let size = request.path == "/v1/form" ? 1 << 25 : 2
      return APIAnswer(status: 200, body: Array(repeating: UInt8(ascii: " "), count: size))
    }

    func follow(_ report: @Sendable (APIEvent) async -> Void) async {
      follows.withLock { $0 += 1 }
      await report(APIEvent(name: "hello", data: "{}"))
      try? await Task.sleep(for: .seconds(3600))
      follows.withLock { $0 -= 1 }
    }
  }

  private let list = QuietList()
  private let page: ServedPage
  private let messages: Channel

  init() throws {
    var ends: [Int32] = [0, 0]
    try #require(unsafe pipe(&ends) == 0)
    let (input, output) = (FileDescriptor(rawValue: ends[0]), FileDescriptor(rawValue: ends[1]))
    page = try ServedPage(list, on: Channel(input: input, output: output))
    messages = Channel(input: input, output: output)
    _ = try messages.receive()
  }

  private func ask(_ path: String, _ number: Int) throws {
    try page.take(Message(APIRequest(method: "GET", path: path), number: number))
  }

  private func nextAnswer() async throws -> (number: Int, answer: APIAnswer) {
    try await onOwnThread { [messages] in try #require(try messages.receive()).pageAnswer }
  }

  private func expectStreams(_ count: Int) async {
    while list.follows.withLock(\.self) != count { await Task.yield() }
  }

  @Test func `a stream that begins ends the one before, and everything else goes on`() async throws {
    for number in 1...20 {
      try ask(ListElsewhere.events, number)
      let (stream, answer) = try await nextAnswer()
      #expect(stream == number && APIEvent(answer) == APIEvent(name: "hello", data: "{}"))
      await expectStreams(1)
    }
    try ask("/v1/rows", 1001)
    let answer = try await nextAnswer()
    #expect(answer.number == 1001 && answer.answer.status == 200)
    try ask(ListElsewhere.endOfEvents, 20)
    await expectStreams(0)
    try ask(ListElsewhere.endOfEvents, 20)
    try ask(ListElsewhere.events, 1002)
    #expect(try await nextAnswer().number == 1002)
  }

  @Test func `an answer that is too long to be sent is refused, not lost`() async throws {
    try ask("/v1/form", 1)
    let answer = try await nextAnswer()
    #expect(answer.number == 1 && answer.answer.status == 413)
    #expect(String(decoding: answer.answer.body, as: UTF8.self).contains("too long to be sent"))
    // In a stream, the pages read the list again.
    #expect(APIEvent(answer.answer) == APIEvent(name: "reload", data: "{}"))
  }

  @Test(arguments: ["", "edit", "edit\n", "edit\n[]", "edit\n{", "shout\n{}", "edit\r\nX: 1\n{}"])
  func `what is no event lets pages read the list again`(body: String) {
    let event = APIEvent(APIAnswer(status: 200, type: .events, body: Array(body.utf8)))
    #expect(event == APIEvent(name: "reload", data: "{}"))
  }
}
