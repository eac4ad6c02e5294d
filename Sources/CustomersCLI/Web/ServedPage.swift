internal import CustomersListAPI
internal import Dispatch
internal import Synchronization

extension Command {
  /// The command that `customers web` requests on the machine of the list.
  static let page = Command(
    name: "__page", summary: "answer the requests of a page on another machine",
    options: [.optional(WebOptions.readOnly)], need: { _ in .list },
    run: { session in
      guard let caller = session.context.caller else {
        throw Failure(code: .refused, message: "__page is for a program on another machine")
      }
      try caller.answer(with: session.listAPI())
    })
}

/// Answers the requests of a page on another machine.
final class ServedPage: Sendable {
  /// The maximum number of requests that are answered at a time.
  private static let mostRequests = 64

  private let list: any ListService
  private let channel: Channel
  /// The channel waits for its reader, which no thread of a task may do.
  private let sending = DispatchQueue(label: "customers.page")
  private let free = DispatchSemaphore(value: ServedPage.mostRequests)
  private let streams = Mutex<[Int: Task<Void, Never>]>([:])

  init(_ list: any ListService, on channel: Channel) { (self.list, self.channel) = (list, channel) }

  /// Answers a request; waits while there are too many.
  ///
  /// - Throws: `Message.Malformed` for anything else.
  func take(_ message: Message) throws {
    let (number, request) = try message.pageRequest
    switch request.path {
    case ListElsewhere.events: try follow(number, page: request.query["page"])
    case ListElsewhere.endOfEvents: streams.withLock { $0.removeValue(forKey: number) }?.cancel()
    default:
      free.wait()
      Task {
        let answer = Message(await list.answer(request), number: number)
        await send(answer.isShort ? answer : Message(APIAnswer.tooLong, number: number))
        free.signal()
      }
    }
  }

  /// Sends events until the stream ends; a stream too many ends at once.
  ///
  /// - Throws: `Message.Malformed` if another stream has the number.
  private func follow(_ number: Int, page: String?) throws {
    try streams.withLock { streams in
      guard streams[number] == nil else { throw Message.Malformed() }
      guard streams.count < ListElsewhere.mostStreams else {
        Task { await send(Message(nil, number: number)) }
        return
      }
      streams[number] = Task {
        for await event in list.events(page: page) {
          let message = Message(event, number: number)
          await send(
            message.isShort ? message : Message(APIEvent(name: "reload", data: "{}"), number: number))
        }
        await send(Message(nil, number: number))
        _ = self.streams.withLock { $0.removeValue(forKey: number) }
      }
    }
  }

  private func send(_ message: Message) async {
    await withCheckedContinuation { continuation in
      sending.async { [channel] in
        // If the caller is gone, the thread that reads ends the program.
        try? channel.send(message)
        continuation.resume()
      }
    }
  }
}

extension Message {
  fileprivate var isShort: Bool { bytes.count <= kind.longest }
}
