/// The options of the command line.
struct Arguments {
  var formats = FuzzedFormat.allCases
  var seed = 1
  var seconds = 60
  var wantsHelp = false

  static let help = """
    usage: CustomersFuzz [--format FORMAT] [--seed N] [--seconds N]

      --format FORMAT  \(FuzzedFormat.allCases.map(\.rawValue).joined(separator: ", ")); all, one after another
      --seed N         a run is the same for the same seed (1)
      --seconds N      for each format (60)

    At a fault it ends with 1 or by a signal, and the input is in customers-fuzz-input.FORMAT.
    """

  init(_ words: some Sequence<String>) throws(Fault) {
    var words = words.makeIterator()
    while let word = words.next() {
      switch word {
      case "--help", "-h": wantsHelp = true
      case "--seed": seed = try Arguments.number(words.next(), after: word)
      case "--seconds": seconds = try Arguments.number(words.next(), after: word)
      case "--format":
        guard let format = words.next().flatMap(FuzzedFormat.init) else {
          throw Fault(description: "--format needs a format; see --help")
        }
        formats = [format]
      default: throw Fault(description: "\"\(word)\" is not known; see --help")
      }
    }
  }

  private static func number(_ word: String?, after option: String) throws(Fault) -> Int {
    guard let number = word.flatMap({ Int($0) }), number >= 0 else {
      throw Fault(description: "\(option) must be 0 or more")
    }
    return number
  }
}
