import CustomersTestSupport
import Foundation
import Testing

/// A file that was imported before is noticed by its bytes, whatever it is called.
@Suite(.onThreads) struct ImportAgainTests {
  @Test func `a second import asks, or is refused without a terminal to ask on`() throws {
    let sandbox = try CLISandbox()
    try sandbox.write("name\nAnn\nBob\n", to: "list.csv")
    try sandbox.write("name\nAnn\nBob\n", to: "copy.csv")
    try #require(try sandbox.run("import", "list.csv", "-q") == .done())
    let sum = try sandbox.shell("sha256sum list.csv").output.prefix(64)
    #expect(try sandbox.sqlite("SELECT digest FROM history_step WHERE digest IS NOT NULL") == sum + "\n")
    let refused = """
      customers: "copy.csv" was already imported (step 1)
      hint: to import it again, add --yes
      """
    #expect(try sandbox.run("import", "copy.csv") == .failed(4, refused))
    #expect(try sandbox.shell("customers import - < copy.csv").code == 4)
    let note = try sandbox.run("import", "copy.csv", "-n")
    #expect(note.code == 0 && note.errors.hasPrefix("note: \"copy.csv\" was already imported (step "))
    let no = try sandbox.run(words: ["import", "copy.csv"], answers: ["n"])
    #expect(no.code == 5 && no.errors.contains("Import it again? [y/N] "))
    #expect(try sandbox.order == "Ann Bob")
    #expect(try sandbox.run(words: ["import", "copy.csv"], answers: ["y"]).code == 0)
    #expect(try sandbox.run("import", "copy.csv", "-y", "-q") == .done())
    #expect(try sandbox.order == "Ann Bob Ann Bob Ann Bob")
  }

  @Test func `a person at a terminal sees that the program waits, and how to end it`() throws {
    let sandbox = try CLISandbox()
    let waits = "Reading from the terminal; press Ctrl-D at the start of a line to end.\n"
    for (command, lines) in [("import", ["name", "Ann"]), ("apply", ["add Bob"])] {
      let result = try sandbox.run(words: [command, "-"], answers: lines)
      #expect(result.code == 0 && result.errors == waits, "\(result)")
    }
    #expect(try sandbox.run("import", "-", stdin: "name\nEve\n").errors.isEmpty)
  }

  @Test func `an import that was undone, another file, and known customers are not asked about`() throws {
    let sandbox = try CLISandbox()
    let file = "name,email\nAnn,a@x\n"
    try #require(try sandbox.run("import", "-", "-q", stdin: file) == .done())
    let others = "name,email\nAnna,a@x\nBob,b@x\n"
    #expect(try sandbox.run("import", "-", "-q", stdin: others) == .done())
    #expect(try sandbox.run("import", "-", "-q", "--on-duplicate", "skip", stdin: file) == .done())
    #expect(try sandbox.run("undo", "--steps", "2", "-q").code == 0)
    #expect(try sandbox.run("import", "-", "-q", stdin: file) == .done())
    #expect(try sandbox.order == "Ann")
  }

  @Test(arguments: [
    ["Zip=-", "Town=extra.City"], ["zip=-,TOWN=extra.City"], ["z_i-p=-", " town =extra.City"],
  ])
  func `a mapping can be given in parts and in any spelling, and can rename extra columns`(maps: [String])
    throws
  {
    let sandbox = try CLISandbox()
    let words = ["import", "-", "-q"] + maps.flatMap { ["--map", $0] }
    #expect(try sandbox.run(words: words, stdin: "name,Zip,Town\nAnn,1,Bonn\n") == .done())
    #expect(try sandbox.sqlite("SELECT extra FROM customers") == "{\"City\":\"Bonn\"}\n")
  }

  @Test func `an ambiguous map is refused`() throws {
    let sandbox = try CLISandbox()
    for (maps, message) in [
      (["a b=note"], "--map: \"a b\" may be \"A-B\" or \"a_b\"\nhint: write the name exactly as in the file"),
      (["n=extra.City"], "--map: the file already has a column \"City\""),
      (["a_b=extra.X", "n=extra.X"], "--map: two columns are imported as extra column \"X\""),
      (["n=name", "N=note"], "--map: \"N\" was given twice"),
    ] {
      let words = ["import", "-"] + maps.flatMap { ["--map", $0] }
      let answer = try sandbox.run(words: words, stdin: "n,A-B,a_b,City\n1,2,3,4\n")
      #expect(answer == .failed(2, "customers: " + message))
    }
    let commas = try sandbox.run(
      "import", "-", "-q", "--map", "Last, First=name", stdin: "\"Last, First\"\nAnn\n")
    #expect(commas == .done())
  }

  @Test func `customers are recognized by any column`() throws {
    let sandbox = try CLISandbox()
    let file = "CustomerID,name,phone\nK1,Ann,1\nK2,Bob,2\n"
    try #require(try sandbox.run("import", "-", "-q", stdin: file) == .done())
    let words = ["import", "-", "--on-duplicate", "update", "--key"]
    let update = "customer_id,name,phone\nk2,Rob,2\nK3,Eve,3\n"
    let told = try sandbox.run(
      words: words + ["customer id", "--map", "customer_id=extra.CustomerID"], stdin: update)
    #expect(told.output == "Imported 1 customer, updated 1; the list has 3 rows.\n", "\(told)")
    let phones = try sandbox.run(words: words + ["Phone"], stdin: "name,tel\nAnna,1\nRob,2\n")
    #expect(phones == .done("Imported 0 customers, updated 1, skipped 1; the list has 3 rows."))
    #expect(try sandbox.order == "Anna Rob Eve")
    let unknown = try sandbox.run(words: words + ["phon"], stdin: "name,phone\nAnna,1\n")
    #expect(
      unknown
        == .failed(2, "customers: --key: the file has no column \"phon\"\nhint: did you mean \"phone\"?"))
    #expect(try sandbox.run("import", "-", "--key", "x", stdin: "name\nA\n").code == 2)
  }

  @Test func `the offending value is identified, in JSON by customer`() throws {
    let sandbox = try CLISandbox()
    try #require(try sandbox.run("import", "-", "-q", stdin: "name,email\nA,x@y\nB,x@y\n") == .done())
    let json = #"[{"name":"C","email":"c@y"},{"name":"D","email":"X@y"}]"#
    let answer = try sandbox.run(
      "import", "-", "--on-duplicate", "update", "--format", "json", stdin: json)
    #expect(
      answer.errors.hasPrefix(
        "customers: standard input: customer 2: several customers in the list have the email \"X@y\"\n"))
  }
}
