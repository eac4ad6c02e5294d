internal import CustomerFixtures
internal import CustomersBrowser
internal import CustomersSystem
internal import CustomersTestSupport
internal import Foundation
internal import Testing

extension PageTests {
  /// The program itself, killed while the page waits for its answer.
  @Suite struct KilledServerTests {
    @Test func `an edit whose server is killed is done exactly once after it was started again`() async throws
    {
      try await withPage("Ann, Bob, Cid") { page in
        let folder = try TemporaryFolder()
        var program = try WebProgram(page.list.path, folder.path)
        defer { program.kill() }
        let url = try program.url()
        try await page.tab.open(url)
        try await page.tab.wait(
          until:
            "location.origin === new URL('\(url)').origin && document.querySelectorAll('.row').length === 3")
        var names = ["Ann", "Bob", "Cid"]
        for round in 0..<(isLong ? 200 : 4) {
          try await page.tab.keys("Home", "Alt+ArrowDown")
          // Before, while and after the edit is committed.
          try await Task.sleep(for: .milliseconds(round * 3 % 20))
          program.kill()
          program = try WebProgram(page.list.path, folder.path)
          #expect(try program.url() == url)
          names.swapAt(0, 1)
          try await page.expect(names)
          try await page.tab.wait(until: "document.getElementById('trouble').textContent === ''")
        }
      }
    }
  }

  /// A run of `customers web`.
  private struct WebProgram {
    private let process: pid_t
    private let output: String

    init(_ list: String, _ folder: String) throws {
      let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
      let program = URL(filePath: tests).deletingLastPathComponent().appending(path: "customers").path
      output = "\(folder)/output-\(UUID().uuidString)"
      var spawn = Spawn(
        words: [program, "--db", list, "web", "--quiet"],
        environment: ["PATH": "/usr/bin:/bin", "HOME": folder], folder: folder)
      spawn.output = output
      spawn.errors = output + ".errors"
      process = try spawn.start()
    }

    /// The address that it prints.
    func url() throws -> String {
      var text = ""
      try waitUntil("web prints its address") {
        text = (try? String(contentsOfFile: output, encoding: .utf8)) ?? ""
        return text.contains("\n") || Spawn.hasEnded(process)
      }
      if let end = text.firstIndex(of: "\n") { return String(text[..<end]) }
      let errors = (try? String(contentsOfFile: output + ".errors", encoding: .utf8)) ?? ""
      throw BrowserFailure("customers web has ended: \(errors)")
    }

    func kill() {
      Foundation.kill(process, SIGKILL)
      _ = Spawn.wait(process)
    }
  }
}
