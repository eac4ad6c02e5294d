@testable import CustomersCommands
import CustomersText
import CustomersTestSupport
import Testing

/// JSON that is written piece by piece.
@Suite(.onThreads) struct JSONWriterTests {
  private func written(_ body: (CustomersCommands.Stream) throws -> Void) throws -> String {
    try CLISandbox().written(body)
  }

  @Test(arguments: 0...3) func `JSON written in pieces equals the whole value`(count: Int) throws {
    let values = (0..<count).map { JSON.object([("n", .int($0)), ("text", .string("a\"\n\u{1b}"))]) }
    let text = try written { stream in
      var writer = JSONWriter(stream, isOneLine: true)
      try writer.beginObject()
      try writer.members([("op", .string("x"))])
      try writer.name("values")
      try writer.beginArray()
      for value in values { try writer.element(value) }
      try writer.endArray()
      try writer.members([("count", .int(count)), ("ok", .bool(true))])
      try writer.endObject()
    }
    let whole = JSON.object([
      ("op", .string("x")), ("values", .array(values)), ("count", .int(count)), ("ok", .bool(true)),
    ])
    #expect(text == whole.text)
  }

  @Test func `elements may be on separate lines`() throws {
    for (values, expected) in [([], "[\n]"), ([JSON.int(1), .int(2)], "[\n1,\n2\n]")] {
      let text = try written { stream in
        var writer = JSONWriter(stream)
        try writer.beginArray()
        for value in values { try writer.element(value) }
        try writer.endArray()
      }
      #expect(text == expected)
    }
  }
}
