import CustomersTestSupport
import Testing

/// How the program gets the words of its command line.
@Suite(.onThreads) struct StartingTests {
  /// Runs `customers` while the system refuses to show it its own process.
  private func withoutProc(_ sandbox: CLISandbox, _ words: String) throws -> ProcessResult {
    try sandbox.shell(
      """
      strace -f -o /dev/null -P /proc/self/maps -P /proc/self/cmdline -e inject=open,openat:error=EACCES \
        "$CUSTOMERS" \(words)
      """)
  }

  @Test func `commands run where the folder /proc can't be read`() throws {
    try requireInstalled("strace", package: "strace")
    let sandbox = try CLISandbox()
    let added = try withoutProc(sandbox, "add 'Ann Lee' --note Zoë")
    #expect(added.code == 0 && added.output == "Added \"Ann Lee\" as row 1.\n", "\(added)")
    #expect(try sandbox.order == "Ann")
    let unknown = try withoutProc(sandbox, "frobnicate")
    #expect(unknown.code == 2 && unknown.errors.contains("unknown command \"frobnicate\""), "\(unknown)")
    let unreadable = try withoutProc(sandbox, "show \"$(printf 'B\\377b')\"")
    #expect(unreadable.code == 2 && unreadable.errors.contains("word 2 of the command line is not UTF-8"))
    let backup = try withoutProc(sandbox, "backup copy.sqlite -q")
    #expect(backup.code == 0, "\(backup)")
    #expect(try sandbox.names == ["copy.sqlite", "customers.sqlite"])
  }

  @Test func `a program started without any argument, not even its name, is refused`() throws {
    let sandbox = try CLISandbox.withDemo()
    // Newer versions of Linux replace an empty vector by one empty word.
    let script = try sandbox.keep(
      """
      import ctypes, os
      program = os.environ['CUSTOMERS'].encode()
      ctypes.CDLL(None).execv(program, (ctypes.c_char_p * 1)(None))
      """)
    let result = try sandbox.shell("python3 '\(script)'")
    #expect(result.code == 1 && result.output.isEmpty, "\(result)")
    #expect(result.errors == "customers: started without arguments, not even the program's name\n")
  }
}
