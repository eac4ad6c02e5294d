internal import CustomerStore
internal import CustomersFiles
internal import Synchronization

/// The output and the history steps of a command that runs without a terminal; the output is kept in
/// temporary files.
final class KeptOutput: Sendable {
  let output: Stream
  let errors: Stream
  /// An empty standard input.
  let nothing: FileDescriptor
  private let files: [TemporaryFile]
  private let made = Mutex<[HistoryStep.ID]>([])

  init() throws {
    files = [try TemporaryFile(), try TemporaryFile(), try TemporaryFile()]
    (output, errors) = (Stream(files[0].descriptor), Stream(files[1].descriptor))
    nothing = files[2].descriptor
  }

  /// Returns the lines printed so far, those of standard output first.
  func lines() throws -> [String] {
    try errors.flush()
    return try printed() + lines(of: files[1])
  }

  /// Returns the lines printed so far on standard output.
  func printed() throws -> [String] {
    try output.flush()
    return try lines(of: files[0])
  }

  private func lines(of file: TemporaryFile) throws -> [String] {
    String(decoding: try file.read(at: 0, upTo: 1 << 20), as: UTF8.self)
      .split(separator: "\n").map(String.init)
  }

  /// The history steps that the command added.
  var steps: [HistoryStep.ID] { made.withLock { $0 } }

  /// Records a step.
  func note(_ step: HistoryStep.ID) { made.withLock { $0.append(step) } }
}
