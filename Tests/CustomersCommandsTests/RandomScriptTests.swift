import CustomersTestSupport
import Testing

/// Random scripts by the real program against plain arrays.
@Suite(.onThreads) struct RandomScriptTests {
  @Test(arguments: 0..<(isLong ? 100 : 1))
  func `random scripts match a model in arrays`(seed: Int) throws {
    let sandbox = try CLISandbox()
    var script = RandomScript(seed: seed)
    var before = script.order
    for number in 0..<(isLong ? 30 : 5) {
      try sandbox.write(script.script(40), to: "edits")
      let result = try sandbox.run("apply", "-q", "edits")
      let order = try sandbox.order
      guard result == .done(), order == script.order else {
        Issue.record(
          "seed \(seed), script \(number): \(result)\n\(script.lines)\n\(before)\n\(order)\n\(script.order)")
        return
      }
      before = script.order
    }
    try sandbox.expectSound()
    // Each script is one step.
    for _ in 0..<(isLong ? 30 : 5) { #expect(try sandbox.run("undo", "-q") == .done()) }
    #expect(try sandbox.order == "")
  }
}
