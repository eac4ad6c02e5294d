import CustomersTestSupport
import Foundation
import Testing

/// Every Swift sample of the documents is compiled and run: `SwiftSamples` and `AppleSamples` have its lines.
@Suite(.onThreads) struct SampleTests {
  private static let root = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL

  /// The documents and the articles of all catalogs.
  private static let documents: [String] =
    ["Documentation", "Sources"].flatMap { folder in
      let files = FileManager.default.enumerator(atPath: "\(root.path)/\(folder)")
      let documents = (files?.compactMap { $0 as? String } ?? []).filter { $0.hasSuffix(".md") }
      return documents.sorted().map { "\(folder)/\($0)" }
    }

  private static func text(_ name: String) throws -> String {
    try String(contentsOf: root.appending(path: name), encoding: .utf8)
  }

  /// The code without comments and imports, which are those of the test, and without line breaks, because the lines
  /// of a sample are shorter.
  private static func code(_ text: some StringProtocol) -> String {
    text.split(separator: "\n").map { $0.prefix(upTo: $0.firstRange(of: "// ")?.lowerBound ?? $0.endIndex) }
      .filter { !$0.hasPrefix("import ") }
      .joined().filter { !$0.isWhitespace }
      .replacing(",]", with: "]")
      .replacing("\"customers.sqlite\"", with: "path")
  }

  private static func samples(_ name: String) throws -> [Substring] {
    let parts = try text(name).components(separatedBy: "```")
    return stride(from: 1, to: parts.count, by: 2).map { parts[$0] }.filter { $0.hasPrefix("swift\n") }
      .map { $0.dropFirst(6) }
  }

  @Test(arguments: documents)
  func `each Swift sample is in a test`(name: String) throws {
    let tests = ["SwiftSamples", "AppleSamples"]
    let tested = try tests.map { Self.code(try Self.text("Tests/CustomersDocumentationTests/\($0).swift")) }
      .joined()
    for sample in try Self.samples(name) {
      #expect(tested.contains(Self.code(sample)), "\(name):\n\(sample)")
    }
  }

  @Test(arguments: documents)
  func `no line of a Swift sample is cut off on a page`(name: String) throws {
    for line in try Self.samples(name).flatMap({ $0.split(separator: "\n") }) {
      #expect(line.count <= 66, "\(name): \(line)")
    }
  }

  @Test func `the documents contain samples to compare`() throws {
    let count = try Self.documents.reduce(0) { count, name in
      count + (try Self.samples(name).count)
    }
    #expect(Self.documents.count >= 9 && count >= 20)
  }

  @Test(arguments: ["words", "links"])
  func `a check of the strings finds nothing`(script: String) throws {
    let run = Process()
    run.executableURL = Self.root.appending(path: ".ci/" + script)
    let output = Pipe()
    run.standardOutput = output
    run.standardError = output
    try run.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    run.waitUntilExit()
    #expect(run.terminationStatus == 0, "\(text)")
  }
}
