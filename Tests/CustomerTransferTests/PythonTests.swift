import CustomerFixtures
import CustomersText
import Foundation
import CustomersTestSupport
import Testing

/// Python's `json` reads our output, and writes our input.
@Suite(.onThreads) struct PythonTests {
  private static func run(_ script: String, _ input: String) throws -> String {
    try withTemporaryFolder { folder in
      let environment = ProcessInfo.processInfo.environment
      var python = Spawn(words: ["python3", "-c", script], environment: environment, folder: folder)
      (python.input, python.output) = (folder + "/in", folder + "/out")
      try write(Array(input.utf8), to: python.input)
      #expect(Spawn.wait(try python.start()) == 0)
      return String(decoding: try bytes(of: python.output), as: UTF8.self)
    }
  }

  @Test(arguments: ["", ", ensure_ascii=False", ", indent=2"])
  func `customers survive a round trip through Python`(options: String) throws {
    var random = SplitMix64(seed: 1)
    let customers = (0..<300).map { _ in
      (0..<random.below(5)).map { index in
        let scalars = (0..<random.below(12)).map { _ in PythonTests.scalar(&random) }
        let text = String(String.UnicodeScalarView(scalars))
        return (
          "\(index)" + text, random.oneIn(4) ? Record.Value.json("\(Int.max)\(index + 1)") : .text(text)
        )
      }
    }
    let written = customers.map { customer in JSON.object(customer.map { ($0.0, $0.1.json) }).text }
    let script = """
      import json, sys
      sys.stdout.reconfigure(encoding="utf-8")
      for line in sys.stdin.buffer:
          print(json.dumps(json.loads(line)\(options)))
      """
    let reading = try Reading.json(PythonTests.run(script, written.joined(separator: "\n")))
    #expect(reading.problem == nil)
    let read = reading.records.map { record in
      JSON.object(zip(record.columns, record.values).map { ($0, $1.json) }).text
    }
    #expect(read == written)
  }

  /// Any scalar, often one that is written with an escape.
  private static func scalar(_ random: inout SplitMix64) -> Unicode.Scalar {
    let limits: [UInt64] = [0x20, 0x80, 0x3000, 0x110000]
    let value = UInt32(random.next() % limits[random.below(limits.count)])
    return Unicode.Scalar(value) ?? "\u{2028}"
  }
}
