internal import Glibc

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
      let text = "customers-fuzz: \(error)\n"
      unsafe write(STDERR_FILENO, text, text.utf8.count)
      exit(1)
    }
  }

  private static func run(_ format: FuzzedFormat, _ arguments: Arguments) throws {
    let file = try InputFile("customers-fuzz-input.\(format.rawValue)")
    var fuzzing = Fuzzing(format, seed: arguments.seed)
    print("\(format.rawValue): seed \(arguments.seed)")
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
    print("\(format.rawValue): \(fuzzing.count) inputs, \(fuzzing.corpusCount) of them new; no fault")
  }

  /// Seconds of a clock that only goes forward.
  private static var now: Int {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec
  }
}

/// What was found, or why nothing could be looked for.
struct Fault: Error, CustomStringConvertible {
  var description: String
}
