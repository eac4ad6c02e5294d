internal import CustomersSystem
internal import CustomersSQLite

/// Measures what the design promises about speed, as ratios to something measured in the same run.
///
/// It never fails because of a figure: machines differ, and a user reads the table.
@main
enum Benchmark {
  static func main() async {
    do {
      let arguments = try Arguments(CommandLine.arguments.dropFirst())
      guard !arguments.wantsHelp else { return print(Arguments.help) }
      try await run(arguments)
    } catch {
      let text = "CustomersBenchmark: \(error)\n"
      unsafe write(STDERR_FILENO, text, text.utf8.count)
      exit(1)
    }
  }

  private static func run(_ arguments: Arguments) async throws {
    let folder = ScratchFolder(in: arguments.directory)
    defer { folder.remove() }
    try print(machine(folder))
    print(Line.head)
    let lists = ListFactory(folder: folder)
    for part in arguments.parts { try await part.run(on: lists, upTo: arguments.rows) }
  }

  private static func machine(_ folder: ScratchFolder) throws -> String {
    let bare = try BareCommit(folder)
    var watch = Stopwatch()
    for _ in 0..<100 { try watch.time(.baseline) { try bare.commit() } }
    let version = Connection.libraryVersion
    return """
      SQLite \(version / 1_000_000).\(version / 1000 % 1000).\(version % 1000), \
      \(sysconf(Int32(_SC_NPROCESSORS_ONLN))) cores, \
      a bare one-row durable commit takes \(milliseconds(watch.median(.baseline)))

      """
  }
}
