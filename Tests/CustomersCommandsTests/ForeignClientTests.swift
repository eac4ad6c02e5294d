import Foundation
import CustomersTestSupport
import Testing

/// Python writes random statements into a file of ours and knows what each must do.
@Suite(.onThreads) struct ForeignClientTests {
  private static let script = URL(filePath: samples)
    .appending(path: "../../ForeignClient/foreign-client.py").standardizedFileURL.path

  /// The long form wants a newer SQLite than the system's as well: `pip install apsw`.
  private static let modules = isLong ? ["sqlite3", "apsw"] : ["sqlite3"]

  @Test(arguments: modules, 0..<4)
  func `after each of its statements, all rows are numbered correctly`(module: String, seed: Int) throws {
    try run(seed, module: module, count: isLong ? 25_000 : 200)
  }

  private func run(_ seed: Int, module: String, count: Int) throws {
    let sandbox = try CLISandbox.withLetters()
    var started = try sandbox.start(["python3", Self.script, sandbox.file, "\(seed)", "\(count)", module])
    started.spawn.environment["PYTHONPATH"] = ProcessInfo.processInfo.environment["PYTHONPATH"]
    let result = try started.outcome()
    #expect(result.code == 0, "\(result.output)\(result.errors)")
    print(result.output, terminator: "")
    try sandbox.expectSound()
  }
}
