internal import CustomersSystem
internal import CustomersText
internal import Synchronization

/// Standard output, standard error, or a file, with buffering, which may be a terminal.
final class Stream: Sendable {
  fileprivate struct Buffer {
    var buffer: [UInt8] = []
    var output: SpooledOutput
    /// Whether writing must not wait for the reader.
    var isHeld: Bool
    /// Whether the program goes on without the reader.
    var outlivesReader = false
    /// Whether the reader has gone, so that what is written is dropped.
    var isDropped = false
    /// The pager to start when the output gets longer than the screen.
    var pagerToCome: (command: String, screen: Screen)?
    var pager: Pager?
  }

  /// The reader of a stream went away while it was held.
  private struct ReaderIsGone: Error { let stream: Stream }

  private let sink: any ByteSink
  private let name: String
  private let state: Mutex<Buffer>
  let isTerminal: Bool
  private let knownScreen: Screen?

  /// - Parameters:
  ///   - sink: the destination.
  ///   - name: its name in errors.
  ///   - screen: the size of the terminal that a file simulates.
  ///   - isHeld: whether writing does not wait for the reader until `flush(waiting: true)`.
  init(
    _ sink: any ByteSink, as name: String = "the output", screen: Screen? = nil, isHeld: Bool = false
  ) {
    self.sink = sink
    self.name = name
    state = Mutex(Buffer(output: SpooledOutput(sink), isHeld: isHeld))
    knownScreen = screen
    isTerminal = screen != nil || (sink as? FileDescriptor).map { isatty($0.rawValue) == 1 } ?? false
  }

  private var descriptor: Int32 { (sink as? FileDescriptor)?.rawValue ?? -1 }

  /// The columns and rows of the terminal.
  var screen: Screen {
    if let knownScreen { return knownScreen }
    var size = winsize()
    guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 else { return Screen() }
    return Screen(columns: Int(size.ws_col), rows: Int(size.ws_row))
  }

  /// From now on, output longer than the screen goes to a pager.
  ///
  /// If the screen is on another machine, the program there runs the pager.
  func page(_ command: String, _ screen: Screen) {
    guard sink is FileDescriptor else { return }
    state.withLock { $0.pagerToCome = (command, screen) }
  }

  func write(_ text: String) throws { try write { $0.append(contentsOf: text.utf8) } }

  /// Writes the text that `body` appends.
  func write(_ body: (inout [UInt8]) throws -> Void) throws {
    let isFull = try state.withLock { state in
      try body(&state.buffer)
      guard let screen = state.pagerToCome?.screen else { return state.buffer.count >= 1 << 16 }
      return !screen.mayFit(state.buffer)
    }
    if isFull { try flush() }
  }

  /// Runs `body`; what the reader does not accept at once is kept and written by the next flush.
  ///
  /// So a transaction never waits for the reader of a pipe or for people at a pager.
  func held<Result>(_ body: () throws -> Result) throws -> Result {
    let wasHeld = setHeld(true)
    defer { _ = setHeld(wasHeld) }
    do { return try body() } catch let error as ReaderIsGone { error.stream.endWithReader() }
  }

  /// Sets whether writing waits for the reader.
  ///
  /// - Returns: the previous setting.
  private func setHeld(_ isHeld: Bool) -> Bool {
    state.withLock { state in
      defer { state.isHeld = isHeld }
      return state.isHeld
    }
  }

  /// Writes the buffer; waits for the reader, unless the stream is held.
  func flush() throws {
    let isHeld = state.withLock(\.isHeld)
    do {
      try state.withLock { try $0.flush() }
    } catch let error as SystemError {
      guard error.isBrokenPipe else { throw Failure.failed("can't write \(name): \(error)") }
      guard !drop() else { return }
      if isHeld { throw ReaderIsGone(stream: self) }
      endWithReader()
    }
  }

  /// From now on, a reader that goes away does not end the program; what it would have read is dropped.
  func outliveReader() { state.withLock { $0.outlivesReader = true } }

  /// Drops what is left and all that follows, if the program goes on without the reader, who has gone.
  ///
  /// - Returns: whether it does.
  private func drop() -> Bool {
    state.withLock { state in
      state.isDropped = state.outlivesReader
      return state.isDropped
    }
  }

  /// Ends the hold and writes the rest.
  func release() throws {
    _ = setHeld(false)
    try flush()
  }

  /// Writes a string ahead of the buffer if that is possible at once; otherwise drops it.
  func offer(_ text: String) { _ = try? sink.writeWithoutWaiting(Array(text.utf8)) }

  /// Writes the rest and waits until the user has read it.
  func finish() throws {
    try flush()
    state.withLock { state in
      defer { state.pager = nil }
      return state.pager
    }?.end()
  }

  /// Waits; if the reader goes away first, the program ends.
  func pause(milliseconds: Int32) {
    var reader = pollfd(fd: descriptor, events: 0, revents: 0)
    if unsafe poll(&reader, 1, milliseconds) > 0, reader.revents & Int16(POLLERR) != 0, !drop() {
      endWithReader()
    }
  }

  /// Waits until another descriptor is readable; if the reader goes away first, the program ends.
  func pause(until input: FileDescriptor) {
    // After a drop, the system ignores the descriptor.
    var states = [
      pollfd(fd: input.rawValue, events: Int16(POLLIN), revents: 0),
      pollfd(fd: state.withLock(\.isDropped) ? -1 : descriptor, events: 0, revents: 0),
    ]
    if unsafe poll(&states, 2, -1) > 0, states[1].revents & Int16(POLLERR) != 0, !drop() { endWithReader() }
  }

  /// Ends the program when the reader has gone, as SIGPIPE would, but silently; leaving a pager is not an
  /// error.
  private func endWithReader() -> Never {
    guard let pager = state.withLock(\.pager) else { exit(128 + SIGPIPE) }
    pager.end()
    exit(0)
  }
}

extension Stream.Buffer {
  fileprivate mutating func flush() throws {
    if let (command, screen) = pagerToCome {
      pagerToCome = nil
      if !screen.fits(buffer), let pager = try? Pager(command) {
        self.pager = pager
        output = SpooledOutput(pager.descriptor)
      }
    }
    defer { buffer.removeAll(keepingCapacity: true) }
    guard !isDropped else { return }
    try isHeld ? output.writeWithoutWaiting(buffer) : output.write(buffer)
  }
}

/// A stream to a file that a command writes.
///
/// It replaces an existing file only when it is complete. A pipe does not keep a transaction waiting.
struct FileStream {
  let stream: Stream
  private let file: any NamedOutput

  init(_ path: String, in files: NamedFiles) throws {
    file = try files.create(path)
    stream = Stream(file.sink, as: quoted(path), isHeld: true)
  }

  /// Makes the written bytes durable; does not wait for a pipe.
  func sync() throws {
    guard file.isRegular else { return try stream.flush() }
    try file.sync(finishing: stream.release)
  }

  /// Writes the rest and puts the file in its place.
  func finish(_ session: Session) throws {
    try stream.release()
    try session.finish(file)
  }
}

extension Session {
  /// Puts a file in its place; if only the disk fails to keep its name for certain, warns.
  func finish(_ file: any NamedOutput) throws {
    do { try file.finish() } catch let error as FileError where error.reason.isOfPlacedFile {
      try warn(ofDisk: "\(error.reason)")
    }
  }

  /// Warns that a file was written, but may be lost if the machine stops.
  func warn(ofDisk error: String) throws {
    try writeAside("warning: the file was written, but then the disk failed: \(error)")
  }

  /// Asks before replacing an existing file and refuses a file that must not be replaced.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - inputs: the files that are being read.
  /// - Returns: whether it may be written.
  /// - Throws: a `Failure` with code `refused` if it must not be written.
  func mayWrite(_ path: String, besides inputs: [String] = []) throws -> Bool {
    let target = WriteTarget(path: path, inputs: inputs, list: try list.address.path)
    return try context.files.consent(to: target, in: self) != .declined
  }
}
