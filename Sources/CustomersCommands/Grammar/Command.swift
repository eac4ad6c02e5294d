internal import CustomerStore
internal import CustomersText
internal import Synchronization

/// A command: its declaration, from which parsing, usage, help, the manual, and completion are derived, and
/// its function.
///
/// A run names one command of forty, so all that takes more than a word is built when it is asked for.
struct Command: Sendable {
  let name: String
  let aliases: [String]
  /// One line for the list of commands.
  let summary: String
  /// What is written today instead, if it is a command of an earlier version: it works, and only `help versions`
  /// shows it.
  let earlier: String?
  /// The description in paragraphs: more lines of help, if needed.
  let paragraphs: @Sendable () -> [String]
  /// More pages of help, such as `customers help import columns`.
  let topics: @Sendable () -> [Page]
  /// Command lines that show its use.
  let examples: @Sendable () -> [CommandExample]
  /// Related commands and help topics.
  let seeAlso: @Sendable () -> [String]
  /// Whether its output may be longer than a screen.
  let isPaged: Bool
  /// Whether it may change most rows in the list, so that its dry run takes long.
  let rewritesMuch: Bool
  /// What it needs of the place where it runs.
  let need: @Sendable (Invocation) throws -> CommandNeed
  /// The edit that it makes, if any; then it is allowed in a script.
  let editing: Editing?
  /// Its function, if it is not an edit, or not always.
  let run: (@Sendable (Session) throws -> ExitCode)?

  private let declaredForms: Once<[Form]>
  /// Each line of a script asks for them, more than once.
  private let declaredOptions: Once<[any DeclaredOption]>
  private let declaredFormats: @Sendable () -> CommandFormats
  private let declaredCommon: @Sendable () -> [any DeclaredOption]

  /// Creates a command with one form, of these operands and options, or with several forms.
  init(
    name: String, aliases: [String] = [], summary: String, earlier: String? = nil,
    description: @autoclosure @escaping @Sendable () -> [String] = [],
    operands: @autoclosure @escaping @Sendable () -> [Operand] = [],
    options: @autoclosure @escaping @Sendable () -> [OptionGroup] = [],
    forms: @autoclosure @escaping @Sendable () -> [Form]? = nil,
    common: @autoclosure @escaping @Sendable () -> [any DeclaredOption]? = nil,
    examples: @autoclosure @escaping @Sendable () -> [CommandExample] = [],
    topics: @autoclosure @escaping @Sendable () -> [Page] = [],
    seeAlso: @autoclosure @escaping @Sendable () -> [String] = [],
    formats: @autoclosure @escaping @Sendable () -> CommandFormats = .printed([.table, .json]),
    isPaged: Bool = false, rewritesMuch: Bool = false,
    need: @escaping @Sendable (Invocation) throws -> CommandNeed = { _ in .list },
    editing: Editing? = nil, run: (@Sendable (Session) throws -> ExitCode)? = nil
  ) {
    self.name = name
    self.aliases = aliases
    self.summary = summary
    self.earlier = earlier
    paragraphs = { description().split(separator: "").map { $0.joined(separator: " ") } }
    let declaredForms = Once { forms() ?? [.plain(operands(), options())] }
    self.declaredForms = declaredForms
    declaredOptions = Once { Command.options(of: declaredForms.value) }
    declaredFormats = formats
    declaredCommon = { common() ?? (editing == nil ? GlobalOptions.ofReading : GlobalOptions.ofEditing) }
    self.examples = examples
    self.topics = topics
    self.seeAlso = seeAlso
    self.isPaged = isPaged
    self.rewritesMuch = rewritesMuch
    self.need = need
    self.editing = editing
    self.run = run
  }
}

extension Command {
  /// The forms of the command; most have one.
  var forms: [Form] { declaredForms.value }

  /// The formats that `--format` takes.
  var formats: CommandFormats { declaredFormats() }

  /// The options of every command that make a difference to this one.
  var common: [any DeclaredOption] { declaredCommon() + (isPaged ? [GlobalOptions.noPager] : []) }

  /// Whether one of its operands is a place.
  var takesPlace: Bool { forms.contains { $0.operands.contains(where: \.value.isPlace) } }

  /// Whether it takes any number of rows.
  var takesManyRows: Bool { forms.contains { $0.operands.contains { $0.value.takesRows && $0.isRepeated } } }
}

/// A value that is computed when it is first asked for.
final class Once<Value: Sendable>: Sendable {
  private let known = Mutex<Value?>(nil)
  private let compute: @Sendable () -> Value

  init(_ compute: @escaping @Sendable () -> Value) { self.compute = compute }

  var value: Value {
    if let value = known.withLock(\.self) { return value }
    // Not under the lock: two threads may compute the same value.
    let value = compute()
    known.withLock { $0 = value }
    return value
  }
}

/// A command line and its purpose.
struct CommandExample: Sendable {
  let purpose: String
  /// The command line for a shell, possibly several lines.
  let line: String

  init(_ purpose: String, _ line: String) {
    self.purpose = purpose
    self.line = line
  }
}

extension Command {
  /// The options of all its forms, without duplicates.
  var options: [any DeclaredOption] { declaredOptions.value }

  /// Those that are not of earlier versions.
  var shownOptions: [any DeclaredOption] { options.filter { $0.earlier == nil } }

  /// Its forms without those of earlier versions.
  var shownForms: [Form] { forms.filter { !$0.isEarlier } }

  /// The lines of help on its options.
  var optionLines: [(names: String, meaning: String)] {
    Command.unique(forms.flatMap { $0.groups.flatMap(\.lines) }, by: \.names)
  }

  /// The options that may still be given after these operands.
  func options(after operands: [String]) -> [any DeclaredOption] {
    Command.options(of: forms.filter { $0.mayBegin(with: operands) }).filter { $0.earlier == nil }
  }

  /// Returns the values allowed after these operands.
  func expected(after operands: [String]) -> [ArgumentType] {
    Command.unique(forms.flatMap { $0.expected(after: operands) }, by: \.label)
  }

  /// - Throws: a `Failure` with code `usage` if the line is of none of its forms.
  func check(_ invocation: Invocation) throws {
    let fitting = forms.filter { $0.fits(verbOf: invocation.operands) }
    // What begins with a verb is meant as that, though another form takes any word.
    let verbal = fitting.filter { $0.verb != nil }
    let candidates = verbal.isEmpty ? fitting : verbal
    guard !candidates.isEmpty else { throw unknownVerb(invocation.operands.first ?? "") }
    var first: (any Error)?
    for form in candidates {
      do {
        return try form.check(invocation, of: name, among: forms)
      } catch {
        first = first ?? error
      }
    }
    if let first { throw first }
  }

  private func unknownVerb(_ word: String) -> Failure {
    let near = nearest(to: word, among: forms.compactMap(\.verb)).map(didYouMean)
    return .usage(
      "unknown \(name) command \(quoted(word))", hint: near ?? Form.help(name),
      offendingArgument: word)
  }

  private static func options(of forms: [Form]) -> [any DeclaredOption] {
    unique(forms.flatMap(\.options)) { $0.name }
  }

  /// The elements with distinct keys.
  private static func unique<Element>(_ elements: [Element], by key: (Element) -> String) -> [Element] {
    var known: Set<String> = []
    return elements.filter { known.insert(key($0)).inserted }
  }

  /// Whether a word is its name, or another one for it.
  func isCalled(_ word: String) -> Bool { name == word || aliases.contains(word) }

  /// The command with this name or alias.
  ///
  /// - Throws: a `Failure` with code `usage` if there is none.
  static func named(_ word: String, among commands: [Command]) throws -> Command {
    guard let command = commands.first(where: { $0.isCalled(word) }) else {
      if let remedy = remedies[caseFolded(word)] {
        throw Failure.usage("unknown command \(quoted(word))", hint: remedy, offendingArgument: word)
      }
      // No one is meant to type a hidden command, so none is suggested.
      let hidden = Set(hidden.map(\.name))
      let names = commands.filter { !hidden.contains($0.name) && $0.earlier == nil }
        .flatMap { [$0.name] + $0.aliases }
      throw Failure.unknown("command", word, among: names)
    }
    return command
  }
}

/// The hint that names the nearest known word.
func didYouMean(_ word: String) -> String { "did you mean \(quoted(word))?" }

/// The hint for a section that does not exist.
func knownSections(_ titles: [String], instead name: String) -> String {
  known(titles, "sections", instead: name) ?? "to list the sections: customers section list"
}

/// The hint for an extra column that does not exist.
func knownColumns(_ names: [String], instead name: String) -> String {
  known(names, "columns", instead: name) ?? "to list the columns: customers columns"
}

/// Names the nearest one, or all if they are few; nil if there are none, or many.
private func known(_ names: [String], _ things: String, instead name: String) -> String? {
  if let near = nearest(to: name, among: names, areNames: true) { return didYouMean(near) }
  guard 1...5 ~= names.count, names.reduce(0, { $0 + $1.utf8.count }) <= 100 else { return nil }
  let subject = names.count == 1 ? "\(things.dropLast()) is" : "\(things) are"
  return "the \(subject) \(listed(names.map(quoted), "and"))"
}

extension Failure {
  /// The failure for an unknown word.
  static func unknown(
    _ kind: String, _ word: String, of place: String = "", among known: [String],
    remedy: String = "to list the commands: customers help"
  ) -> Failure {
    let near = nearest(to: word, among: known)
    return .usage(
      "unknown \(kind) \(quoted(word))\(place)",
      hint: near.map(didYouMean) ?? remedy, offendingArgument: word)
  }
}

extension Command {
  /// Hints for words of other programs: for a command, for an option of one, and for one that has too few words (?) or too
  /// many (…).
  static let remedies: [String: String] = [
    "remove": didYouMean("delete"), "del": didYouMean("delete"),
    "erase": didYouMean("delete"),
    "search": "customers list TEXT", "grep": "customers list TEXT", "query": "customers list TEXT",
    "new": didYouMean("add"), "create": didYouMean("add"), "insert": didYouMean("add"),
    "update": didYouMean("edit"), "modify": didYouMean("edit"),
    "set": "for example: customers edit 3 --set City=Bonn",
    "count": "customers list --count", "print": didYouMean("list"),
    "order": "customers sort --editor", "note": "customers log ROW TEXT", "call": "customers next",
    "tags": "customers list --count-by tag", "tag": "customers edit ROW --tag TAG",
    "lock": "customers edit ROW --protect edit", "sync": didYouMean("take"), "annotate": didYouMean("log"),
    "due": didYouMean("list --due"),
    "version": "to print the version: customers --version",
    "edit --section": "to move a row to a section: customers move ROW --section SECTION",
    "edit --is-favorite": didYouMean("--favorite"), "add --is-favorite": didYouMean("--favorite"),
    "delete --section": "to choose the rows of a section: --where section=SECTION",
    "show --section": "to choose the rows of a section: --where section=SECTION",
    "protect --section": "to choose the rows of a section: --where section=SECTION",
    "--encoding": "to import another encoding: iconv -f NAME -t UTF-8 FILE | customers import -",
    "log ?":
      "for example: customers log 3 \"left a message\"; to read the log of a customer: customers list 3",
    "list --tag": "for example: customers list --where tag=vip",
    "list --log": "to read the log of a customer: customers list 3",
    "completion": "for example: customers help completions bash",
    "completions": "for example: customers help completions bash",
    "columns --choices": "to declare choices: customers columns choices NAME A,B,C",
    "history --keep": "it is forgotten as a whole: customers history --forget",
    "edit --next": "for example: customers edit 3 --set next=friday",
    "add --next": "for example: customers add \"Ann Lee\" --set next=friday",
    "next …": "to set a next date: customers edit ROW --set next=WHEN",
    "move --at": didYouMean("--to"), "sort --reverse": "for example: customers sort -name",
  ]
}

/// A word as a shell and a script of `apply` read it back.
func shellQuoted(_ word: String) -> String {
  guard word.contains(where: { "\"$`\\!".contains($0) }) else { return quoted(word) }
  return "'\(printable(word).replacing("'", with: #"'\''"#))'"
}

/// A word as one would type it in a shell: in quotes only if it needs them.
func typed(_ word: String) -> String {
  let isPlain =
    !word.isEmpty
    && word.utf8.allSatisfy {
      (0x30...0x39).contains($0) || (0x41...0x5a).contains($0 & 0xdf) || "@-+_.,:/%".utf8.contains($0)
    }
  return isPlain ? word : shellQuoted(word)
}

/// A word of a command line other than an option.
struct Operand: Sendable {
  let value: ArgumentType
  var isOptional = false
  /// Whether it may be repeated; one operand of a form may be, and only a text comes after it.
  var isRepeated = false

  static func one(_ value: Argument<some Sendable>) -> Operand { Operand(value: value.type) }
  static func optional(_ value: Argument<some Sendable>) -> Operand {
    Operand(value: value.type, isOptional: true)
  }
  /// Once or more.
  static func many(_ value: Argument<some Sendable>) -> Operand {
    Operand(value: value.type, isRepeated: true)
  }
  /// Never, once or more.
  static func any(_ value: Argument<some Sendable>) -> Operand {
    Operand(value: value.type, isOptional: true, isRepeated: true)
  }

  /// The operand as usage shows it.
  var usage: String { (isOptional ? "[\(value.label)]" : value.label) + (isRepeated ? "…" : "") }
}

/// One form of a command: `section add TITLE` is one of several.
struct Form: Sendable {
  /// The word that identifies the form.
  var verb: String?
  /// Whether the form is the default without a verb.
  var isDefault = false
  var operands: [Operand] = []
  var groups: [OptionGroup] = []

  static func verb(
    _ verb: String, isDefault: Bool = false, _ operands: [Operand] = [], _ groups: [OptionGroup] = []
  ) -> Form {
    Form(verb: verb, isDefault: isDefault, operands: operands, groups: groups)
  }

  static func plain(_ operands: [Operand] = [], _ groups: [OptionGroup] = []) -> Form {
    Form(operands: operands, groups: groups)
  }

  var options: [any DeclaredOption] { groups.flatMap(\.options) }

  /// Whether it needs an option of an earlier version, so that help does not show it.
  var isEarlier: Bool {
    groups.contains { if case .required(let option) = $0 { option.earlier != nil } else { false } }
  }

  /// Whether it takes no names of rows, but terms for them.
  var takesTermsOnly: Bool {
    groups.contains {
      if case .required(let option) = $0 { option.name == RowChoice.option.name } else { false }
    }
  }

  func takes(_ option: String) -> Bool { options.contains { $0.name == option } }

  /// The arguments after the command's name.
  var usage: String {
    let verb = verb.map { [isDefault ? "[\($0)]" : $0] } ?? []
    return (verb + operands.map(\.usage) + groups.compactMap(\.usage)).joined(separator: " ")
  }

  /// The same, with one word for the options that may be left out, if they would fill more than a line.
  var shortUsage: String {
    guard usage.count > 50 else { return usage }
    let required = groups.filter { if case .required = $0 { true } else { false } }
    let short = Form(verb: verb, isDefault: isDefault, operands: operands, groups: required).usage
    return [short, required.count < groups.count ? "[options]" : ""].filter { !$0.isEmpty }
      .joined(separator: " ")
  }

  /// Whether an incomplete line with these operands may be of this form.
  func mayBegin(with operands: [String]) -> Bool {
    operands.isEmpty || fits(verbOf: operands) && operands.count <= counts.upperBound
  }

  /// Returns the values allowed after these operands.
  func expected(after operands: [String]) -> [ArgumentType] {
    if operands.isEmpty, let verb { return [.choice([verb])] }
    guard fits(verbOf: operands) else { return [] }
    let count = operands.count - (verb == nil ? 0 : 1)
    guard let repeated = self.operands.firstIndex(where: \.isRepeated), count > repeated else {
      return count < self.operands.count ? [self.operands[count].value] : []
    }
    return self.operands[repeated...].map(\.value)
  }

  /// Whether the verb is this form's or not needed.
  func fits(verbOf operands: [String]) -> Bool {
    verb == nil || verb == operands.first || isDefault && operands.isEmpty
  }

  /// The number of operands, including the verb.
  private var counts: ClosedRange<Int> {
    let verbs = verb == nil ? 0 : 1
    let least = verbs + operands.count { !$0.isOptional }
    let most = operands.contains(where: \.isRepeated) ? Int.max : verbs + operands.count
    return (isDefault ? least - verbs : least)...most
  }

  /// - Throws: a `Failure` with code `usage` if the line is not of this form; `command` is its name, and
  ///   `others` are the alternative forms.
  func check(_ invocation: Invocation, of command: String, among forms: [Form]) throws {
    let called = verb.map { "\(command) \($0)" } ?? command
    let count = invocation.operands.count
    guard counts.contains(count) else {
      let (problem, mark) =
        count < counts.lowerBound ? ("missing argument", "?") : ("too many arguments", "…")
      throw Failure.usage(
        "\(called): \(problem)",
        hint: Command.remedies["\(called) \(mark)"] ?? hint(for: invocation, of: command, among: forms))
    }
    let own = invocation.given.map(\.name).filter { option in forms.contains { $0.takes(option) } }
    if let wrong = own.first(where: { !takes($0) }) {
      throw refusal(of: wrong, beside: own, command, forms)
    }
    for group in groups { try group.check(invocation, called) }
  }

  /// What to type with as many operands as this form takes.
  private func hint(for invocation: Invocation, of command: String, among forms: [Form]) -> String {
    if verb == nil, operands.map(\.value.label) == ["NAME"], invocation.operands.count > 1,
      !invocation.operands.contains(where: { $0.contains(" ") })
    {
      return
        "put the name in quotes: customers \(command) \(shellQuoted(invocation.operands.joined(separator: " ")))"
    }
    let usages = forms.filter { $0.verb == verb && !$0.isEarlier }
      .map { $0.usage.isEmpty ? "customers \(command)" : "customers \(command) \($0.usage)" }
    // A hint that fits the terminal; the help breaks long lines.
    guard usages.allSatisfy({ $0.count <= 72 }) else { return Form.help(command) }
    return usages.joined(separator: "\n      ")
  }

  /// The hint at the help of a command.
  static func help(_ command: String) -> String { "to see how it is used: customers help \(command)" }

  /// The failure for an option of another form.
  private func refusal(
    of option: String, beside given: [String], _ command: String, _ forms: [Form]
  ) -> Failure {
    let owners = forms.filter { $0.takes(option) }
    if let other = given.first(where: { other in !owners.contains { $0.takes(other) } }) {
      return .contradictory(other, option)
    }
    // What the other form can't do without.
    let required = owners.first?.groups.lazy.compactMap { group -> (any DeclaredOption)? in
      if case .required(let required) = group, !given.contains(required.name), required.name != option {
        required
      } else {
        nil
      }
    }.first
    if let required, owners.count == 1, owners[0].verb == verb {
      return .usage("\(option) needs \(required.usage)", offendingArgument: option)
    }
    let names = owners.compactMap { owner in
      (owner.verb ?? owner.operands.first?.value.label).map { "\(command) \($0)" }
    }
    return .usage(
      names.isEmpty
        ? "\(operands.first?.value.label ?? command) and \(option) can't be combined"
        : "\(option) needs \(listed(names))",
      offendingArgument: option)
  }
}
