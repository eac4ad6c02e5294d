internal import CustomersTestSupport
internal import Foundation
internal import Synchronization

/// The calls that wait for an answer of a browser, which names each by its number.
final class Calls: Sendable {
  private struct State {
    var last = 0
    var waiting: [Int: CheckedContinuation<Data, any Error>] = [:]
    var listeners: [String: @Sendable (String, Data) -> Void] = [:]
    var hasEnded = false
  }

  private let state = Mutex(State())

  /// Calls a method.
  ///
  /// - Parameters:
  ///   - message: the method and its parameters; the number is added.
  ///   - send: sends bytes; one call after the other.
  /// - Returns: the result.
  /// - Throws: `BrowserFailure`; after `longestWait` without an answer, too, because the page may wait forever.
  func call(_ message: [String: any Sendable], send: @escaping @Sendable (Data) -> Void) async throws
    -> [String: Any]
  {
    let data = try await withCheckedThrowingContinuation { continuation in
      let isSent = state.withLock { state in
        guard !state.hasEnded else { return false }
        state.last += 1
        state.waiting[state.last] = continuation
        let (number, method) = (state.last, "\(message["method"] ?? "")")
        DispatchQueue.global().asyncAfter(deadline: .latest) { [weak self] in
          self?.state.withLock { $0.waiting.removeValue(forKey: number) }?
            .resume(throwing: BrowserFailure("\(method): no answer within \(longestWait)"))
        }
        let numbered = message.merging(["id": number]) { $1 }
        send((try? JSONSerialization.data(withJSONObject: numbered)) ?? Data())
        return true
      }
      if !isSent { continuation.resume(throwing: BrowserFailure("the browser has ended")) }
    }
    let answer = try Self.object(data)
    if let error = answer["error"] {
      throw BrowserFailure("\(message["method"] ?? ""): \(error) \(answer["message"] ?? "")")
    }
    return answer["result"] as? [String: Any] ?? [:]
  }

  /// Calls `body` with the name and the message of each event of a tab, on the thread that reads.
  func listen(to tab: String, _ body: (@Sendable (String, Data) -> Void)?) {
    state.withLock { $0.listeners[tab] = body }
  }

  /// Takes what the browser has sent.
  ///
  /// - Parameters:
  ///   - data: an answer or an event.
  ///   - tab: finds the tab of an event.
  func take(_ data: Data, tab: ([String: Any]) -> String?) {
    guard let message = try? Self.object(data) else { return }
    if let number = message["id"] as? Int {
      state.withLock { $0.waiting.removeValue(forKey: number) }?.resume(returning: data)
    } else if let tab = tab(message), let method = message["method"] as? String {
      state.withLock { $0.listeners[tab] }?(method, data)
    }
  }

  /// No answer comes any more.
  func end() {
    let waiting = state.withLock { state in
      state.hasEnded = true
      defer { state.waiting = [:] }
      return state.waiting.values
    }
    for continuation in waiting { continuation.resume(throwing: BrowserFailure("the browser has ended")) }
  }

  static func object(_ data: Data) throws -> [String: Any] {
    try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
  }
}
