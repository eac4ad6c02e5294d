import CustomersTestSupport
import Foundation
import Testing

/// The log and the next date in files that come back, and in what other programs write.
@Suite(.onThreads) struct LogTravelTests {
  private func list() throws -> CLISandbox {
    let sandbox = try CLISandbox()
    for name in ["Ann", "Bob"] { #expect(try sandbox.run("add", name, "-q") == .done()) }
    #expect(try sandbox.run("log", "Ann", "called", "--next", "2026-11-01", "-q") == .done())
    return sandbox
  }

  @Test(arguments: [
    ("soon", 1, "line 2: next is not a date"), ("2026-02-31", 1, "line 2: next is not a date"),
    ("11/12/2026", 2, "values of \"next\", first in line 2, can be read in 2 ways"),
  ])
  func `an invalid next date of a file is refused`(_ word: String, code: Int32, message: String) throws {
    let sandbox = try list()
    let file = try sandbox.run("export", "--format", "csv", "--ids").output
    try sandbox.write(file.replacing("2026-11-01", with: word), to: "back.csv")
    let before = try sandbox.run("check", "--digest")
    let result = try sandbox.run("import", "back.csv", "--on-duplicate", "update", "--key", "id")
    #expect(result.code == code && result.errors.contains(message), "\(result)")
    #expect(try sandbox.run("check", "--digest") == before)
    // Another program can write anything, which is counted, and no obstacle.
    _ = try sandbox.sqlite("UPDATE customers SET next = 'soon' WHERE id = 1")
    let check = try sandbox.run("check")
    #expect(check.code == 0 && (check.output + check.errors).contains("1 value"), "\(check)")
  }

  @Test(arguments: ["csv", "xlsx", "json"])
  func `a log comes into another list, and to a customer whom it has`(_ format: String) throws {
    let sandbox = try list()
    let file = "list.\(format)"
    #expect(
      try sandbox.run(words: ["export", file, "-q"] + (format == "json" ? [] : ["--ids"])) == .done())
    let other = try CLISandbox()
    #expect(try other.run("add", "Ann", "-q") == .done())
    let empty = try other.run("check", "--digest").output
    for _ in 1...2 {
      let path = sandbox.folder + "/" + file
      let result = try other.run(
        "import", path, "--on-duplicate", "update", "--key", "name", "--on-conflict", "theirs", "-q")
      #expect(result == .done())
      let shown = try other.run("show", "Ann").output
      #expect(shown.contains("2026-11-01") && shown.split(separator: "called").count == 2)
    }
    #expect(try other.run("check", "--digest").output != empty)
  }

  @Test func `the digest of a list has its log`() throws {
    let sandbox = try list()
    let before = try sandbox.run("check", "--digest").output
    #expect(try sandbox.run("log", "Bob", "said", "-q") == .done())
    #expect(try sandbox.run("check", "--digest").output != before)
    #expect(try sandbox.run("undo", "-q") == .done())
    #expect(try sandbox.run("check", "--digest").output == before)
  }

  @Test func `a new row without a section goes to the first one`() throws {
    let sandbox = try list()
    let file = try sandbox.run("export", "--format", "csv", "--ids").output
    let columns = file.split(separator: "\n")[0].split(separator: ",").count
    try sandbox.write(file + ",,Cid" + String(repeating: ",", count: columns - 3) + "\n", to: "back.csv")
    #expect(try sandbox.run("import", "back.csv", "--on-duplicate", "update", "--key", "id", "-q") == .done())
    #expect(try sandbox.sqlite("SELECT section, first_name FROM customers") == "1|Ann\n1|Bob\n1|Cid\n")
  }

  @Test func `what is typed is shown without escape sequences`() throws {
    let sandbox = try list()
    #expect(try sandbox.run("log", "1", "hi", "--next", "").code == 2)
    let result = try sandbox.run("log", "1", "hi", "--next", "\u{1b}[31mX")
    #expect(result.code == 2 && !result.errors.contains("\u{1b}"), "\(result)")
  }

  @Test func `a log that no export wrote is refused by its line`() throws {
    let sandbox = try list()
    let file = try sandbox.run("export", "--format", "csv", "--ids").output
    let rows = file.split(separator: "\n")
    let last = rows[2].dropLast() + ",{bad"
    try sandbox.write([rows[0], rows[1], last].joined(separator: "\n") + "\n", to: "back.csv")
    let result = try sandbox.run("import", "back.csv", "--on-duplicate", "update", "--key", "id")
    #expect(result.code == 1 && result.errors.contains("line 3: the log is not one"), "\(result)")
  }
}
