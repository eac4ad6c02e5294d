import CustomersTestSupport
import Testing

/// Input that never ends, or for which there is no room.
@Suite(.onThreads) struct InputLimitTests {
  @Test(
    arguments: sampled(
      [
        (#"(printf 'add Ann\n'; tr '\0' x < /dev/zero) | customers apply -"#, "standard input:2"),
        (#"(printf '\nadd Ann \\\n'; yes "$(printf %0999d 1)\\") | customers apply -"#, "standard input:2"),
        (#"(printf 'add Ann\n'; head -c 17000000 /dev/zero | tr '\0' x) > s; customers apply s"#, "s:2"),
      ], oneIn: 3))
  func `a script with a line that never ends, or is too long, is refused at that line`(
    script: String, place: String
  ) throws {
    let sandbox = try CLISandbox.withDemo()
    let result = try sandbox.expectUntouched { try sandbox.shell(script) }
    #expect(result.code == 2 && result.output.isEmpty, "\(result)")
    #expect(
      result.errors.contains("\(place): a line of more than 16 MiB begins here")
        && result.errors.contains("1 error; nothing was changed"), "\(result.errors)")
  }

  @Test func `a file for which the disk has no room imports nothing`() throws {
    let sandbox = try CLISandbox.withDemo()
    _ = try sandbox.shell(#"(echo name,note; yes "Ann,$(printf '%01000d' 1)" | head -2000) > long.csv"#)
    let result = try sandbox.expectUntouched {
      try sandbox.shell("ulimit -f 1000; TMPDIR=$PWD customers import long.csv")
    }
    #expect(result.code == 1 && result.output.isEmpty, "\(result)")
    #expect(result.errors.hasPrefix("customers: can't write a temporary file in \""), "\(result.errors)")
    #expect(try sandbox.names == ["customers.sqlite", "long.csv"])
  }
}
