import CustomerFixtures
import CustomersTestSupport

/// Makes new inputs from old ones by changes that the format's grammar makes interesting.
struct Mutator {
  private(set) var corpus: [[UInt8]]
  private let tokens: [[UInt8]]

  init(_ format: FuzzedFormat) {
    corpus = format.samples.map { Array($0.utf8) }
    tokens = format.tokens + Mutator.texts
  }

  /// Takes an input in that did something new, so that others are made from it.
  mutating func keep(_ input: [UInt8]) { corpus.append(input) }

  /// A new input of at most some thousands of bytes.
  func input(_ random: inout SplitMix64) -> [UInt8] {
    var input = corpus[random.below(corpus.count)]
    for _ in 0...random.below(6) { change(&input, &random) }
    return Array(input.prefix(4000))
  }

  private func change(_ input: inout [UInt8], _ random: inout SplitMix64) {
    let place = random.below(input.count + 1)
    let range = place..<min(input.count, place + random.below(random.oneIn(4) ? 60 : 6))
    let token = tokens[random.below(tokens.count)]
    switch random.below(10) {
    case 0...2: input.insert(contentsOf: token, at: place)
    case 3: input.replaceSubrange(range, with: token)
    case 4: input.removeSubrange(range)
    case 5: input.insert(contentsOf: input[range], at: random.below(input.count + 1))
    case 6: for index in range { input[index] = UInt8(truncatingIfNeeded: random.next()) }
    case 7: input.insert(contentsOf: Mutator.repeated(token, 1 << random.below(8)), at: place)
    case 8:
      let other = corpus[random.below(corpus.count)]
      input.replaceSubrange(place..., with: other.dropFirst(random.below(other.count + 1)))
    default: input.removeSubrange(place...)
    }
  }

  private static func repeated(_ token: [UInt8], _ count: Int) -> [UInt8] {
    Array(repeatElement(token, count: count).joined())
  }

  /// Text that is awkward in every format: controls, marks of order, halves of characters.
  private static let texts: [[UInt8]] =
    [
      "\r\n", "\n", "\r", "\t", " ", "\0", "\u{1b}", "\u{7f}", "\u{85}", "\u{2028}", "\u{202e}", "\u{feff}",
      "é",
      "e\u{301}", "\u{301}", "👩‍👩‍👧", "\u{10ffff}", "\"", "\\", ",", ";", ":", "=", "\r\n ", "\n\t",
    ].map { Array($0.utf8) } + [
      [0xc3], [0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xef, 0xbb, 0xbf],
    ]
}
