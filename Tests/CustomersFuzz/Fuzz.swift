internal import CustomersSystem

/// Reads files that were changed at random, for as long as wished, and ends at the first fault.
///
/// Each input is in a file while it is tried, so that after a crash or a hang (which `alarm` ends) it is
/// there.
@main
enum Fuzz {
  static func main() {
    do {
      let arguments = try Arguments(CommandLine.arguments.dropFirst())
      guard !arguments.wantsHelp else { return print(Arguments.help) }
      for format in arguments.formats { try run(format, arguments) }
    } catch {
      say("CustomersFuzz: \(error)", STDERR_FILENO)
      exit(1)
    }
  }

  private static func run(_ format: FuzzedFormat, _ arguments: Arguments) throws {
    let file = try InputFile("customers-fuzz-input.\(format.rawValue)")
    var fuzzing = Fuzzing(format, seed: arguments.seed)
    say("\(format.rawValue): seed \(arguments.seed)")
    let end = now + arguments.seconds
    while now < end {
      alarm(30)
      for _ in 0..<100 {
        let input = fuzzing.nextInput()
        try file.write(input)
        if let fault = fuzzing.fault(input) { throw Fault(description: "\(file.path): \(fault)") }
      }
    }
    alarm(0)
    file.remove()
    say("\(format.rawValue): \(fuzzing.count) inputs, \(fuzzing.corpusCount) of them new; no fault")
  }

  /// Writes a line at once, so that it is there even after a crash.
  private static func say(_ text: String, _ descriptor: Int32 = STDOUT_FILENO) {
    let line = text + "\n"
    unsafe write(descriptor, line, line.utf8.count)
  }

  /// Seconds of a clock that only goes forward.
  private static var now: Int {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec
  }
}

/// A finding, or the reason why fuzzing could not start.
struct Fault: Error, CustomStringConvertible {
  var description: String
}
