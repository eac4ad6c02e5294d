import CCustomersVTerm
import CustomersTestSupport
import Foundation
import Testing

/// The samples of the README and the articles, typed again: each document from its start on the sample list.
@Suite(.onThreads) struct DocumentTests {
  /// `console` blocks are sessions; `shell` blocks are commands that must work; `sql` is another client's; `keys` are
  /// pressed in the table, one in each line.
  @Test(arguments: DocumentSamples.documents)
  func `the samples in a document produce the results shown`(name: String) throws {
    var document = try DocumentSamples(name)
    let sandbox = try CLISandbox()
    for file in ["companies.csv", "contacts.vcf"] {
      try FileManager.default.copyItem(atPath: "\(samples)/\(file)", toPath: "\(sandbox.folder)/\(file)")
    }
    // The README is read in a checkout.
    try FileManager.default.createSymbolicLink(
      atPath: "\(sandbox.folder)/Tests",
      withDestinationPath: URL(filePath: samples).appending(path: "../..").standardizedFileURL.path)
    let first = document.blocks.first { $0.language == "console" }?.lines.first ?? ""
    if !first.hasPrefix("$ customers demo") { _ = try sandbox.run("demo") }
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
      case "keys": try press(block.lines, at: sandbox)
      case "sh" where name == "Documentation/guide.md": try serve(block.lines, at: sandbox)
      default: continue
      }
      if FileManager.default.fileExists(atPath: sandbox.file) { try sandbox.expectSound() }
    }
  }

  @Test func `the commands in the table of README work in their order`() throws {
    let readme = try DocumentSamples("README.md")
    let rows = readme.lines.drop { $0 != "## Use it" }.prefix { !$0.hasPrefix("## Why") }
    let commands = rows.filter { $0.hasPrefix("| ") }.flatMap { row in
      row.matches(of: /`(customers[^`]*)`/).map { String($0.1) }
    }
    #expect(commands.count == 25)
    let sandbox = try CLISandbox.withDemo()
    // Those need a browser or another machine; `WebTests` and `SSHTests` run them.
    for command in commands where !["web --open", "ssh://"].contains(where: command.contains) {
      if command == "customers" {
        let screen = try sandbox.screen()
        screen.type("q")
        #expect(screen.end() == 0)
        continue
      }
      let result = try shell("\(command)\(command.contains("delete") ? " -y" : "")", at: sandbox)
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

  /// Starts the page, as a command of a block does, and ends it.
  private func serve(_ lines: [String], at sandbox: CLISandbox) throws {
    for line in lines {
      let words = line.split(separator: " ").map(String.init)
      #expect(words.starts(with: ["customers", "web"]))
      let web = try RunningWeb(sandbox, words: Array(words.dropFirst(2)), by: ["env", "BROWSER=true"])
      #expect(try web.end().code == 130)
    }
  }

  /// Presses keys in the table, the last of which end it.
  private func press(_ keys: [String], at sandbox: CLISandbox) throws {
    let screen = try sandbox.table()
    for key in keys {
      if key == "Enter" { screen.press(VTERM_KEY_ENTER) } else { screen.type(key) }
    }
    #expect(screen.end() == 0, "\(screen.text)")
  }

  private func shell(_ script: String, at sandbox: CLISandbox) throws -> ProcessResult {
    try sandbox.shell(script, environment: ["TZ": "UTC", "EDITOR": "true"])
  }
}
