import Foundation
import CustomersTestSupport
import Testing

/// Lost connections: the exit code reports the outcome, and no change is made twice.
@Suite(.onThreads) struct LostConnectionTests {
  /// Runs a command and cuts its first connection after `count` bytes from the other machine or to it.
  private func run(
    _ words: [String], in sandbox: CLISandbox, cutting side: String, after count: Int
  ) throws -> ProcessResult {
    let cutter = try sandbox.keep(
      """
      import os, subprocess, sys, threading
      mark, side, limit, word = sys.argv[1:]
      if os.path.exists(mark): os.execvp('sh', ['sh', '-c', word])
      open(mark, 'w').close()
      server = subprocess.Popen(['sh', '-c', word], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
      def forward(source, target, left):
          while left != 0:
              data = os.read(source, 1 << 16)
              if left is not None:
                  data = data[:left]
                  left -= len(data)
              if not data: break
              os.write(target, data)
          os._exit(255)
      up = (0, server.stdin.fileno(), int(limit) if side == 'to' else None)
      down = (server.stdout.fileno(), 1, int(limit) if side == 'from' else None)
      threading.Thread(target=forward, args=up).start()
      forward(*down)
      """)
    let mark = "\(cutter).cut"
    let environment = try sandbox.otherMachine(
      serving: "run python3 '\(cutter)' '\(mark)' \(side) \(count) \"$word\"")
    return try sandbox.run(words: words, environment: environment)
  }

  @Test(arguments: [("from", 110, 22), ("to", 500, 100)])
  func `the exit code is right wherever the connection is cut`(side: String, size: Int, step: Int) throws {
    let sandbox = try CLISandbox.withLetters()
    var codes: Set<Int32> = []
    for count in stride(from: 0, through: size, by: isLong ? 1 : step) {
      let name = "N\(count)"
      let result = try run(["add", name], in: sandbox, cutting: side, after: count)
      let found = try sandbox.sqlite("SELECT count(*) FROM customers WHERE first_name = '\(name)'")
      #expect(found == (result.code == 0 ? "1\n" : "0\n"), "\(count): \(result)")
      let isReported = result.code == 0 || result.errors.contains("; nothing was changed") || count < 24
      #expect(isReported && [0, 1].contains(result.code), "\(count): \(result)")
      codes.insert(result.code)
    }
    #expect(codes == [0, 1])
    try sandbox.expectSound()
  }

  /// The machine is never reached again after the caller has learned of the change.
  @Test(arguments: [false, true])
  func `the outcome is unknown while the machine can't be reached`(isDone: Bool) throws {
    let sandbox = try CLISandbox.withLetters()
    let program = try sandbox.keepProgram(
      speakingProtocol: """
        mark, is_done, word = sys.argv[1:]
        if os.path.exists(mark): sys.exit(255)
        open(mark, 'w').close()
        server = subprocess.Popen(['sh', '-c', word], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        caller = Wire(sys.stdin.buffer, sys.stdout.buffer)
        there = Wire(server.stdout, server.stdin)
        caller.writing.write(server.stdout.readline())
        caller.writing.flush()
        def forward(source, target):
            kind, content = source.receive()
            target.send(kind, content=content)
            return kind
        forward(caller, there)
        while forward(there, caller) != WILL_CHANGE: pass
        if is_done == 'true':
            forward(caller, there)
            while there.receive()[0] != EXIT: pass
        server.stdin.close()
        server.wait()
        sys.exit(255)
        """)
    let serving = "run python3 '\(program)' '\(program).cut' \(isDone) \"$word\""
    let result = try sandbox.run(words: ["add", "Eve"], environment: sandbox.otherMachine(serving: serving))
    #expect(
      result
        == .failed(
          6,
          """
          customers: the connection to "elsewhere" was lost; the change may have been made
          hint: when the machine can be reached again, customers history shows what was done
          """))
    #expect(try sandbox.order == (isDone ? "A B C D Eve | X Y" : "A B C D | X Y"))
  }

  @Test func `the outcome of a command without a token may be unknown`() throws {
    let sandbox = try CLISandbox.withLetters()
    #expect(try sandbox.run("backup", "copy", "-q") == .done())
    #expect(try sandbox.run("delete", "1-3", "-y", "-q") == .done())
    let before = try #require(sandbox.bytes)
    var codes: Set<Int32> = []
    for count in stride(from: 5, through: 200, by: isLong ? 1 : 25) {
      let result = try run(["restore", "copy", "-y", "-q"], in: sandbox, cutting: "from", after: count)
      codes.insert(result.code)
      if result.code == 1 { #expect(sandbox.bytes == before, "\(count): \(result)") }
      if result.code == 6 {
        #expect(result.errors.contains("may have been completed"), "\(result)")
        // A program that is still running there ends soon.
        Thread.sleep(forTimeInterval: 0.3)
      }
      try sandbox.put(before)
    }
    #expect(codes == [0, 1, 6])
  }

  /// The program there waits for the lock, and does not notice that the connection was lost.
  @Test func `a program still running makes its change before the lookup, or never`() throws {
    let sandbox = try CLISandbox.withLetters()
    let environment = try sandbox.otherMachine(
      serving: """
        if [ -e "$FAR/first" ]; then run sh -c "$word"; exit; fi
        mkfifo "$FAR/first" "$FAR/down"
        sleep 5 > "$FAR/first" &
        run sh -c "$word" < "$FAR/first" > "$FAR/down" &
        cat "$FAR/down" &
        reader=$!
        exec 3<&0
        cat <&3 > "$FAR/first" &
        sleep 0.5
        kill $reader
        """)
    let result = try sandbox.shell(
      """
      sqlite3 '\(sandbox.file)' 'BEGIN IMMEDIATE;' '.system touch locked; sleep 1' 'ROLLBACK;' &
      while [ ! -e locked ]; do sleep 0.05; done
      customers add Late
      code=$?
      sleep 0.5
      exit $code
      """, environment: environment)
    let found = try sandbox.sqlite("SELECT count(*) FROM customers WHERE first_name = 'Late'")
    #expect(found == (result.code == 0 ? "1\n" : "0\n"), "\(result)")
    #expect(result.errors.contains("lost"), "\(result)")
  }
}
