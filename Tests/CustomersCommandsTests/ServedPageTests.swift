@testable import CustomersCommands
import CustomersSystem
import CustomersWeb
import CustomersTestSupport
import Testing

/// What the machine of the list answers to the page of another machine.
@Suite(.onThreads) struct ServedPageTests {
  /// A list in which nothing happens.
  private struct QuietList: ListService {
    func answer(_ request: APIRequest) async -> APIAnswer {
      // Longer than any message.
      let size = request.path == "/v1/form" ? 1 << 25 : 2
      return APIAnswer(status: 200, body: Array(repeating: UInt8(ascii: " "), count: size))
    }

    func follow(_ report: @Sendable (APIEvent) async -> Void) async {
      await report(APIEvent(name: "hello", data: "{}"))
      try? await Task.sleep(for: .seconds(3600))
    }
  }

  private let page: ServedPage
  private let messages: Channel

  init() throws {
    var ends: [Int32] = [0, 0]
    try #require(unsafe pipe(&ends) == 0)
    let (input, output) = (FileDescriptor(rawValue: ends[0]), FileDescriptor(rawValue: ends[1]))
    page = ServedPage(QuietList(), on: Channel(input: input, output: output))
    messages = Channel(input: input, output: output)
  }

  private func ask(_ path: String, _ number: Int) throws {
    try page.take(Message(APIRequest(method: "GET", path: path), number: number))
  }

  /// The next event: its stream, and whether it is the end.
  private func nextEvent() async throws -> (number: Int, isEnd: Bool) {
    let (number, event) = try await onOwnThread { [messages] in try #require(try messages.receive()).pageEvent
    }
    return (number, event == nil)
  }

  @Test func `a stream too many ends, and everything else goes on`() async throws {
    for number in 1...ListElsewhere.mostStreams {
      try ask(ListElsewhere.events, number)
      #expect(try await nextEvent() == (number, false))
    }
    try ask(ListElsewhere.events, 1000)
    #expect(try await nextEvent() == (1000, true))
    try ask("/v1/rows", 1001)
    let answer = try await onOwnThread { [messages] in try #require(try messages.receive()).pageAnswer }
    #expect(answer.number == 1001 && answer.answer.status == 200)
    // One that ends makes room.
    try ask(ListElsewhere.endOfEvents, 7)
    #expect(try await nextEvent() == (7, true))
    try ask(ListElsewhere.events, 1002)
    #expect(try await nextEvent() == (1002, false))
  }

  @Test func `an answer that is too long to be sent is refused, not lost`() async throws {
    try ask("/v1/form", 1)
    let answer = try await onOwnThread { [messages] in
      try #require(try messages.receive()).pageAnswer
    }
    #expect(answer.number == 1 && answer.answer.status == 413)
    #expect(String(decoding: answer.answer.body, as: UTF8.self).contains("too long to be sent"))
  }

  @Test func `a number belongs to one stream`() async throws {
    try ask(ListElsewhere.events, 1)
    #expect(try await nextEvent() == (1, false))
    #expect(throws: Message.Malformed.self) { try ask(ListElsewhere.events, 1) }
  }
}
