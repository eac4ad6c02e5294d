internal import CustomersPlatform
internal import Synchronization

/// What other threads have to say to the thread of the server, which it wakes up.
final class Mailbox: Sendable {
  enum Message: Sendable {
    /// The answer to the request of a connection, by its number.
    case answer(Int, Response)
    /// Bytes for all streams, and what later ones get first.
    case news([UInt8], greeting: [UInt8])
    /// No more news come from the task that followed them.
    case endOfNews
    /// The server must stop.
    case stop
  }

  /// A descriptor that is readable while there are messages; -1 if the system had none left.
  let descriptor: Int32
  private let wakingEnd: Int32
  private let messages = Mutex<[Message]>([])

  init() {
    var ends: [Int32] = [-1, -1]
    unsafe pipe(&ends)
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    (descriptor, wakingEnd) = (ends[0], ends[1])
  }

  deinit {
    close(descriptor)
    close(wakingEnd)
  }

  func post(_ message: Message) {
    let wasEmpty = messages.withLock { messages in
      defer { messages.append(message) }
      return messages.isEmpty
    }
    if wasEmpty { _ = unsafe write(wakingEnd, [1], 1) }
  }

  /// The messages since the last call, in their order.
  func take() -> [Message] {
    // First the pipe: a message after that is either among these or wakes up again.
    var bytes = [UInt8](repeating: 0, count: 16)
    while unsafe read(descriptor, &bytes, bytes.count) > 0 {}
    return messages.withLock { messages in
      defer { messages = [] }
      return messages
    }
  }
}
