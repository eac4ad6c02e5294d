import Foundation
import CustomersTestSupport
import Testing

/// Random requests of a hostile program, each to a `customers serve` of its own under strace: nothing but the offered
/// lists is read, changed, created, or started.
@Suite(.onThreads) struct HostileCallerTests {
  private static let script = URL(filePath: samples)
    .appending(path: "../../HostileCaller/hostile-caller.py").standardizedFileURL.path

  @Test func `nothing is touched that is not offered`() throws {
    let sandbox = try CLISandbox()
    let seed = isLong ? Int.random(in: 0..<1_000_000_000) : 1
    let limit = isLong ? ["1200"] : ["600", "40"]
    let words = ["python3", Self.script, CLISandbox.program, sandbox.folder, "\(seed)"] + limit
    let result = try sandbox.start(words).outcome()
    print(result.output, terminator: "")
    #expect(result.code == 0, "\(result.errors)")
  }
}
