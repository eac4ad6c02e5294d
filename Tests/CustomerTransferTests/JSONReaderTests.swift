import CustomerFixtures
import CustomersText
import CustomersTestSupport
import Testing

/// JSON and NDJSON, read strictly.
@Suite(.onThreads) struct JSONReaderTests {
  @Test(arguments: [
    ("", []), ("  \n", []), ("[]", []), (" [ ] \r\n", []), ("{}", [""]), ("[{}]", [""]),
    (#"{"a":"1"}"#, ["a=1"]), (#"[{"a":"1"},{"b":"2"}]"#, ["a=1", "b=2"]),
    ("{\"a\":\"1\"}\n{\"b\":\"2\"}\n", ["a=1", "b=2"]), (#"{"a":"1"} {"b":"2"}{}"#, ["a=1", "b=2", ""]),
    (#"{"a":null,"b":""}"#, ["b="]), (#"{"":"x"}"#, ["=x"]),
    (#"{"a":"\"\\\/\b\f\n\r\t\u0041\u00e9\uD83D\ude00\u0000"}"#, ["a=\"\\/\u{8}\u{c}\n\r\tAé😀\0"]),
    (#"{"\u0061":1}"#, ["a:1"]), ("{\"é\":\"1\",\"e\u{301}\":\"2\"}", ["é=1|e\u{301}=2"]),
    (
      #"{"a":-0,"b":0.50,"c":1E+2,"d":1234567890123456789012345678901234567890,"e":true,"f":false}"#,
      ["a:-0|b:0.50|c:1E+2|d:1234567890123456789012345678901234567890|e:true|f:false"]
    ),
    (#"{"a": [ 1 , "\u00e9é" ,[ ]] , "b": { "c" : null } }"#, [#"a:[ 1 , "\u00e9é" ,[ ]]|b:{ "c" : null }"#]),
    ("\u{feff}{\"a\":\"\u{feff}\"}", ["a=\u{feff}"]),
  ])
  func `valid JSON is read, however it is split into chunks`(text: String, expected: [String]) throws {
    for size in 1...max(1, text.utf8.count) {
      let reading = try Reading.json(text, piece: size)
      #expect(reading.problem == nil)
      #expect(reading.lines.map { Array($0.utf8) } == expected.map { Array($0.utf8) }, "pieces of \(size)")
    }
  }

  /// A string and the position of its error.
  @Test(arguments: [
    ("[", 1, 2), ("[{}", 1, 4), ("[{},]", 1, 5), ("[,{}]", 1, 2), ("[{} {}]", 1, 5), ("[{}]]", 1, 5),
    ("[{}] {}", 1, 6), ("{},{}", 1, 3), ("{}\n]", 2, 1), ("[1]", 1, 2), ("[[]]", 1, 2), ("x", 1, 1),
    ("{\n  \"a\" 1}", 2, 7), ("{\"a\":}", 1, 6), ("{\"a\":1,}", 1, 8), ("{,}", 1, 2), ("{a:1}", 1, 2),
    ("{\"a\"", 1, 5),
    ("{\"a\":1", 1, 7), ("{'a':1}", 1, 2), ("{\"a\":1,\"a\":2}", 1, 8), ("{\"a\":1,\"\\u0061\":2}", 1, 8),
    ("{\"b\":{\"a\":1,\"a\":2}}", 1, 13), ("{\"b\":[{\"a\":1,\"a\":null}]}", 1, 14),
    ("{\"a\":null,\"a\":1}", 1, 11),
    ("{\"a\":01}", 1, 7), ("{\"a\":+1}", 1, 6), ("{\"a\":.5}", 1, 6), ("{\"a\":1.}", 1, 8),
    ("{\"a\":1e}", 1, 8),
    ("{\"a\":1e+}", 1, 9), ("{\"a\":-}", 1, 7), ("{\"a\":0x1}", 1, 7), ("{\"a\":NaN}", 1, 6),
    ("{\"a\":nul}", 1, 9), ("{\"a\":True}", 1, 6), ("{\"a\":truex}", 1, 10), ("{\"a\":[1,]}", 1, 9),
    ("{\"a\":[1 2]}", 1, 9), ("{\"a\":[}", 1, 7), ("{\"a\":{]", 1, 7),
    ("{\"a\":\"x", 1, 6), ("\n\n{\"a\":\"x\\\"}", 3, 6), ("{\"a\":\"x\ny\"}", 1, 8), ("{\"a\":\"\t\"}", 1, 7),
    ("{\"a\":\"\u{1f}\"}", 1, 7), ("{\"a\":\"\0\"}", 1, 7), ("{\"é\":\"\t\"}", 1, 8),
    ("{\"a\":\"\\x\"}", 1, 8), ("{\"a\":\"\\u12g4\"}", 1, 11), ("{\"a\":\"\\ud83d\"}", 1, 7),
    ("{\"a\":\"\\ude00\"}", 1, 7), ("{\"a\":\"\\ud83d\\u0041\"}", 1, 7), ("{\"a\":\"\\ud83d\\n\"}", 1, 7),
    ("{\"a\":\"\\ud83d\\ud83d\\ude00\"}", 1, 7), ("{} // no", 1, 4), ("{}\u{feff}", 1, 3),
    ("\u{feff}x", 1, 1),
    ("{\"a\":\u{a0}1}", 1, 6), ("{\"a\":1}\u{c}", 1, 8),
  ])
  func `invalid JSON is reported with its position, whatever the chunks`(text: String, line: Int, column: Int)
    throws
  {
    for size in 1...text.utf8.count {
      let problem = try Reading.json(text, piece: size).problem
      #expect(
        problem?.line == line && problem?.column == column,
        "\(text.debugDescription) \(size): \(problem as Any)")
    }
  }

  @Test(arguments: [
    ([0xff], 7), ([0xc3], 8), ([0xc3, 0x28], 8), ([0xc0, 0xaf], 7), ([0xe0, 0x9f, 0x80], 8),
    ([0xed, 0xa0, 0x80], 8),
    ([0xf4, 0x90, 0x80, 0x80], 8), ([0xf0, 0x8f, 0x80, 0x80], 8), ([0x41, 0x80], 8), ([0xe2, 0x82], 9),
  ])
  func `invalid UTF-8 in JSON is reported with its position`(bytes: [UInt8], column: Int) throws {
    let text = Array("{\"a\":\"".utf8) + bytes + Array("\"}".utf8)
    for size in 1...text.count {
      let problem = try Reading(JSONReader(readChunk: Reading.pieces(text, size))).problem
      #expect(problem == ParseError(line: 1, column: column, message: "not UTF-8"), "\(size)")
    }
  }

  @Test func `customers before a mistake are given, and each knows its line`() throws {
    let reading = try Reading.json("[\n {\"a\":\"1\"},\r\n\n {\"a\":\"2\",\n\"b\":0},\n{\"a\"}]")
    #expect(reading.lines == ["a=1", "a=2|b:0"] && reading.records.map(\.line) == [2, 4])
    #expect(
      reading.problem
        == ParseError(line: 6, column: 5, message: "expected : after the key"))
  }

  @Test func `deep nesting does not overflow the stack`() throws {
    func nested(_ depth: Int) -> String {
      "{\"a\":" + String(repeating: "[", count: depth) + String(repeating: "]", count: depth) + "}"
    }
    #expect(try Reading.json(nested(63)).lines == ["a:" + nested(63).dropFirst(5).dropLast()])
    #expect(try Reading.json(nested(64)).problem?.column == 69)
    #expect(try Reading.json(nested(1_000_000)).problem?.column == 69)
    let objects = String(repeating: "{\"a\":", count: 1_000_000)
    #expect(try Reading.json(objects).problem?.column == 321)
  }

  @Test(arguments: ["\"", "[\"", "[1", "{\"x\":\""])
  func `an endless customer does not fill the memory`(start: String) throws {
    var piece = Array("{\"a\":\(start)".utf8)
    var count = 0
    let reading = try Reading(
      JSONReader {
        defer { piece = Array(repeating: UInt8(ascii: "1"), count: 1 << 16) }
        count += piece.count
        return piece
      })
    #expect(reading.problem?.message == "a customer has more than 16000000 bytes")
    #expect(count < 16_200_000)
  }

  @Test(arguments: ["", "\"x\":{"])
  func `an object has no more names than a spreadsheet has columns`(start: String) throws {
    func names(_ count: Int) -> String {
      "{\(start)" + (1...count).map { "\"\($0)\":0" }.joined(separator: ",") + (start.isEmpty ? "}" : "}}")
    }
    #expect(try Reading.json(names(20_000)).problem == nil)
    #expect(try Reading.json(names(20_001)).problem?.message == "an object has more than 20000 names")
  }

  @Test func `customers of the same names share them`() throws {
    let reading = try Reading.json("{\"abc\":\"1\",\"d\":2}{\"abc\":3,\"d\":\"4\"}{\"d\":0}")
    let addresses = reading.records.map { record in
      unsafe record.columns.withUnsafeBufferPointer { Int(bitPattern: $0.baseAddress) }
    }
    #expect(addresses[0] == addresses[1] && addresses[1] != addresses[2])
  }

  @Test func `an object in a string is read by itself`() throws {
    let columns = try JSON.columns(ofObject: " {\"Fax\":\"1\\u00002\",\"Age\":42,\"no\":null}\n")
    #expect(columns.map(\.name) == ["Fax", "Age"] && columns.map(\.value) == [.text("1\02"), .json("42")])
    for text in ["", "[]", "{} {}", "{\"a\":1,\"a\":1}"] {
      #expect(throws: ParseError.self) { try JSON.columns(ofObject: text) }
    }
  }

  @Test func `an object of texts alone is read as any other one`() throws {
    func read(_ text: String) -> [String]? {
      (try? JSON.columns(ofObject: text, keepsNull: true))?.map { "\($0)" }
    }
    let known = [
      "{}", "{\"\":\"\"}", "{\"Fax\":\"1\",\"Größe\":\"é\u{301}, 👍\"}", "{\"a\":\"1\",\"a\":\"2\"}",
      "{\"é\":\"1\",\"e\u{301}\":\"2\"}", "{\"a\":\"1\",}", "{\"a\":\"1\"}}", "{\"a\":\"1", "{\"a\":\"\t\"}",
      "{\"a\":1,\"b\":null}", "{\"a\":\"\\n\\\"\",\"b\":\"\"}", "{\"a\":\"\0\"}", "{\"a\":\"\u{7f}\"}",
      "{" + (1...40).map { "\"\($0)\":\"x\"" }.joined(separator: ",") + "}",
    ]
    var random = SplitMix64(seed: 1)
    let made = (0..<3000).map { _ in
      var text = Array(known.randomElement(using: &random) ?? "")
      for _ in 0..<Int.random(in: 0...2, using: &random) where !text.isEmpty {
        text[Int.random(in: text.indices, using: &random)] =
          "{}\":,\\a \u{1}".randomElement(using: &random) ?? "x"
      }
      return String(text)
    }
    // A space before it is read by the scanner.
    for text in known + made { #expect(read(text) == read(" " + text), "\(text)") }
  }

  @Test func `JSON that is kept as written stays JSON in one line`() throws {
    let written = JSON.object([("a", .raw("[\n1,\r\n\t\"\u{202e}\"]"))]).text
    #expect(written == #"{"a":[ 1,   "\u202e"]}"#)
    #expect(try JSON.columns(ofObject: written).map(\.value) == [.json(#"[ 1,   "\u202e"]"#)])
  }
}
