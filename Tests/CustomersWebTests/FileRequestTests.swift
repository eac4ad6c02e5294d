import CustomerFixtures
import CustomerStore
import CustomersTestSupport
import Foundation
import Testing

@testable import CustomersWeb

/// Files that a page sends, imports, exports and fetches.
@Suite(.onThreads) struct FileRequestTests {
  private let list: TestAPI

  init() throws { list = try TestAPI("A, B, C") }

  private static func name(_ number: Int) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 32 - digits.count) + digits
  }

  private func upload(
    _ bytes: [UInt8], _ file: String = name(1), at offset: Int = 0, named title: String? = nil,
    to other: TestAPI? = nil
  ) async -> Answer {
    var query = ["file": file, "at": "\(offset)"]
    query["name"] = title
    return Answer(
      await (other ?? list).api.answer(
        APIRequest(method: "POST", path: "/v1/files", query: query, body: bytes)))
  }

  /// The names of the files that are kept.
  private var kept: Set<String> { Set(list.api.files.names) }

  /// Asks until the work is done.
  private func finish(_ path: String, _ body: String, of other: TestAPI? = nil) async throws -> Answer {
    while true {
      let answer = try await (other ?? list).v1(path, body: body)
      if answer.status != 202 { return answer }
    }
  }

  /// The names in the list.
  private var names: [String] {
    get throws { try list.look { try SampleList($0) }.sections.flatMap { $0.customers.map(\.name) } }
  }

  private func asked(_ file: String = name(1), _ title: String = "a.csv", _ duplicates: String = "add")
    -> String
  {
    #""file":"\#(file)","name":"\#(title)","duplicates":"\#(duplicates)","header":true,"progress":true"#
  }

  private func preview(_ asked: String, work number: Int = 2) async throws -> Answer {
    try await finish("import", #"{"token":"\#(Self.name(number))",\#(asked),"dry_run":true}"#)
  }

  private func importFile(_ token: String, _ asked: String) async throws -> Answer {
    try await finish("import", #"{"token":"\#(token)","page":"p",\#(asked)}"#)
  }

  private func lines(_ answer: Answer) -> [String] { answer.json["lines"] as? [String] ?? [] }

  @Test func `a file is previewed, imported as one step once, and undone`() async throws {
    #expect(await upload(Array("name,email\nDan,d@x.example\nEve,".utf8)).status == 200)
    #expect(await upload(Array("e@x.example\n".utf8), at: 31)[number: "size"] == 43)
    let before = try list.version
    let preview = try await preview(asked())
    #expect(preview["text"] == "Would import 2 customers; the list would have 5 rows.")
    #expect(lines(preview).contains("The first customer:"))
    #expect(lines(preview).contains { $0.hasPrefix("  First name:") && $0.hasSuffix(" Dan") })
    #expect(lines(preview).contains("Would add \"Dan\" and \"Eve\"."))
    #expect(preview.object("read")["leave_out"] as? Bool == false)
    #expect(try list.version == before)
    let token = TransactionToken().rawValue
    let answer = try await importFile(token, asked())
    #expect(answer["text"] == "Imported 2 customers; the list has 5 rows.")
    #expect(try names == ["A", "B", "C", "Dan", "Eve"])
    // The same request again changes nothing; so does one after the program has forgotten it.
    #expect(answer.again == false)
    let again = try await importFile(token, asked())
    #expect(again.again == true && again["text"] == answer["text"] && again["version"] == answer["version"])
    let other = TestAPI(list.store)
    #expect(
      try await finish("import", #"{"token":"\#(token)","page":"p",\#(asked())}"#, of: other).again == true)
    // The file is no longer kept.
    #expect(try await importFile(TransactionToken().rawValue, asked()).status == 404)
    #expect(try list.look { try $0.history(limit: 1)[0].action } == "import")
    try list.change { try $0.undo() }
    #expect(try names == ["A", "B", "C"])
  }

  @Test func `a name of a file stands for one request, and the file is given when it is whole`() async throws
  {
    let (api, name) = (list.api, Self.name(7))
    #expect(await upload([1]).status == 200)
    let other = try await list.v1("export", body: #"{"file":"\#(Self.name(1))","format":"csv"}"#)
    #expect(other.status == 409 && other.kind == "token_used")
    try api.files.create(name, writtenBy: "a")
    let early = try await list.v1("files", ["file": name])
    #expect(early.status == 409 && early.kind == "conflict")
    #expect(await upload([1], name).kind == "token_used")
    #expect(try await list.v1("export", body: #"{"file":"\#(name)","format":"csv"}"#).kind == "token_used")
    api.files.drop(name)
    let export = try await list.v1("export", body: #"{"file":"\#(name)","format":"csv"}"#)
    #expect(export.status == 200 && export["name"] == "customers.csv")
    #expect(try await list.v1("export", body: #"{"file":"\#(name)","format":"csv"}"#).status == 200)
    #expect(try await list.v1("export", body: #"{"file":"\#(name)","format":"tsv"}"#).status == 409)
    #expect(try await list.v1("files", ["file": name]).status == 200)
    let both = #"{"file":"\#(Self.name(8))","format":"csv","ids":[1],"view":{}}"#
    #expect(try await list.v1("export", body: both).status == 400)
  }

  @Test func `what a request waits for can be canceled, too`() async throws {
    let (work, progress, token) = (LongWork(), LongWork.Progress(), TransactionToken())
    let waiting = Task {
      try await work.watching(progress, as: token) { () async throws -> Int in
        while true {
          try progress.advance(to: 1, of: 2)
          try await Task.sleep(for: .milliseconds(1))
        }
      }
    }
    let canceling = Task {
      while !Task.isCancelled {
        await work.cancel(token)
        try? await Task.sleep(for: .milliseconds(1))
      }
    }
    let error = await #expect(throws: APIError.self) { try await waiting.value }
    #expect(error?.kind == .canceled)
    canceling.cancel()
  }

  @Test func `a file that no import reads gives its place back`() async throws {
    for number in 1...KeptFiles.most { #expect(await upload([0x61], Self.name(number)).status == 200) }
    #expect(await upload([0x61], Self.name(9)).status == 429)
    #expect(try await preview(asked(Self.name(1), "a.pdf")).status == 422)
    #expect(await upload([], Self.name(2), at: 1, named: "a.pdf").status == 422)
    #expect(kept == Set((3...KeptFiles.most).map(Self.name)))
    #expect(await upload([0x61], Self.name(9)).status == 200)
  }

  @Test func `customers in the list are added again, skipped, or updated`() async throws {
    try list.change { try $0.update(2) { $0.email = "b@x.example" } }
    let file = Array("name,email,phone\nB,b@x.example,5\nNew,n@x.example,6\n".utf8)
    _ = await upload(file)
    let add = try await preview(asked())
    #expect(lines(add).contains("\"B\" is already in the list."))
    let skip = try await preview(asked(Self.name(1), "a.csv", "skip"), work: 3)
    #expect(skip["text"] == "Would import 1 customer, skip 1; the list would have 4 rows.")
    let update = try await preview(asked(Self.name(1), "a.csv", "update"), work: 4)
    #expect(lines(update).contains("Would change \"B\": phone (empty) → \"5\"."))
    _ = try await importFile(TransactionToken().rawValue, asked(Self.name(1), "a.csv", "update"))
    #expect(try list.look { try $0.customer(2).fields.phone } == "5")
    // The page is warned before the same file is imported again.
    _ = await upload(file, Self.name(9))
    #expect(
      try await lines(preview(asked(Self.name(9)), work: 5)).contains {
        $0.hasPrefix("This file was already")
      })
  }

  @Test func `what is wrong with a file is said, and nothing is changed`() async throws {
    let before = try list.version
    for (bytes, title, reason) in [
      ("", "a.csv", "The file is empty."), ("x,y\n1,2\n", "a.csv", "No column of the file matches a field."),
      ("name\nA\n", "a.ods", "Save a spreadsheet as xlsx or CSV"), ("[1", "a.json", "ine 1"),
      ("%PDF-1.4\n", "a.csv", "The file is a PDF"),
    ] {
      let file = Self.name(bytes.count + 10)
      _ = await upload(Array(bytes.utf8), file)
      let answer = try await preview(asked(file, title), work: bytes.count + 50)
      #expect(answer.kind == "invalid" && answer["message"]?.contains(reason) == true, "\(answer.json)")
      _ = try await list.v1("cancel", body: #"{"file":"\#(file)"}"#)
    }
    // Rows that can't be imported are left out only if the request says so, and so they are in its preview.
    _ = await upload(Array("name,email\nA,a@x\nB,b@x,c,d\n".utf8))
    let refused = try await preview(asked(), work: 90)
    #expect(refused.status == 422 && refused["message"]?.hasPrefix("1 row of the file can't be") == true)
    #expect(refused.object("table")["columns"] != nil)
    let shown = try await preview(asked() + #","leave_out":true"#)
    #expect(lines(shown).contains("1 row can't be imported and would be left out:"))
    #expect(shown.object("read")["leave_out"] as? Bool == true)
    #expect(try await importFile(TransactionToken().rawValue, asked()).status == 422)
    #expect(try list.version == before && kept == [Self.name(1)])
    let taken = try await importFile(TransactionToken().rawValue, asked() + #","leave_out":true"#)
    #expect(taken.status == 200 && kept == [])
  }

  @Test func `the name of a file is looked at before its content`() async throws {
    let refused = await upload([], named: "a.ods")
    #expect(
      refused.kind == "invalid" && refused["message"]?.hasPrefix("\"a.ods\" is in none of these") == true)
    #expect(kept == [])
    #expect(await upload([], named: "a.csv")[number: "size"] == 0)
    #expect(await upload(Array("name\nDan\n".utf8))[number: "size"] == 9)
  }

  @Test func `a file that is canceled or imported is gone from the disk`() async throws {
    for number in 1...3 { _ = await upload(Array("name\nDan\n".utf8), Self.name(number)) }
    let before = Self.openTemporaryFiles
    #expect(before >= 3)
    for number in 1...2 { _ = try await list.v1("cancel", body: #"{"file":"\#(Self.name(number))"}"#) }
    _ = try await importFile(TransactionToken().rawValue, asked(Self.name(3)))
    #expect(kept == [])
    // Other tests use files of this kind, too.
    try waitUntil("the files are closed") { Self.openTemporaryFiles <= before - 3 }
  }

  /// How many files without a name this process has.
  private static var openTemporaryFiles: Int {
    let folder = "/proc/self/fd"
    return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).count { number in
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(number)"))?
        .hasSuffix(" (deleted)") == true
    }
  }

  @Test func `pieces and files are limited, and a lost answer may be asked for again`() async throws {
    let piece = Array(repeating: UInt8(ascii: "a"), count: 1 << 20)
    #expect(await upload(piece).status == 200)
    #expect(await upload(piece)[number: "size"] == 1 << 20)
    #expect(await upload(piece, at: 1 << 19)[number: "size"] == 3 << 19)
    #expect(await upload(piece, at: 1 << 21).status == 400)
    #expect(await upload(piece + [0]).status == 413)
    #expect(await upload(piece, at: -1).status == 400)
    #expect(await upload(piece, "x").status == 400)
    #expect(await upload(piece, Self.name(2), at: 5).status == 404)
    for number in 2...4 { #expect(await upload([], Self.name(number)).status == 200) }
    let fifth = await upload([], Self.name(5))
    #expect(fifth.status == 429 && fifth["message"]?.contains("try again") == true)
    _ = try await list.v1("cancel", body: #"{"file":"\#(Self.name(2))"}"#)
    #expect(await upload([], Self.name(5)).status == 200)
    let files = KeptFiles()
    try files.create("a")
    try await files.use("a") { file in
      let file = try #require(file)
      let large = Array(repeating: UInt8(0), count: KeptFiles.largest)
      #expect(try file.add(large, at: 0) == KeptFiles.largest)
      #expect(throws: APIError.self) { try file.add([0], at: KeptFiles.largest) }
    }
  }

  @Test func `a fifth file takes the place of the one that rests longest, not of one in use`() async throws {
    let files = KeptFiles(shortestRest: .zero)
    for name in ["a", "b", "c", "d"] { try files.create(name) }
    await files.use("a") { _ in }
    try await files.use("b") { file in
      let file = try #require(file)
      // Of those that rest, "c" rests longest, then "d", then "a".
      for (name, names) in [("e", "abde"), ("f", "abef"), ("g", "befg")] {
        try files.create(name)
        #expect(Set(files.names) == Set(names.map(String.init)))
      }
      try await files.use("e") { _ in
        try await files.use("f") { _ in
          try await files.use("g") { _ in
            #expect(throws: APIError.self) { try files.create("h") }
            // Its name is as random as any other.
            try files.create("g")
          }
        }
      }
      #expect(try file.add([1], at: 0) == 1 && files.names.contains("b"))
    }
    try files.create("i")
    #expect(files.names.count == 4 && !files.names.contains("g"))
  }

  @Test func `a file that is used is kept, however long that takes`() async throws {
    // Long enough for a busy machine to begin using one of them.
    let files = KeptFiles(longestRest: .milliseconds(200))
    try files.create("b")
    try files.create("a")
    await files.use("a") { _ in
      try? waitUntil("a file goes that no one uses") { !files.names.contains("b") }
      #expect(files.names == ["a"])
    }
    try waitUntil("all files go") { files.names.isEmpty }
    // Others are looked after, too.
    try files.create("c")
    try waitUntil("all files go") { files.names.isEmpty }
  }

  @Test func `other requests are answered while a work runs, until it is canceled`() async throws {
    let work = LongWork()
    let body: @Sendable (LongWork.Progress) async -> APIAnswer = { progress in
      while (try? progress.advance(to: 1, of: 2)) != nil { try? await Task.sleep(for: .milliseconds(1)) }
      return APIError(.canceled, "Canceled.").answer
    }
    let token = TransactionToken()
    #expect(try await work.answer(token, "a", body).status == 202)
    #expect(try await list.rows(["limit": "3"]).status == 200)
    await work.cancel(token)
    var answer = try await work.answer(token, "a", body)
    while answer.status == 202 { answer = try await work.answer(token, "a", body) }
    #expect(answer.status == 409)
  }

  @Test func `a canceled import changes nothing`() async throws {
    // In a file, others read while it is written.
    let folder = try TemporaryFolder()
    let list = TestAPI(try CustomerStore(path: folder.path + "/list.sqlite"))
    try list.store.fill(with: "A, B, C")
    let rows = (0..<200_000).map { "Person \($0),p\($0)@x.example\n" }.joined()
    let bytes = Array(("name,email\n" + rows).utf8)
    for offset in stride(from: 0, to: bytes.count, by: 1 << 20) {
      let piece = Array(bytes[offset..<min(bytes.count, offset + 1 << 20)])
      #expect(await upload(piece, at: offset, to: list).status == 200)
    }
    let before = try list.version
    let token = TransactionToken().rawValue
    let body = #"{"token":"\#(token)","page":"p",\#(asked())}"#
    _ = try await list.v1("import", body: body)
    _ = try await list.v1("cancel", body: #"{"token":"\#(token)"}"#)
    let answer = try await finish("import", body, of: list)
    // On a busy machine it may be done before it is canceled.
    guard answer["outcome"] != "done" else { return #expect(try list.ids.count == 200_003) }
    #expect(answer.status == 409 && answer.kind == "canceled", "\(answer.json)")
    #expect(try list.version == before)
  }

  @Test(arguments: ["csv", "tsv", "json", "ndjson", "vcard", "markdown"])
  func `an export is fetched in pieces`(format: String) async throws {
    let file = Self.name(7)
    let answer = try await finish("export", #"{"file":"\#(file)","format":"\#(format)","progress":true}"#)
    #expect(answer["text"] == "Exported 3 customers.")
    let size = try #require(answer[number: "size"])
    var bytes: [UInt8] = []
    while bytes.count < size {
      let piece = await list.api.answer(
        APIRequest(method: "GET", path: "/v1/files", query: ["file": file, "at": "\(bytes.count)"]))
      #expect(piece.status == 200 && piece.type == .bytes && !piece.body.isEmpty)
      bytes += piece.body
    }
    #expect(String(decoding: bytes, as: UTF8.self).contains("B"))
    let some = try await finish("export", #"{"file":"\#(Self.name(8))","format":"csv","ids":[3,1]}"#)
    #expect(some["text"] == "Exported 2 customers.")
  }

  @Test func `customers are exported by their ids, or by what matches`() async throws {
    func export(_ count: Int) async throws -> Answer {
      let ids = (0..<count).map { "\(1 + $0 % 3)" }.joined(separator: ",")
      return try await finish("export", #"{"file":"\#(Self.name(count))","format":"csv","ids":[\#(ids)]}"#)
    }
    #expect(try await export(10_001)["text"] == "Exported 10001 customers.")
    let view = #"{"file":"\#(Self.name(9))","format":"csv","view":{"text":"b"}}"#
    #expect(try await list.v1("export", body: view)["text"] == "Exported 1 customer.")
  }

  @Test
  func
    `an export is refused if it would leave out a customer that is named, and says whom a search leaves out`()
    async throws
  {
    let seen = try list.version
    try list.change { list in
      try list.delete([2])
      try list.apply(.column(.setKind("Age", .number, keepingText: true)))
      try list.apply(.update([1], [.extra("Age"): "5"]))
      try list.update(3) { $0.extra = #"{"Age":"old"}"# }
    }
    func export(_ rows: String, file: Int = 7, progress: Bool = false) async throws -> Answer {
      try await finish(
        "export", #"{"file":"\#(Self.name(file))","format":"csv","progress":\#(progress),\#(rows)}"#)
    }
    for progress in [false, true] {
      let unknown = try await export(#""ids":[1,2,77]"#, progress: progress)
      #expect(unknown.status == 404 && unknown.ids == [2, 77] && unknown["message"]?.contains("2") == true)
    }
    #expect(try await export(#""ids":[1,2],"seen":"\#(seen.text)""#)["reason"] == "deleted")
    #expect(try await export(#""view":{"section":9}"#).status == 404)
    #expect(kept.isEmpty)
    let old = try await export(#""range":{"from":1,"to":3},"seen":"\#(seen.text)""#)
    #expect(old["text"] == "Exported 2 customers. 1 of the rows had been deleted.")
    let skipped = try await export(#""view":{"where":"Age>1"}"#, file: 8)
    #expect(skipped["text"]?.hasPrefix("Exported 1 customer. 1 value") == true, "\(skipped.json)")
  }

  @Test func `a list that can only be read is exported, and imports nothing`() async throws {
    let reader = TestAPI(list.store, isReadOnly: true)
    #expect(try await reader.v1("import", body: "{}").status == 403)
    let piece = APIRequest(method: "POST", path: "/v1/files", query: ["file": Self.name(1), "at": "0"])
    #expect(await reader.api.answer(piece).status == 403)
    let export = try await reader.v1("export", body: #"{"file":"\#(Self.name(1))","format":"csv"}"#)
    #expect(export.status == 200)
    #expect(try await reader.v1("formats").objects("formats").first?["name"] as? String == "csv")
  }

  @Test(arguments: [1, 2, 3])
  func `what was imported at random is exported again`(seed: Int) async throws {
    var random = SplitMix64(seed: seed)
    var names = ["A", "B", "C"]
    for round in 0..<12 {
      let new = (0...random.below(30)).map { "N\(round)x\($0)" }
      let bytes = Array(("name\n" + new.map { $0 + "\n" }.joined()).utf8)
      let file = Self.name(100 + round)
      var size = 0
      repeat {
        // A piece is sent twice now and then, or overlaps the one before.
        let start = max(0, size - random.below(3) * random.below(20))
        let end = min(bytes.count, start + 1 + random.below(80))
        size = try #require(await upload(Array(bytes[start..<end]), file, at: start)[number: "size"])
      } while size < bytes.count
      let isWanted = random.below(4) > 0
      if isWanted {
        #expect(try await importFile(TransactionToken().rawValue, asked(file)).status == 200)
        names += new
      } else {
        _ = try await preview(asked(file), work: 200 + round)
        _ = try await list.v1("cancel", body: #"{"file":"\#(file)"}"#)
      }
    }
    #expect(try self.names == names)
    #expect(try list.look { try $0.check() }.isEmpty)
  }
}
