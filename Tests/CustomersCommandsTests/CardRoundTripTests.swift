import Foundation
import CustomersTestSupport
import Testing

/// Random cards of phones, imported and exported, have the same content.
@Suite(.onThreads) struct CardRoundTripTests {
  private static let script = URL(filePath: samples)
    .appending(path: "../../CardRoundTrip/cards.py").standardizedFileURL.path

  /// The long form compares the cards by another library as well: `pip install vobject`.
  private static let readers = isLong ? ["", "vobject"] : [""]

  @Test(arguments: ["2.1", "3.0", "4.0"], 1...(isLong ? 10 : 1))
  func `a card comes back with the same content`(version: String, seed: Int) throws {
    let sandbox = try CLISandbox()
    let path = ProcessInfo.processInfo.environment["PYTHONPATH"] ?? ""
    let comparisons = Self.readers.map { "python3 '\(Self.script)' compare cards.vcf exported.vcf \($0)" }
    let result = try sandbox.shell(
      """
      set -e
      python3 '\(Self.script)' write \(version) \(seed) \(isLong ? 1_000 : 50) > cards.vcf
      customers import cards.vcf --yes -q
      customers export exported.vcf -q
      \(comparisons.joined(separator: "\n"))
      """, environment: ["PYTHONPATH": path])
    #expect(result.code == 0, "\(result.output)\(result.errors)")
    print("\(version), seed \(seed):", result.output, terminator: "")
  }
}
