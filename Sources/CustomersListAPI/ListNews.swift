internal import CustomerStore
internal import CustomersFormats
internal import Synchronization

/// The streams of events: one look at the list for all of them, and none while there is no reader.
final class ListNews: Sendable {
  private struct Reader {
    var page: String?
    var stream: AsyncStream<APIEvent>.Continuation
  }

  private struct State {
    var readers: [Int: Reader] = [:]
    var lastNumber = 0
    /// What follows the list; nil without readers.
    var task: Task<Void, Never>?
    /// The version that the readers know; nil until the list was read.
    var version: ListVersion?
    /// Why the list can't be read.
    var trouble: String?
  }

  /// The most events that wait for a slow reader: the latest say what there is to read.
  private static let bufferLimit = 16

  private let list: OpenList
  private let made: MadeSteps
  private let hello: @Sendable (ListVersion) -> APIEvent
  private let state = Mutex(State())

  init(of list: OpenList, made: MadeSteps, hello: @escaping @Sendable (ListVersion) -> APIEvent) {
    (self.list, self.made, self.hello) = (list, made, hello)
  }

  /// A stream from now on; an earlier one of the same page ends.
  func events(page: String?) -> AsyncStream<APIEvent> {
    let (events, stream) = AsyncStream.makeStream(
      of: APIEvent.self, bufferingPolicy: .bufferingNewest(Self.bufferLimit))
    let (number, old) = state.withLock { state in
      let old = page.flatMap { page in state.readers.values.filter { $0.page == page }.map(\.stream) } ?? []
      state.lastNumber += 1
      state.readers[state.lastNumber] = Reader(page: page, stream: stream)
      if let version = state.version { stream.yield(hello(version)) }
      if let trouble = state.trouble { stream.yield(.trouble(trouble)) }
      if state.task == nil { state.task = Task { [weak self] in await Self.follow { self } } }
      return (state.lastNumber, old)
    }
    stream.onTermination = { [weak self] _ in self?.remove(number) }
    for stream in old { stream.finish() }
    return events
  }

  private func remove(_ number: Int) {
    state.withLock { state in
      state.readers[number] = nil
      guard state.readers.isEmpty else { return }
      state.task?.cancel()
      (state.task, state.version, state.trouble) = (nil, nil, nil)
    }
  }

  /// Looks at the list again and again, as long as the news exist.
  private static func follow(_ news: () -> ListNews?) async {
    guard let list = news()?.list, let made = news()?.made else { return }
    var look = NewsLook(list, made)
    while !Task.isCancelled {
      var result = NewsLook.Result.nothing
      if look.isSlow {
        // Swift's shared threads are few; none of them waits for a cluster.
        (look, result) = await LongWork.onOwnThread { [look] in
          var next = look
          let result = next.look()
          return (next, result)
        }
      } else {
        result = look.look()
      }
      guard let news = news() else { return }
      news.publish(result)
      try? await Task.sleep(for: look.pause)
    }
  }

  /// Sends what was found to all readers; nothing if the reading has ended.
  private func publish(_ result: NewsLook.Result) {
    state.withLock { state in
      guard !Task.isCancelled else { return }
      func send(_ event: APIEvent) { for reader in state.readers.values { reader.stream.yield(event) } }
      switch result {
      case .nothing: return
      case .trouble(let message):
        if state.trouble != message { send(.trouble(message)) }
        state.trouble = message
        return
      case .well: break
      case .start(let version):
        send(state.version == nil ? hello(version) : .reload(version))
        state.version = version
      case .edit(let version, let steps):
        send(.edit(version, steps))
        state.version = version
      }
      if state.trouble != nil { send(.well) }
      state.trouble = nil
    }
  }
}
