internal import Dispatch
internal import CustomersFiles
internal import CustomersPlatform
internal import Synchronization
internal import CustomersTerminalText

/// The standard error of ssh and of the program that it starts.
///
/// A terminal gets it at once, without what could steer it; otherwise it is kept until the connection succeeds
/// or fails, and passed on afterward.
final class SSHWords: Sendable {
  private struct KeptWords {
    var bytes: [UInt8] = []
    var isPassedOn: Bool
    var text: RemoteText
  }

  private let pipe: Pipe
  private let state: Mutex<KeptWords>
  private let hasEnded = DispatchSemaphore(value: 0)

  init(for context: Context) throws {
    pipe = try Pipe()
    state = Mutex(
      KeptWords(isPassedOn: context.errors.isTerminal, text: RemoteText(context.errors, isText: true)))
    DispatchQueue(label: "customers.ssh").async { [self] in
      while let bytes = try? pipe.reading.read(), !bytes.isEmpty { add(bytes) }
      pipe.reading.close()
      hasEnded.signal()
    }
  }

  /// The descriptor that ssh writes to.
  var writing: Int32 { pipe.writing.rawValue }

  /// Closes this process's copy of the writing end.
  func closeWriting() { pipe.writing.close() }

  /// Passes on the text kept so far and everything after it.
  func passOn() {
    state.withLock { state in
      state.isPassedOn = true
      state.text.write(state.bytes)
      state.bytes = []
    }
  }

  /// Returns the lines that ssh wrote before it ended.
  func collected() -> [String] {
    // A shared connection may keep the pipe open.
    _ = hasEnded.wait(timeout: .now() + .milliseconds(500))
    let bytes = state.withLock(\.bytes)
    return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
      .map { "     " + printable(String($0)) }
  }

  private func add(_ bytes: [UInt8]) {
    state.withLock { state in
      if state.isPassedOn {
        state.text.write(bytes)
      } else {
        state.bytes = Array((state.bytes + bytes).suffix(1 << 14))
      }
    }
  }
}
