import CustomersTestSupport
import Testing

/// The bar that is seen on a terminal when work takes more than a second.
@Suite(.onThreads) struct ProgressTests {
  @Test(arguments: [
    ("customers apply -", "add C\nadd D\n", "Would apply 2 lines; the list would have 8 rows."),
    ("customers import -", "name\nC\nD\n", "Would import 2 customers; the list would have 8 rows."),
  ])
  func `it is drawn, and erased when the work is done`(command: String, input: String, told: String) throws {
    let sandbox = try CLISandbox.withLetters()
    try sandbox.write(input, to: "input")
    func screen(_ options: String, _ environment: [String: String] = [:]) throws -> String {
      // The program waits for more than a second, even if it starts late because other tests run.
      let slowly = "{ sleep 3; cat input; } | \"$CUSTOMERS\" \(command.dropFirst(9)) -n \(options)"
      let result = try sandbox.terminal(["/bin/sh", "-c", slowly], environment: environment) { _ in nil }
      #expect(result.code == 0)
      return result.screen
    }
    let seen = try screen("")
    #expect(
      seen.hasPrefix("\r[") && seen.contains("] ") && seen.contains(" %\r\u{1b}[K"),
      "\(seen.debugDescription)")
    let afterwards = seen.split(separator: "\u{1b}[K").last ?? ""
    #expect(!afterwards.contains("%") && afterwards.contains(told), "\(seen.debugDescription)")
    #expect(try !screen("", ["TERM": "dumb"]).contains("%"))
    #expect(try !screen("-q").contains("%"))
  }
}
