import Foundation
import Platform
import TestSupport
import Testing

/// A list on a machine that a real `ssh` reaches, by a real `sshd`.
@Suite(.serialized) struct SSHTests {
  @Test func `commands say and do the same`() throws {
    let here = try ExampleSandbox()
    var there = try ExampleSandbox()
    let server = try SSHServer(for: there.sandbox, isShared: true)
    there.environment = server.environment
    let commands = ["list", "edit", "delete", "export", "import", "backup", "restore", "apply", "info"]
    for example in Example.all where example.usesFile && (isLong || commands.contains(example.command)) {
      for form in isLong ? example.forms : [[]] {
        let expected = try here.run(example, form)
        let found = try there.run(example, form)
        #expect(try found.naming(there.sandbox) == expected.naming(here.sandbox), "\(example) \(form)")
        #expect(try there.result() == here.result(), "\(example) \(form)")
      }
    }
    withExtendedLifetime(server) {}
  }

  @Test func `words and paths arrive as they are, whatever the shell there is`() throws {
    let sandbox = try CLISandbox()
    let server = try SSHServer(for: sandbox, isShared: true)
    let path = "\(sandbox.folder)/-l; '$(touch owned)\"\n`id`"
    for text in ["a'b\"c", "$(touch owned)", "-rf", "; touch owned", "a\nb", "\\"] {
      let words = ["add", "--note=\(text)", "--db=ssh://far\(path)", "-q", "--", "N"]
      #expect(try sandbox.run(words: words, environment: server.environment) == .done())
      let last = try jsonArray(sandbox.run("list", "--json", "--db", path).output).last
      #expect(last?["note"] as? String == text)
    }
    #expect(try sandbox.names == ["-l; '$(touch owned)\"\n`id`"])
    #expect(try sandbox.shell("ls ~/owned ../owned").code != 0)
  }

  @Test func `the table is drawn there, on a terminal that ssh makes`() throws {
    let sandbox = try CLISandbox.withLetters()
    let server = try SSHServer(for: sandbox, isShared: true)
    try sandbox.expectTable(in: server.environment)
  }

  @Test func `ssh's own failure is told in its words`() throws {
    let sandbox = try CLISandbox.withLetters()
    let server = try SSHServer(for: sandbox, isShared: false)
    let nobody = ["CUSTOMERS_SSH": "ssh -F '\(server.configuration)' -o UserKnownHostsFile=/dev/null"]
    let result = try sandbox.run(words: ["list"], environment: server.environment.merging(nobody) { $1 })
    #expect(result.code == 1 && result.output.isEmpty)
    #expect(result.errors.contains("Host key verification failed."), "\(result)")
    #expect(result.errors.contains("can't reach \"far\": ssh ended with code 255"), "\(result)")
    // On a terminal it is there as ssh says it.
    let (screen, code) = try sandbox.onTerminal(
      "list", environment: server.environment.merging(nobody) { $1 })
    #expect(code == 1 && screen.contains("Host key verification failed."), "\(screen)")
  }

  @Test func `a connection that is killed during an edit`() throws {
    let sandbox = try CLISandbox.withLetters()
    let server = try SSHServer(for: sandbox, isShared: true)
    var tally: [Int32: Int] = [:]
    var usual = Duration.zero
    let count = isLong ? 100 : 10
    for number in 0...count {
      let name = "K\(number)"
      var started = try sandbox.start([CLISandbox.program, "add", name])
      started.spawn.environment.merge(server.environment) { $1 }
      let start = ContinuousClock.now
      let process = try started.spawn.start()
      if number > 0 {
        let part = (Double(number) - .random(in: 0..<1)) / Double(count) * 1.1
        usleep(UInt32(max(0, usual * part / .microseconds(1))))
        if let ssh = child(of: process) { kill(ssh, SIGKILL) }
      }
      let result = try started.outcome(code: Spawn.wait(process))
      if number == 0 { usual = .now - start }
      let found = try sandbox.sqlite("SELECT count(*) FROM customers WHERE first_name = '\(name)'")
      #expect(found == (result.code == 0 ? "1\n" : "0\n"), "\(result)")
      #expect([0, 1].contains(result.code), "\(result)")
      tally[result.code, default: 0] += 1
    }
    print("connections killed during edits: \(tally[1] ?? 0) not done, \((tally[0] ?? 0) - 1) done")
    try sandbox.expectSound()
  }

  /// The process that a program has started, if it is there yet.
  private func child(of process: pid_t) -> pid_t? {
    let path = "/proc/\(process)/task/\(process)/children"
    return (try? String(contentsOfFile: path, encoding: .utf8))?.split(separator: " ").first.flatMap {
      pid_t($0)
    }
  }

  @Test func `memory does not grow with a file on its way there and back`() throws {
    let sandbox = try CLISandbox()
    let server = try SSHServer(for: sandbox, isShared: true)
    let result = try sandbox.shell(
      #"""
      python3 - <<'END'
      import os, subprocess
      def peak(*words, **streams):
          process = subprocess.Popen([os.environ['CUSTOMERS'], *words], **streams)
          if 'stdin' in streams:
              process.stdin.write(b'name,note\n')
              row = 'Ann Example,' + 'x' * 980 + '\n'
              for _ in range(megabytes): process.stdin.write(row.encode() * 1000)
              process.stdin.close()
          # The program there is looked at when it has done most of its work.
          _, status, usage = os.wait4(process.pid, 0)
          assert status == 0
          return usage.ru_maxrss
      peaks = []
      for megabytes in SIZES:
          peaks.append((peak('import', '-', '-q', stdin=subprocess.PIPE), peak('export', 'out', '-q', '-y')))
          assert os.path.getsize('out') > megabytes * 990000
          os.remove('customers.sqlite')
          os.remove('out')
      print(peaks)
      print(all(more < less + 16_000 for less, more in zip(*peaks)))
      END
      """#.replacing("SIZES", with: isLong ? "(100, 1000)" : "(1, 8)"), environment: server.environment)
    #expect(result.code == 0 && result.output.hasSuffix("True\n"), "\(result)")
  }
}
