/// A command line taken apart.
struct Invocation: Sendable {
  var command: Command?
  var operands: [String] = []
  /// Options by name; the value of one that takes none is empty.
  private(set) var options: [String: String] = [:]

  func has(_ option: String) -> Bool { options[option] != nil }

  func value(_ option: String) -> String? { options[option] }

  /// The value of an option as a whole number.
  func number(_ option: String) throws -> Int? {
    guard let text = options[option] else { return nil }
    return try Invocation.number(text, for: option)
  }

  /// The value of an option that counts something.
  func count(_ option: String) throws -> Int? {
    guard let count = try number(option) else { return nil }
    guard count >= 0 else {
      throw Failure.usage("\(option) takes 0 or more, not \(count)", culprit: option)
    }
    return count
  }

  /// A whole number, strictly: an optional minus and digits.
  static func number(_ text: String, for what: String) throws -> Int {
    guard isNumber(text) else {
      throw Failure.usage("\(what) takes a whole number, not \(quoted(text))", culprit: text)
    }
    // Too large for a place in any list; the list says how far its places go.
    return Int(text) ?? (text.hasPrefix("-") ? .min : .max)
  }

  /// A number as a message has it: one beyond any list need not be what was typed.
  static func spelled(_ number: Int) -> String { number.magnitude >> 53 > 0 ? "that far" : "\(number)" }

  static func isNumber(_ text: String) -> Bool {
    let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
    return !digits.isEmpty && digits.utf8.allSatisfy { (0x30...0x39).contains($0) }
  }
}

extension Invocation {
  /// Takes a command line apart; the options that every command takes may stand anywhere.
  ///
  /// - Throws: a `Failure` with code `usage`.
  init(parsing arguments: [String], commands: [Command], globals: [Option]) throws {
    var rest = arguments[...]
    var onlyOperands = false
    while let argument = rest.popFirst() {
      if !onlyOperands, argument == "--" {
        onlyOperands = true
      } else if !onlyOperands, argument.hasPrefix("-"), argument != "-", !Invocation.isNumber(argument) {
        try take(option: argument, from: &rest, globals)
      } else if command == nil {
        guard let named = commands.first(where: { $0.name == argument || $0.aliases.contains(argument) })
        else {
          throw Invocation.unknown("command", argument, among: commands.flatMap { [$0.name] + $0.aliases })
        }
        command = named
      } else {
        operands.append(argument)
      }
    }
  }

  private mutating func take(
    option argument: String, from rest: inout ArraySlice<String>, _ globals: [Option]
  ) throws {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(
      String.init)
    let known = (command?.options ?? []) + globals
    guard let option = known.first(where: { $0.name == parts[0] || $0.short == parts[0] }) else {
      let place = command.map { " of \($0.name)" } ?? ""
      throw Invocation.unknown("option", parts[0], of: place, among: known.map(\.name))
    }
    // Of two places or two maps one would be forgotten without a word; a file named again is another one.
    if option.value != nil, has(option.name), !globals.contains(where: { $0.name == option.name }) {
      throw Failure.usage("\(option.name) is given twice", culprit: argument)
    }
    if parts.count == 2 {
      guard option.value != nil else {
        throw Failure.usage("\(option.name) takes no value", culprit: argument)
      }
      options[option.name] = parts[1]
    } else if option.value == nil {
      options[option.name] = ""
    } else if option.isValueOptional {
      options[option.name] = rest.first.map(Invocation.isNumber) == true ? rest.removeFirst() : ""
    } else {
      guard let value = rest.popFirst() else {
        throw Failure.usage(
          "\(option.name) needs a value: \(option.name) \(option.value ?? "")", culprit: argument)
      }
      options[option.name] = value
    }
  }

  private static func unknown(
    _ kind: String, _ word: String, of place: String = "", among known: [String]
  ) -> Failure {
    let near = nearest(to: word, among: known)
    return .usage(
      "unknown \(kind) '\(printable(word))'\(place)",
      hint: near.map { "did you mean '\($0)'?" } ?? "customers help lists what there is", culprit: word)
  }
}
