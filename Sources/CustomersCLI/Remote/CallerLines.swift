internal import CustomersFiles
internal import Synchronization

/// The lines of the caller's standard input when it is a pipe; all are transferred when the first is read.
final class CallerLines: Sendable {
  private let caller: Caller
  private let rest = Mutex<ArraySlice<UInt8>?>(nil)

  init(_ caller: Caller) { self.caller = caller }

  var input: StandardInput { StandardInput(isTerminal: false) { [self] in line() } }

  private func line() -> String? {
    rest.withLock { rest in
      var bytes = rest ?? all()[...]
      defer { rest = bytes }
      guard !bytes.isEmpty else { return nil }
      let line = bytes.prefix { $0 != UInt8(ascii: "\n") }
      bytes = bytes.dropFirst(line.count + 1)
      return String(decoding: line, as: UTF8.self)
    }
  }

  private func all() -> [UInt8] {
    guard let file = try? CallerFiles(caller).open("-") else { return [] }
    var bytes: [UInt8] = []
    while let piece = try? file.read(), !piece.isEmpty { bytes += piece }
    return bytes
  }
}
