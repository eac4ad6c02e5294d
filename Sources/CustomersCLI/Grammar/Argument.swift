internal import CustomerStore
internal import CustomersTerminalText
internal import CustomersWording

/// A kind of word, and the value that such a word has.
struct Argument<Value: Sendable>: Sendable {
  let type: ArgumentType
  /// Returns the value of a word; `name` is the option.
  ///
  /// Throws a `Failure` with code `usage` for an invalid word.
  let parse: @Sendable (_ word: String, _ name: String) throws -> Value
}

extension Argument where Value == Int {
  static func number(_ label: String = "N") -> Argument {
    Argument(type: ArgumentType(label, .number), parse: Invocation.number)
  }

  static func count(_ label: String = "N") -> Argument {
    Argument(type: ArgumentType(label, .count), parse: Invocation.count)
  }
}

extension Argument where Value == Duration {
  static var duration: Argument {
    Argument(type: ArgumentType("TIME", .duration), parse: Invocation.duration)
  }
}

/// Words whose meaning depends on the list or that mean themselves.
extension Argument where Value == String {
  private init(_ label: String, _ kind: ArgumentType.Kind) {
    self.init(type: ArgumentType(label, kind)) { word, _ in word }
  }

  static func text(_ label: String = "TEXT") -> Argument { Argument(label, .text) }
  static func file(_ use: ArgumentType.FileUse, _ label: String = "FILE") -> Argument {
    Argument(label, .file(use))
  }
  static var topic: Argument { Argument("COMMAND|TOPIC", .topic) }
  static var row: Argument { Argument("ROW", .row) }
  static var section: Argument { Argument("SECTION", .section) }
  static var format: Argument { Argument("FORMAT", .format) }
  static var term: Argument { Argument("TERM", .term) }
  static var assignment: Argument { Argument("FIELD=TEXT", .assignment) }
  static var extraColumn: Argument { Argument("COLUMN", .extraColumn) }
  static var fields: Argument { Argument("FIELD,…", .list(.field)) }
  static var columns: Argument { Argument("FIELD,…", .list(.column)) }
  static var fileColumns: Argument { Argument("COLUMN,…", .list(.fileColumn)) }
  static var columnMap: Argument { Argument("COLUMN=FIELD,…", .list(.pair(.fileColumn, .field))) }
}

extension Argument where Value: CaseIterable & RawRepresentable, Value.RawValue == String {
  /// One of the cases, by its word; without a label, help shows the words themselves.
  static func choice(_ label: String? = nil) -> Argument {
    let words = Value.allCases.map(\.rawValue)
    return Argument(type: .choice(words, label)) { word, name in
      guard let choice = Name(word).only(of: Value.allCases, by: \.rawValue) else {
        throw Failure.usage(
          "\(name) must be \(listed(words)), not \(quoted(word))",
          hint: hint(caseFolded(word), among: words, for: name), offendingArgument: word)
      }
      return choice
    }
  }

  /// The hint for an invalid word.
  ///
  /// Words that differ only in their digits, such as latin1 and latin2, are not typing errors.
  private static func hint(_ word: String, among words: [String], for name: String) -> String? {
    func letters(_ word: String) -> String { word.filter { !$0.isNumber } }
    if let near = nearest(to: word, among: words), letters(near) != letters(word) {
      return didYouMean(near)
    }
    return Command.remedies[name]
  }
}
