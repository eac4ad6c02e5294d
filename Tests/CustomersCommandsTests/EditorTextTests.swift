import CustomersTestSupport
import Foundation
import Testing

/// Values survive a round trip through an editor.
@Suite(.onThreads) struct EditorTextTests {
  @Test(
    arguments: sampled(
      HostileTextTests.sequences + [
        "", " ", "\n", "\n\n", "\r\n", "\\", "\\n", "\\u{20}", "a\n", "\na", "a\n\n\nb", " a ", "|", "| a",
        "#",
        "# a\n# b",
        "\u{301}", "\u{301}\n\u{301}", "Phone: 1", "a\u{a0}", "\u{3000}", "\u{0}", "a\u{0}\nb", "e\u{301}",
        "é",
        "🇩🇪\u{200d}",
        "\u{85}", "\u{2028}", "\u{feff}", "x\u{feff}", "\\\n\\", "\t\t",
        String(repeating: "long ", count: 14_000),
      ], oneIn: 4))
  func `any value is preserved exactly`(value: String) throws {
    let sandbox = try CLISandbox()
    // No file may have a NUL, but another program may write one.
    let text = value.replacing("\u{0}", with: "\u{1}")
    let customer = try JSONEncoder().encode(["company": text, "note": "x" + text, "address": text + "y"])
    let file = String(decoding: customer, as: UTF8.self)
    #expect(try sandbox.run("import", "-", "-q", "--format", "ndjson", stdin: file) == .done())
    if value.contains("\u{0}") {
      let columns = ["company", "note", "address"].map { "\($0) = replace(\($0), char(1), char(0))" }
      _ = try sandbox.sqlite("UPDATE customers SET \(columns.joined(separator: ", "))")
    }
    let before = try sandbox.run("list", "--json").output
    // The editor rewrites the text, and one line of another field with it.
    let environment = try sandbox.editor("{ cat \"$1\" | sed 's/^Phone:$/Phone: 1/'; } > t; cat t > \"$1\"")
    let edited = try sandbox.run("edit", "1", "--editor", environment: environment)
    #expect(edited.code == 0 && edited.output.hasSuffix(", row 1: phone.\n"), "\(edited)")
    let after = try sandbox.run("list", "--json").output
    let phone = #"{"kind":"phone","label":"","value":"1"}"#
    var expected = before.replacing(#""phone":"""#, with: #""phone":"1""#)
    expected = expected.replacing(#""contacts":[{"#, with: #""contacts":[\#(phone),{"#)
    #expect(after == expected.replacing(#""contacts":[]"#, with: #""contacts":[\#(phone)]"#))
  }
}
