import CustomersTestSupport
import Foundation
import Testing

/// A command that fails leaves no new list.
@Suite(.onThreads) struct NewListTests {
  @Test(arguments: [
    ["import", "bad.csv"], ["import", "bad.csv", "--section", "nowhere"],
    ["import", "good.csv", "--at", "9"],
    ["add", "Ann", "--section", "nowhere"], ["add", "Ann", "--at", "9"], ["apply", "script"],
    ["restore", "not-a-list", "--yes"],
  ])
  func `a command that fails removes the list that it created`(words: [String]) throws {
    let sandbox = try CLISandbox()
    try Data("name\nAnn\nB\u{fffd}b\n".utf8).write(to: URL(filePath: sandbox.folder + "/good.csv"))
    try NewListTests.writeBadFile(in: sandbox)
    try sandbox.write("add Ann\nmove 7 1\n", to: "script")
    try sandbox.write("no list", to: "not-a-list")
    let before = try sandbox.names
    let result = try sandbox.spawn(words: words)
    #expect(result.code != 0 && !result.errors.isEmpty, "\(result)")
    #expect(try sandbox.names == before, "\(result)")
    // The same from another machine.
    let far = try sandbox.spawn(words: words, environment: sandbox.otherMachine())
    #expect(far.code == result.code && far.errors == result.errors, "\(far)")
    #expect(try sandbox.names == before)
  }

  @Test func `a list that was there before stays, even an empty one`() throws {
    let sandbox = try CLISandbox()
    try NewListTests.writeBadFile(in: sandbox)
    try sandbox.write("", to: "customers.sqlite")
    #expect(try sandbox.spawn("import", "bad.csv").code == 1)
    #expect(try sandbox.names == ["bad.csv", "customers.sqlite"])
    #expect(try sandbox.run("add", "Ann", "-q") == .done())
    #expect(try sandbox.spawn("import", "bad.csv").code == 1)
    #expect(try sandbox.order == "Ann")
  }

  /// A file that is in no encoding: UTF-8 but for one byte.
  private static func writeBadFile(in sandbox: CLISandbox) throws {
    try Data("name\nZoë\nB".utf8 + [0xff] + "b\n".utf8).write(to: URL(filePath: sandbox.folder + "/bad.csv"))
  }
}
