import Foundation
import Testing

/// Every Swift sample of the README and the articles is compiled and run: `SwiftSamples` has its lines.
@Suite struct SampleTests {
  private static let root = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL

  /// The README and the articles of all catalogs.
  private static let documents: [String] = {
    let sources = FileManager.default.enumerator(atPath: root.path + "/Sources")
    let articles = (sources?.compactMap { $0 as? String } ?? []).filter { $0.hasSuffix(".md") }
    return ["README.md"] + articles.sorted().map { "Sources/" + $0 }
  }()

  private static func text(_ name: String) throws -> String {
    try String(contentsOf: root.appending(path: name), encoding: .utf8)
  }

  /// The lines that say something, without indentation; imports are those of the test.
  private static func code(_ text: some StringProtocol) -> [String] {
    text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty && !$0.hasPrefix("import ") }
      .map { $0.replacing("\"customers.sqlite\"", with: "path") }
  }

  @Test(arguments: documents)
  func `each Swift sample is in a test`(name: String) throws {
    let tested =
      "\n"
      + Self.code(try Self.text("Tests/CustomersDocumentationTests/SwiftSamples.swift")).joined(
        separator: "\n")
    let parts = try Self.text(name).components(separatedBy: "```")
    for index in stride(from: 1, to: parts.count, by: 2) where parts[index].hasPrefix("swift\n") {
      let sample = Self.code(parts[index].dropFirst(6)).joined(separator: "\n")
      #expect(tested.contains("\n" + sample + "\n"), "\(name):\n\(sample)")
    }
  }

  @Test func `the documents contain samples to compare`() throws {
    let count = try Self.documents.reduce(0) { count, name in
      count + (try Self.text(name).components(separatedBy: "```swift\n").count) - 1
    }
    #expect(Self.documents.count >= 9 && count >= 20)
  }

  @Test(arguments: ["words", "links"])
  func `a check of the texts finds nothing`(script: String) throws {
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
