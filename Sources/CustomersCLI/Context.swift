internal import CustomerStore
internal import Files
internal import Platform

/// What a run of the program finds around it; tests hand in something else than the process has.
struct Context: Sendable {
  /// The variables that `Environment` names.
  var environment: [String: String]
  let input: StandardInput
  let output: Stream
  let errors: Stream
  /// The terminal of the process, whatever its streams are; nil if it has none.
  var terminal: @Sendable () -> StandardInput? = { nil }
  /// What the time is, for what shows how far the work is.
  var now: @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }
  /// Opens the customers file at a path, or the list at the address of a cluster.
  var openStore: @Sendable (_ path: String, _ options: CustomerStore.Options) throws -> CustomerStore = {
    CustomerStore.isClusterAddress($0)
      ? try CustomerStore(cluster: $0, options: $1) : try CustomerStore(path: $0, options: $1)
  }

  /// What this process has.
  static func ofProcess() -> Context {
    Context(
      environment: Environment.read(), input: StandardInput(.standardInput), output: Stream(.standardOutput),
      errors: Stream(.standardError), terminal: { StandardInput.terminal })
  }
}

/// Where the person answers, and what a file named `-` is.
struct StandardInput: Sendable {
  let descriptor: FileDescriptor
  /// Whether a person is typing.
  let isTerminal: Bool

  /// The terminal of this process, opened when it is first asked for.
  static let terminal: StandardInput? = {
    let descriptor = unsafe open("/dev/tty", O_RDWR | O_CLOEXEC)
    return descriptor < 0 ? nil : StandardInput(FileDescriptor(rawValue: descriptor), isTerminal: true)
  }()

  init(_ descriptor: FileDescriptor, isTerminal: Bool? = nil) {
    self.descriptor = descriptor
    self.isTerminal = isTerminal ?? (isatty(descriptor.rawValue) == 1)
  }

  /// The next line without its end; nil at the end of the input.
  ///
  /// It takes no letter behind the line: those are for who reads next.
  func line() -> String? {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while true {
      let count = unsafe read(descriptor.rawValue, &byte, 1)
      if count < 0, errno == EINTR { continue }
      guard count == 1 else { return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self) }
      if byte == UInt8(ascii: "\n") { return String(decoding: bytes, as: UTF8.self) }
      bytes.append(byte)
    }
  }
}
