/// The options of the command line.
struct Arguments {
  var parts = Part.allCases
  var rows = 1_000_000
  var directory = "."
  var wantsHelp = false

  static let help = """
    usage: CustomersBenchmark [PART ...] [--rows N] [--directory PATH]

      PART              \(Part.allCases.map(\.rawValue).joined(separator: ", ")); all if none is named
      --rows N          leave out lists of more than N rows (1000000)
      --directory PATH  where the scratch folder is made and removed (.); not a tmpfs, where a
                        durable commit costs nothing
    """

  init(_ words: some Sequence<String>) throws(ArgumentError) {
    var named: [Part] = []
    var words = words.makeIterator()
    while let word = words.next() {
      switch word {
      case "--help", "-h": wantsHelp = true
      case "--rows":
        guard let number = words.next().flatMap({ Int($0) }), number > 0 else {
          throw ArgumentError(description: "--rows must be 1 or more")
        }
        rows = number
      case "--directory":
        guard let path = words.next() else { throw ArgumentError(description: "--directory needs a path") }
        directory = path
      default:
        guard let part = Part(rawValue: word) else {
          throw ArgumentError(description: "there is no part \"\(word)\"; see --help")
        }
        named.append(part)
      }
    }
    if !named.isEmpty { parts = named }
  }
}

/// The error of an invalid command line.
struct ArgumentError: Error, CustomStringConvertible {
  var description: String
}
