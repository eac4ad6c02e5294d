internal import CustomersSystem

/// Runs other programs to the end and discards their output.
enum Program {
  /// The `customers` program that was built beside the benchmark.
  static let customers: String = {
    var path = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    _ = unsafe readlink("/proc/self/exe", &path, Int(PATH_MAX))
    let own = String(decoding: path.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    return own.split(separator: "/").dropLast().map { "/" + $0 }.joined() + "/customers"
  }()

  /// What a program took.
  struct Usage {
    /// The time of the processor.
    var time: Duration
    /// The peak memory, in bytes.
    var peak: Int
    /// The pages of 4,096 bytes that it wrote to files, as far as the system counts them.
    var pagesWritten: Int
  }

  /// - Returns: what it took.
  /// - Throws: a `ProgramError` if the program can't be started or fails.
  @discardableResult
  static func run(_ words: [String]) throws -> Usage {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
    var arguments = unsafe words.map { unsafe strdup($0) } + [nil]
    defer { unsafe arguments.forEach { unsafe free($0) } }
    var process = pid_t()
    let failure = unsafe posix_spawnp(&process, words[0], &actions, nil, &arguments, environ)
    guard failure == 0 else {
      throw ProgramError(
        description:
          "can't run \(words[0]): \(unsafe String(cString: strerror(failure))); is it installed or built?")
    }
    var status: Int32 = 0
    var usage = rusage()
    guard unsafe wait4(process, &status, 0, &usage) == process, status == 0 else {
      throw ProgramError(description: "\(words.joined(separator: " ")) failed")
    }
    let seconds = usage.ru_utime.tv_sec + usage.ru_stime.tv_sec
    let microseconds = usage.ru_utime.tv_usec + usage.ru_stime.tv_usec
    return Usage(
      time: .seconds(seconds) + .microseconds(microseconds), peak: Int(usage.ru_maxrss) * 1024,
      pagesWritten: Int(usage.ru_oublock) / 8)
  }
}

/// Why another program could not be measured.
struct ProgramError: Error, CustomStringConvertible {
  var description: String
}
