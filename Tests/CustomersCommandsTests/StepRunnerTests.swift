import CustomersSystem
import CustomersTestSupport
import Foundation
import Testing

/// `customers watch --exec`: a program of the user's gets each step.
@Suite(.onThreads) struct StepRunnerTests {
  /// The numbers of the steps that the program has taken, which it adds to a file.
  private func taken(_ sandbox: CLISandbox) throws -> [Int] {
    try sandbox.shell("cat ../taken || true").output.split(separator: "\n").map {
      try #require(try jsonObject(String($0))["step"] as? Int)
    }
  }

  @Test func `each step is handed out until it is taken, and a new run goes on after it`() throws {
    let sandbox = try CLISandbox.withLetters()
    let first = try sandbox.shell(
      """
      echo 'n=$(cat ../left); echo $((n - 1)) > ../left; [ $n -le 0 ] || exit 3; cat >> ../taken' > ../take
      echo 1 > ../left
      timeout 120 "$CUSTOMERS" watch --exec 'sh ../take' --cursor ../cursor --limit 2 > ../out 2>&1 &
      for _ in $(seq 3000); do [ -s ../cursor ] && break || sleep 0.02; done
      customers move 4 1 -q
      customers undo -q
      wait $! || echo "ended with $?"
      stat -c %a ../cursor
      cat ../out
      """)
    let history = try jsonArray(sandbox.run("history", "--limit", "2", "--json").output)
    let numbers = history.reversed().compactMap { $0["step"] as? Int }
    #expect(
      first
        == .done(
          """
          600
          note: "../cursor" is a new cursor; it begins with the next step
          note: the command has not taken step \(numbers[0]): it exited with status 3; trying again in 1 second
          """))
    #expect(try taken(sandbox) == numbers)
    // Their contents are those of the history.
    let lines = try sandbox.shell("cat ../taken").output.split(separator: "\n").map {
      try jsonObject(String($0))
    }
    for (line, known) in zip(lines, history.reversed()) {
      #expect(line["changes"] as? NSArray == known["changes"] as? NSArray)
    }
    // What happened while nothing ran comes next.
    let second = try sandbox.shell(
      """
      customers delete 1 -y -q
      customers undo -q
      customers watch --exec 'sh ../take' --cursor ../cursor --limit 2
      """)
    #expect(second == .done(""))
    #expect(try taken(sandbox) == (numbers[0]...numbers[1] + 2).map(\.self))
  }

  @Test func `a program that is killed at any time loses no step`() throws {
    let sandbox = try CLISandbox.withLetters()
    let rounds = isLong ? 100 : 8
    let run = try sandbox.shell(
      """
      customers watch --exec true --cursor ../cursor --limit 0 2> ../errors
      for round in $(seq \(rounds)); do
        "$CUSTOMERS" watch --quiet --exec 'cat >> ../taken' --cursor ../cursor &
        customers move 4 1 -q
        sleep 0.0$((round * 7 % 10))
        kill -9 $!
        wait $! 2> ../errors
        customers move 1 4 -q
      done
      # What a killed run has started may still be writing.
      sleep 0.2
      "$CUSTOMERS" watch --exec 'cat >> ../taken' --cursor ../cursor &
      last=$(sqlite3 "$CUSTOMERS_DB" 'SELECT id FROM last_edit')
      for _ in $(seq 3000); do grep -q ":$last$" ../cursor && break || sleep 0.02; done
      kill $!
      ! wait $!
      """)
    #expect(run.code == 0, "\(run)")
    let taken = try taken(sandbox)
    let history = try jsonArray(sandbox.run("history", "--limit", "\(2 * rounds)", "--json").output)
    #expect(Set(taken) == Set(history.compactMap { $0["step"] as? Int }) && Set(taken).count == 2 * rounds)
    // A step comes again, but none before an earlier one was taken.
    #expect(zip(taken, taken.dropFirst()).allSatisfy { $1 <= $0 + 1 })
  }

  @Test(arguments: [
    (
      "cp ../before \"$CUSTOMERS_DB\"",
      """
      customers: the history of "FILE" does not have the steps after cursor "../cursor"
      The list was restored or replaced, or its history erased.
      hint: to begin with the next step, remove the cursor: rm ../cursor
      """
    ),
    (
      "customers move 4 1 -q; customers history --forget -y -q; customers move 4 1 -q",
      """
      customers: the history of "FILE" does not have the steps after cursor "../cursor"
      The list was restored or replaced, or its history erased.
      hint: to begin with the next step, remove the cursor: rm ../cursor
      """
    ),
    (
      "echo note > ../cursor",
      """
      customers: "../cursor" is not a cursor of watch
      hint: to begin with the next step, name a new file
      """
    ),
  ])
  func `a list that was restored, or a lost cursor, ends it with 4`(_ mishap: String, _ errors: String) throws
  {
    let sandbox = try CLISandbox.withLetters()
    let run = try sandbox.shell(
      """
      cp "$CUSTOMERS_DB" ../before
      customers move 4 1 -q
      customers watch --exec true --cursor ../cursor --limit 0 --quiet
      \(mishap)
      cp ../cursor ../kept
      customers watch --exec 'touch ../ran' --cursor ../cursor
      code=$?
      cmp ../cursor ../kept && [ ! -e ../ran ] && exit $code
      """)
    #expect(run == .failed(4, errors.replacing("FILE", with: sandbox.file)))
  }

  @Test func `a cursor that is removed, or used by another run, is not written`() throws {
    let sandbox = try CLISandbox.withLetters()
    for mishap in ["rm ../cursor", "sed -i s/:.*/:1/ ../cursor"] {
      let run = try sandbox.shell(
        """
        rm -f ../cursor
        customers watch --exec true --cursor ../cursor --limit 0 --quiet
        customers move 4 1 -q
        customers watch --exec '\(mishap)' --cursor ../cursor
        """)
      #expect(
        run
          == .failed(
            4,
            """
            customers: cursor "../cursor" is gone, or another program has changed it
            hint: let one watch use a cursor
            """))
    }
    #expect(try sandbox.shell("cat ../cursor").output.hasSuffix(":1\n"))
  }

  @Test func `the list is no cursor, and a command is needed`() throws {
    let sandbox = try CLISandbox.withLetters()
    _ = try sandbox.expectUntouched {
      #expect(try sandbox.run("watch", "--exec", "true", "--cursor", sandbox.file).code == 4)
      #expect(try sandbox.run("watch", "--exec", "true", "--cursor", sandbox.file + "-journal").code == 4)
      #expect(try sandbox.run("watch", "--exec", " ", "--cursor", "../cursor").code == 2)
      #expect(try sandbox.run("watch", "--exec", "true").code == 2)
      #expect(try sandbox.run("watch", "--cursor", "../cursor").code == 2)
      let elsewhere = try sandbox.run(
        "--db", "ssh://elsewhere/list", "watch", "--exec", "true", "--cursor", "c")
      #expect(elsewhere.code == 2)
      return elsewhere
    }
  }
}
