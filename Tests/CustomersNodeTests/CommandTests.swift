import CustomerFixtures
import CustomerStore
import Foundation
import CustomersTestSupport
import Testing

/// The program on a cluster: every command works, or explains why it can't.
@Suite(.serialized, .onThreads)
struct CommandTests {
  let cluster: TestCluster
  let folder: TemporaryFolder

  init() throws { (cluster, folder) = (try TestCluster(), try TemporaryFolder()) }

  /// Runs `customers` on the cluster, or on another list.
  private func run(_ words: String..., on list: String? = nil) throws -> (text: String, code: Int32) {
    try run(words, on: list)
  }

  private func run(_ words: [String], on list: String? = nil, tracing: Bool = false) throws
    -> (text: String, code: Int32)
  {
    let tracer = tracing ? ["strace", "-f", "-e", "trace=sendto", "-o", folder.path + "/trace"] : []
    var spawn = Spawn(
      words: tracer + [NodeCopy.program] + words,
      environment: ["CUSTOMERS_DB": list ?? cluster.url(), "PATH": "/usr/bin:/bin", "HOME": folder.path],
      folder: folder.path)
    (spawn.output, spawn.errors) = (folder.path + "/output", folder.path + "/errors")
    let code = Spawn.wait(try spawn.start())
    func text(_ name: String) throws -> String {
      try String(contentsOfFile: "\(folder.path)/\(name)", encoding: .utf8)
    }
    return (try text("output") + text("errors"), code)
  }

  @Test func `commands work on a cluster as on a file`() throws {
    #expect(try run("list").code == 3)
    #expect(try run("demo").code == 0)
    #expect(try run("move", "5", "2").text == "Moved \"Zoë Müller\" 5 → 2.\n")
    #expect(try run("add", "Nea", "--at", "1", "--dry-run").text.hasPrefix("Would add"))
    #expect(try run("show", "2").text.contains("Zoë"))
    #expect(try run("find", "zoe").text.contains("Zoë"))
    #expect(try run("undo").code == 0)
    #expect(try run("redo").code == 0)
    #expect(try run("sort", "--by", "name", "--yes").text.hasPrefix("Sorted"))
    #expect(try run("check").text.hasPrefix("OK: 10 rows"))
    #expect(try run("info").text.contains("(leader)"))
    #expect(try run("export", folder.path + "/export.csv").code == 0)
    let script = folder.path + "/script"
    try "add Ann\nmove 1 3\n".write(toFile: script, atomically: true, encoding: .utf8)
    #expect(try run("apply", script).code == 0)
    #expect(try run("import", folder.path + "/export.csv", "--yes").code == 0)
    #expect(try run("history").text.contains("import"))
  }

  @Test func `commands that need a file are refused on a cluster, with a hint`() throws {
    #expect(try run("demo").code == 0)
    for words in [["check", "--repair"], ["history", "--forget"], ["restore", "copy"]] {
      let result = try run(words)
      #expect(result.code == 4 && result.text.contains("can't be done on a cluster"), "\(words): \(result)")
    }
    let series = try run("backup", "dqlite://127.0.0.1:1/customers", "--every", "1s")
    #expect(series.code == 2 && series.text.contains("can't copy to a cluster"))
    #expect(try run("list", on: "dqlite://nowhere").text.contains("the address of the cluster is incomplete"))
    #expect(try run("check").text.hasPrefix("OK: 10 rows"))
  }

  @Test func `backup copies a list with its history to a cluster, and back`() throws {
    let (file, back) = (folder.path + "/file.sqlite", folder.path + "/back.sqlite")
    #expect(try run("demo", on: file).code == 0)
    #expect(try run("move", "5", "2", on: file).code == 0)
    #expect(try run("backup", cluster.url(), on: file).text.hasPrefix("Backed up 10 rows"))
    #expect(try run("backup", cluster.url(), on: file).code == 4)
    #expect(try run("backup", back).code == 0)
    #expect(try run("check", on: back).code == 0)
    for words in [["list", "--json"], ["history", "--json"], ["section", "list", "--json"]] {
      #expect(try run(words, on: back).text == run(words, on: file).text)
      #expect(try run(words).text == run(words, on: file).text)
    }
    #expect(try run("undo").text.hasPrefix("Undid move"))
  }

  @Test func `a move takes at most twelve round trips after connecting`() throws {
    #expect(try run("demo").code == 0)
    let leader = try #require(cluster.leader)
    let url = "dqlite://\(cluster.addresses[leader])/customers"
    #expect(try run(["move", "5", "2"], on: url, tracing: true).code == 0)
    let trace = try String(contentsOfFile: folder.path + "/trace", encoding: .utf8)
    // Connecting takes two: who leads which cluster, and the database.
    #expect(trace.matches(of: /sendto\(/).count - 2 <= 12)
  }

  @Test func `a reading of a thousand rows takes at most twenty messages`() throws {
    let rows = (1...1000).map { "Row \($0),\($0)@example.com" }.joined(separator: "\n")
    try "name,email\n\(rows)\n".write(toFile: folder.path + "/rows.csv", atomically: true, encoding: .utf8)
    #expect(try run("import", folder.path + "/rows.csv", "--yes").code == 0)
    for _ in 0..<20 { #expect(try run("move", "500", "2").code == 0) }
    let leader = try #require(cluster.leader)
    let url = "dqlite://\(cluster.addresses[leader])/customers"
    for words in [
      ["list"], ["list", "--limit", "20"], ["find", "77"], ["history"], ["show", "9"], ["duplicates"],
      ["export", folder.path + "/export.csv"],
    ] {
      #expect(try run(words, on: url, tracing: true).code == 0)
      let trace = try String(contentsOfFile: folder.path + "/trace", encoding: .utf8)
      let messages = trace.matches(of: /sendto\(/).count
      #expect(messages <= 20, "\(words): \(messages)")
    }
  }

  @Test func `watch keeps following the list after the leader is killed`() throws {
    #expect(try run("demo").code == 0)
    var spawn = Spawn(
      words: [NodeCopy.program, "watch", "--json", "--limit", "6"],
      environment: ["CUSTOMERS_DB": cluster.url()], folder: folder.path)
    (spawn.output, spawn.errors) = (folder.path + "/watched", folder.path + "/watch-errors")
    let watch = try spawn.start()
    func lines() throws -> [Substring] {
      try String(contentsOfFile: folder.path + "/watched", encoding: .utf8).split(separator: "\n")
    }
    try waitUntil("the list is shown") { try lines().count == 1 }
    for number in 1...3 { #expect(try run("add", "Before\(number)").code == 0) }
    cluster.kill(try #require(cluster.leader))
    for number in 1...3 { #expect(try run("add", "After\(number)").code == 0) }
    #expect(Spawn.wait(watch) == 0)
    let text = try lines().dropFirst().joined()
    for name in ["Before1", "Before2", "Before3", "After1", "After2", "After3"] {
      #expect(text.matches(of: try Regex("\"first_name\":\"\(name)\"")).count == 1, "\(name) in \(text)")
    }
    #expect(try lines().count == 7)
  }

  @Test(arguments: [31, 37])
  func `watch prints each step once, although connections are lost`(every: Int) throws {
    #expect(try run("demo").code == 0)
    // After the start, each request of such a number finds the connection closed.
    var spawn = Spawn(
      words: [
        "strace", "-f", "-o", "/dev/null", "-e", "trace=sendto", "-e",
        "inject=sendto:error=ECONNRESET:when=60+\(every)", NodeCopy.program, "watch", "--json", "--limit",
        "30",
      ],
      environment: ["CUSTOMERS_DB": cluster.url(), "PATH": "/usr/bin:/bin"], folder: folder.path)
    spawn.output = folder.path + "/watched"
    let watch = try spawn.start()
    func lines() throws -> [Substring] {
      try String(contentsOfFile: folder.path + "/watched", encoding: .utf8).split(separator: "\n")
    }
    try waitUntil("the list is shown") { try lines().count == 1 }
    for number in 1...30 { #expect(try run("add", "Row\(number)").code == 0) }
    try waitUntil("all is shown") { Spawn.hasEnded(watch) }
    #expect(Spawn.wait(watch) == 0)
    let steps = try lines().dropFirst().compactMap { $0.prefixMatch(of: /\{"step":(\d+)/)?.1 }
    #expect(steps.count == 30 && Set(steps).count == 30, "\(steps)")
  }

  @Test func `a node that can't listen on IPv6 says so`() throws {
    let result = try cluster.run("--data", folder.path + "/node", "--address", "[::1]:9001")
    #expect(result.code == 1 && result.text.contains("listen on IPv4 only"), "\(result)")
  }

  @Test func `nodes have names`() throws {
    let host = ProcessInfo.processInfo.hostName
    let cluster = try TestCluster(3, at: host)
    #expect(try run("demo", on: cluster.url()).code == 0)
    cluster.kill(try #require(cluster.leader))
    #expect(try run("move", "5", "2", on: cluster.url()).code == 0)
    #expect(try run("info", on: cluster.url()).text.contains("\(host):"))
  }

  @Test func `info on a cluster without a list shows its nodes, and how to create a list`() throws {
    let result = try run("info")
    #expect(result.code == 0 && result.text.contains("(leader)"), "\(result)")
    #expect(result.text.contains("no; to create it: customers add NAME"), "\(result)")
    #expect(try run("info", "--json").text.contains("\"exists\":false"))
  }

  @Test func `check compares the lists of the nodes`() throws {
    #expect(try run("demo").code == 0)
    let same = try run("check", "--digest")
    #expect(same.code == 0 && same.text.matches(of: /: the same/).count == 3, "\(same)")
    cluster.kill(((try #require(cluster.leader)) + 1) % 3)
    let two = try run("check", "--digest", "--json")
    #expect(two.code == 0 && two.text.matches(of: /"ok":true}/).count == 2, "\(two)")
    #expect(two.text.contains("\"digest\":null,\"ok\":false}"), "\(two)")
  }

  @Test func `a node stops at SIGTERM and restarts with its data`() throws {
    #expect(try run("demo").code == 0)
    for node in 0..<3 { #expect(cluster.stop(node) == 0, "\(cluster.log(of: node))") }
    for node in 0..<3 { try cluster.start(node) }
    #expect(try run("check").text.hasPrefix("OK: 10 rows"))
  }
}
