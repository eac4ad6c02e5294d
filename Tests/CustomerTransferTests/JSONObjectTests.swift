import CustomersText
import CustomersTestSupport
import Testing

/// Objects that are split into their members as they are written.
@Suite(.onThreads) struct JSONObjectTests {
  @Test(arguments: [
    ("{}", []), (" { } ", []), (#"{"a":1}"#, ["a:1"]),
    (#"{ "a" : 12345678901234567890 , "b":1.10,"c":1e2 }"#, ["a:12345678901234567890", "b:1.10", "c:1e2"]),
    (
      #"{"a":"\u00e9\"},","b":[1, {"c" : "]}"} ],"d":{}}"#,
      [#"a:"\u00e9\"},""#, #"b:[1, {"c" : "]}"} ]"#, "d:{}"]
    ),
    (#"{"\u0041\"":null,"A":true,"A":false}"#, ["A\":null", "A:true", "A:false"]),
    (#"{"\ud800":1}"#, ["?:1"]),
  ])
  func `members keep every byte of their values`(text: String, expected: [String]) throws {
    let object = try #require(JSONObject(text))
    #expect(object.contents.map { "\($0.name ?? "?"):\($0.value)" } == expected)
  }

  @Test(arguments: [
    "", " ", "[]", "1", #""{}""#, "{", #"{"a"}"#, #"{"a":"#, #"{"a":1"#, #"{"a":"b}"#, "{a:1}", #"{"\"#,
  ])
  func `anything but an object is refused`(text: String) { #expect(JSONObject(text) == nil) }

  @Test func `it may be nested as deeply as SQLite allows`() throws {
    let deep = String(repeating: "[", count: 1000) + String(repeating: "]", count: 1000)
    let object = try #require(JSONObject(#"{"a":\#(deep),"b":1}"#))
    #expect(object.replacing("b", with: nil) == #"{"a":\#(deep)}"#)
  }

  @Test func `a member is renamed or left out, and the others stay as they are`() throws {
    let object = try #require(JSONObject(#" {"a": 1.0, "\u0061":[ 2 ] , "é" : 1e2,"e\u0301":"x"}"#))
    #expect(object.replacing("a", with: "n\"") == #"{"n\"":1.0,"n\"":[ 2 ],"é":1e2,"e\u0301":"x"}"#)
    #expect(object.replacing("a", with: nil) == #"{"é":1e2,"e\u0301":"x"}"#)
    #expect(object.replacing("e\u{301}", with: nil) == #"{"a":1.0,"\u0061":[ 2 ],"é":1e2}"#)
    #expect(object.replacing("A", with: nil) == nil && object.replacing("", with: nil) == nil)
    #expect(JSONObject(#"{"a":1}"#)?.replacing("a", with: nil) == "{}")
  }

  @Test func `a single value is read strictly`() {
    #expect(JSON.value("1.10") == .json("1.10") && JSON.value(#""x""#) == .text("x"))
    #expect(JSON.value("[1, 2]") == .json("[1, 2]") && JSON.value("null") == .json("null"))
    for text in [
      "", " 1", "1 ", "1,\"b\":2", "1}", "01", "+1", "1.", ".5", "x", "1},{\"a\":1", "NaN", "0x10",
    ] {
      #expect(JSON.value(text) == nil, "\(text)")
    }
  }
}
