import CustomerFixtures
import CustomersText
import CustomersTestSupport

/// A run over inputs of one format that is the same for the same seed.
struct Fuzzing {
  private let format: FuzzedFormat
  private var mutator: Mutator
  private var random: SplitMix64
  private var seen: Set<String> = []
  /// The number of inputs tried.
  private(set) var count = 0

  init(_ format: FuzzedFormat, seed: Int) {
    self.format = format
    mutator = Mutator(format)
    random = SplitMix64(seed: seed)
  }

  /// How many inputs others are made from.
  var corpusCount: Int { mutator.corpus.count }

  /// The next input to be tried.
  mutating func nextInput() -> [UInt8] { mutator.input(&random) }

  /// Tries an input.
  ///
  /// - Returns: the finding or nil.
  mutating func fault(_ input: [UInt8]) -> String? {
    count += 1
    let reading = format.read([input])
    // Without a look into the reader, what it did is known by what came out.
    if seen.insert(Fuzzing.signature(reading)).inserted, mutator.corpus.count < 20_000 { mutator.keep(input) }
    return format.fault(input, reading, &random)
  }

  private static func signature(_ reading: FuzzedFormat.Reading) -> String {
    let problem = (reading.problem ?? "").filter { !$0.isNumber }
    let columns = reading.records.last.map { $0.columns.map { String($0.prefix(6)) }.sorted().joined() } ?? ""
    return "\(problem) \(min(reading.records.count, 5)) \(columns.prefix(60))"
  }
}
