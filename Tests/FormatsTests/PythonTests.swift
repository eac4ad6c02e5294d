import CustomerFixtures
import Formats
import Foundation
import TestSupport
import Testing

/// Python's `json` reads what is written here, and writes what is read here.
struct PythonTests {
  private static let python = "/usr/bin/env"

  private static func run(_ script: String, _ input: String) throws -> String {
    let process = Process()
    let (stdin, stdout) = (Pipe(), Pipe())
    process.executableURL = URL(filePath: python)
    process.arguments = ["python3", "-c", script]
    (process.standardInput, process.standardOutput) = (stdin, stdout)
    try process.run()
    let writer = Thread {
      try? stdin.fileHandleForWriting.write(contentsOf: Data(input.utf8))
      try? stdin.fileHandleForWriting.close()
    }
    writer.start()
    let output = try stdout.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return String(decoding: output, as: UTF8.self)
  }

  @Test(arguments: ["", ", ensure_ascii=False", ", indent=2"])
  func `customers come back from Python as they were`(options: String) throws {
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
