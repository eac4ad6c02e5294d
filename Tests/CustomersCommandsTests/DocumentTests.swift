import CustomersTestSupport
import Foundation
import Testing

/// The samples of the README and the articles, typed again: each document from its start on the sample list.
@Suite(.onThreads) struct DocumentTests {
  /// `console` blocks are sessions; `shell` blocks are commands that must work; `sql` is another client's.
  @Test(arguments: DocumentSamples.documents)
  func `the samples in a document produce the results shown`(name: String) throws {
    var document = try DocumentSamples(name)
    let sandbox = try CLISandbox()
    try FileManager.default.copyItem(
      atPath: "\(samples)/companies.csv", toPath: "\(sandbox.folder)/companies.csv")
    // The README is read in a checkout.
    try FileManager.default.createSymbolicLink(
      atPath: "\(sandbox.folder)/Tests",
      withDestinationPath: URL(filePath: samples).appending(path: "../..").standardizedFileURL.path)
    if document.blocks.first(where: { $0.language == "console" })?.lines.first != "$ customers demo" {
      _ = try sandbox.run("demo")
    }
    for index in document.blocks.indices {
      let block = document.blocks[index]
      switch block.language {
      case "console":
        let typed = try session(block, at: sandbox)
        if ProcessInfo.processInfo.environment["CUSTOMERS_RECORD"] == "1" {
          if typed != block.lines { try document.record(typed, in: block) }
        } else {
          #expect(typed == block.lines, "\(name):\(block.start + 1)")
        }
      case "shell":
        let result = try shell("set -e\n" + block.lines.joined(separator: "\n"), at: sandbox)
        #expect(result.code == 0, "\(name):\(block.start + 1): \(result)")
      case "sql": _ = try sandbox.sqlite(block.lines.joined(separator: "\n"))
      default: break
      }
      if ["console", "shell", "sql"].contains(block.language) { try sandbox.expectSound() }
    }
  }

  @Test func `the commands in the table of README work`() throws {
    let readme = try DocumentSamples("README.md")
    let rows = readme.lines.drop { !$0.hasPrefix("## What you can do") }.prefix {
      !$0.hasPrefix("## Install")
    }
    let commands = rows.filter { $0.hasPrefix("| ") }.flatMap { row in
      row.split(separator: " · ").flatMap { $0.matches(of: /`(customers .*?)`/).map { String($0.1) } }
    }
    // Those need a browser, another machine, or time; `WebTests`, `SSHTests`, `RepeatedBackupTests`, and `TakeTests`
    // run them.
    let others = ["web --open", "ssh://", "--every", "take"]
    #expect(commands.count == 27)
    for command in commands where !others.contains(where: command.contains) {
      let sandbox = try CLISandbox.withDemo()
      try sandbox.write("name,e-mail\nNew One,new@one.example\n", to: "people.csv")
      let before = "customers section add Partners -q; customers move 2 4 -q; customers undo -q"
      let first =
        command.contains("section add")
        ? "true" : command.contains("redo") ? before : "customers section add Partners -q"
      let line = command.replacing("undo 12", with: "undo 2 -n")
      let result = try shell(
        "set -e; \(first); \(line)\(line.contains("delete") || line.contains("sort") ? " -y" : "")",
        at: sandbox)
      #expect(result.code == 0, "\(command): \(result)")
      try sandbox.expectSound()
    }
  }

  /// The session as it goes now; `cat FILE` makes the file if it is missing.
  private func session(_ block: DocumentSamples.Block, at sandbox: CLISandbox) throws -> [String] {
    var typed: [String] = []
    var index = 0
    while index < block.lines.count {
      let line = block.lines[index]
      index += 1
      guard line.hasPrefix("$ ") else { continue }
      let end = block.lines[index...].firstIndex { $0.hasPrefix("$ ") } ?? block.lines.endIndex
      let command = String(line.dropFirst(2))
      if command.hasPrefix("cat "),
        !FileManager.default.fileExists(atPath: sandbox.folder + "/" + command.dropFirst(4))
      {
        try sandbox.write(
          block.lines[index..<end].map { $0 + "\n" }.joined(), to: String(command.dropFirst(4)))
      }
      let result = try shell(command, at: sandbox)
      let text = result.output + result.errors
      typed +=
        [line] + text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
      index = end
    }
    return typed
  }

  private func shell(_ script: String, at sandbox: CLISandbox) throws -> ProcessResult {
    try sandbox.shell(script, environment: ["TZ": "UTC", "EDITOR": "true"])
  }
}
