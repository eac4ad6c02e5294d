import Foundation
import CustomersSystem
import CustomersTestSupport
import Testing

/// A list on another machine, reached with the real `ssh` and `sshd`.
@Suite(.onThreads) struct SSHTests {
  @Test func `commands do and print the same as for a local list`() throws {
    let here = try ExampleSandbox()
    var there = try ExampleSandbox()
    let server = try SSHServer(for: there.sandbox, isShared: true)
    there.environment = server.environment
    let commands = ["list", "edit", "delete", "export", "import", "backup", "restore", "apply", "info"]
    for example in Example.all where example.usesFile && (isLong || commands.contains(example.command)) {
      for form in isLong ? example.forms : [example.forms.first { $0 == ["--json"] } ?? []] {
        let expected = try here.run(example, form)
        let found = try there.run(example, form)
        #expect(try found.naming(there.sandbox) == expected.naming(here.sandbox), "\(example) \(form)")
        #expect(try there.result() == here.result(), "\(example) \(form)")
      }
    }
    withExtendedLifetime(server) {}
  }

  @Test func `arguments and paths arrive unchanged, whatever the remote shell`() throws {
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

  @Test func `the table runs there, on a terminal that ssh allocates`() throws {
    let sandbox = try CLISandbox.withLetters()
    let server = try SSHServer(for: sandbox, isShared: true)
    try sandbox.expectTable("table", in: server.environment)
  }

  @Test func `the error quotes ssh if the host key is unknown`() throws {
    let sandbox = try CLISandbox.withLetters()
    let server = try SSHServer(for: sandbox, isShared: false)
    let stranger = ["CUSTOMERS_SSH": "ssh -F '\(server.configuration)' -o UserKnownHostsFile=/dev/null"]
    let result = try sandbox.run(words: ["list"], environment: server.environment.merging(stranger) { $1 })
    #expect(result.code == 1 && result.output.isEmpty)
    #expect(result.errors.contains("Host key verification failed."), "\(result)")
    #expect(result.errors.contains("can't reach \"far\": ssh exited with status 255"), "\(result)")
    // On a terminal, ssh prints it itself.
    let (screen, code) = try sandbox.onTerminal(
      "list", environment: server.environment.merging(stranger) { $1 })
    #expect(code == 1 && screen.contains("Host key verification failed."), "\(screen)")
  }

  @Test func `the exit code is right if the connection is killed during an edit`() throws {
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

  @Test(arguments: [false, true])
  func `show prints the same, timed against ssh alone`(isShared: Bool) throws {
    let sandbox = try CLISandbox.withDemo()
    let server = try SSHServer(for: sandbox, isShared: isShared)
    let ssh = ["sh", "-c", "exec ssh -F '\(server.configuration)' far true"]
    let show = [CLISandbox.program, "show", "3"]
    let expected = try sandbox.run("show", "3")
    var times: [[Duration]] = [[], []]
    for _ in 0..<(isLong ? 40 : 1) {
      for (index, words) in [ssh, show].enumerated() {
        var started = try sandbox.start(words)
        started.spawn.environment.merge(server.environment) { $1 }
        let start = ContinuousClock.now
        let result = try started.outcome(code: Spawn.wait(started.spawn.start()))
        times[index].append(.now - start)
        #expect(result == (index == 0 ? .done() : expected))
      }
    }
    let median = times.map { $0.sorted()[$0.count / 2] }
    print(
      "show over \(isShared ? "a shared" : "its own") connection: \(median[1]), \(median[1] / median[0]) × ssh alone"
    )
  }

  /// Returns the child process of a program; nil if it has none yet.
  private func child(of process: pid_t) -> pid_t? {
    let path = "/proc/\(process)/task/\(process)/children"
    return (try? String(contentsOfFile: path, encoding: .utf8))?.split(separator: " ").first.flatMap {
      pid_t($0)
    }
  }

  @Test func `memory does not grow with the size of a transferred file`() throws {
    let sandbox = try CLISandbox()
    let server = try SSHServer(for: sandbox, isShared: true)
    let script = try sandbox.keep(
      #"""
      import glob, os, subprocess, sys, threading, time

      def peak_there():
          """Returns the peak memory of the programs that the test's server has started."""
          peaks = [0]
          for folder in glob.glob('/proc/[0-9]*'):
              try:
                  if os.fsencode(sys.argv[1]) not in open(folder + '/environ', 'rb').read(): continue
                  if not open(folder + '/cmdline', 'rb').read().startswith(b'customers\0serve'): continue
                  lines = open(folder + '/status').read().splitlines()
                  peaks += [int(line.split()[1]) for line in lines if line.startswith('VmHWM')]
              except (OSError, ValueError):
                  pass
          return max(peaks)

      def peaks(megabytes, *words):
          there = [0]
          process = subprocess.Popen([os.environ['CUSTOMERS'], *words], stdin=subprocess.PIPE)
          def feed():
              process.stdin.write(b'name,note\n')
              row = b'Ann Example,' + b'x' * 980 + b'\n'
              for _ in range(megabytes): process.stdin.write(row * 1000)
              process.stdin.close()
          feeder = threading.Thread(target=feed if 'import' in words else process.stdin.close)
          feeder.start()
          while True:
              there.append(peak_there())
              process_id, status, usage = os.wait4(process.pid, os.WNOHANG)
              if process_id: break
              time.sleep(0.02)
          feeder.join()
          assert status == 0
          return usage.ru_maxrss, max(there)

      found = []
      for megabytes in map(int, sys.argv[2:]):
          found.append(peaks(megabytes, 'import', '-', '-q') + peaks(megabytes, 'export', 'out', '-q', '-y'))
          assert os.path.getsize('out') > megabytes * 990000
          os.remove('customers.sqlite')
          os.remove('out')
      print('KiB here and there, importing and exporting:', *found)
      flat = all(0 < less and more < less + 2_000 for less, more in zip(*found))
      print('flat' if flat else 'growing')
      """#)
    let folder = URL(filePath: server.configuration).deletingLastPathComponent().path
    let result = try sandbox.shell(
      "python3 '\(script)' '\(folder)' \(isLong ? "100 1000" : "5 8")", environment: server.environment)
    print(result.output)
    #expect(result.code == 0 && result.output.hasSuffix("flat\n"), "\(result)")
  }
}
