internal import CustomersListAPI
internal import Dispatch

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

/// Answers the requests of a page on another machine; one thread gives it the messages.
final class ServedPage {
  /// The maximum number of requests that are answered at a time.
  private static let mostRequests = 64

  private let list: any ListService
  private let sender: Sender
  private let free = DispatchSemaphore(value: ServedPage.mostRequests)
  private var streams: [Int: Task<Void, Never>] = [:]

  init(_ list: any ListService, on channel: Channel) { (self.list, sender) = (list, Sender(channel)) }

  /// Answers a request; waits while there are too many.
  ///
  /// - Throws: `Message.Malformed` for anything else.
  func take(_ message: Message) throws {
    let (number, request) = try message.pageRequest
    switch request.path {
    case ListElsewhere.events: try follow(number)
    case ListElsewhere.endOfEvents: streams.removeValue(forKey: number)?.cancel()
    default:
      free.wait()
      Task { [list, sender, free] in
        let answer = Message(await list.answer(request), number: number)
        await sender.send(answer.isShort ? answer : Message(APIAnswer.tooLong, number: number))
        free.signal()
      }
    }
  }

  /// Sends events until the other side ends the stream; a stream too many ends at once.
  ///
  /// - Throws: `Message.Malformed` if another stream has the number.
  private func follow(_ number: Int) throws {
    guard streams[number] == nil else { throw Message.Malformed() }
    let isTooMany = streams.count >= ListElsewhere.mostStreams
    let task = Task { [list, sender] in
      if !isTooMany {
        await list.follow { event in
          let message = Message(event, number: number)
          await sender.send(
            message.isShort ? message : Message(APIEvent(name: "reload", data: "{}"), number: number))
        }
      }
      await sender.send(Message(nil, number: number))
    }
    if !isTooMany { streams[number] = task }
  }
}

extension ServedPage {
  /// Sends messages one after another.
  private struct Sender: Sendable {
    private let channel: Channel
    /// The channel waits for its reader, which no thread of a task may do.
    private let queue = DispatchQueue(label: "customers.page")

    init(_ channel: Channel) { self.channel = channel }

    func send(_ message: Message) async {
      await withCheckedContinuation { continuation in
        queue.async {
          // If the caller is gone, the thread that reads ends the program.
          try? channel.send(message)
          continuation.resume()
        }
      }
    }
  }
}

extension Message {
  fileprivate var isShort: Bool { bytes.count <= kind.longest }
}
