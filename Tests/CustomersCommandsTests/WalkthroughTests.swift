import CustomersTestSupport
import Foundation
import Testing

/// Whole sessions of a person: transcripts that are run again line by line.
@Suite(.onThreads) struct WalkthroughTests {
  @Test(arguments: ["companies"])
  func `a session matches its transcript`(name: String) throws {
    let sandbox = try CLISandbox()
    let sample = "\(samples)/\(name).csv"
    try FileManager.default.copyItem(atPath: sample, toPath: "\(sandbox.folder)/\(name).csv")
    let file = "walkthroughs/\(name).txt"
    let lines = try String(contentsOfFile: "\(samples)/\(file)", encoding: .utf8).split(separator: "\n")
    var transcript = ""
    for line in lines where line.hasPrefix("$ ") {
      let result = try sandbox.shell(String(line.dropFirst(2)), environment: ["TZ": "UTC"])
      let code = result.code == 0 ? "" : "exit code \(result.code)\n"
      transcript += "\(line)\n\(result.output)\(result.errors)\(code)"
    }
    try expectSample(transcript, file)
  }
}
