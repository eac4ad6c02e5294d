import CustomerFixtures
import CustomerStore
import CustomersTestSupport
import Testing

/// A row with very many extra columns is read once, not once for each of them: that would take hours.
@Suite(.onThreads) struct WideRowTests {
  private func sandbox(columns: Int) throws -> CLISandbox {
    let sandbox = try CLISandbox()
    var fields = CustomerFields(firstName: "Ann")
    fields.extra = "{" + (1...columns).map { "\"column \($0)\":\"value \($0)\"" }.joined(separator: ",") + "}"
    try CustomerStore(path: sandbox.file).write { list in _ = try list.insert(fields) }
    return sandbox
  }

  @Test func `a search shows each of 20,000 columns with a match`() throws {
    let sandbox = try sandbox(columns: 20_000)
    let all = try sandbox.run(words: ["find", "value"])
    #expect(all.code == 0)
    #expect(all.output.contains("column 1: value 1, column 2: value 2,"))
    #expect(all.output.contains("column 20000: value 20000"))
    let one = try sandbox.run(words: ["find", "17777"])
    #expect(one.output.contains("column 17777: value 17777") && !one.output.contains("17776"))
  }
}
