internal import CustomerStore
internal import CustomersSystem
internal import CustomersText
internal import CustomersWeb

/// What a list says about how it is shown and edited: settings that are in it, so that they travel with it.
///
/// What a command line says comes first. A setting that changes what a command does counts only after someone has seen
/// it on this machine, because it may have come from another one.
struct ListConfig: Sendable {
  enum Key: String, CaseIterable {
    case columns, sort, section, done

    /// What it means.
    var help: String {
      switch self {
      case .columns: "those that `list` and the table show, as after --fields"
      case .sort: "the order in which `list` and the table show the rows, as after --sort"
      case .section: "the section to which `add` adds"
      case .done:
        "where `done` moves a row: last (the default), stay, or the title of a section, to whose end it goes"
      }
    }

    /// How messages name it.
    var option: Option<String?> { .value(rawValue, .fields, help) }
  }

  /// What the name of an alias follows.
  static let aliasPrefix = "alias."

  let settings: [String: String]
  /// The id of the list.
  let list: String

  init(_ list: borrowing CustomerList) throws {
    (settings, self.list) = (try list.settings(), try list.identity().list)
  }

  subscript(key: Key) -> String? { settings[key.rawValue] }

  /// The words that an alias stands for; nil if the list has no such alias.
  func alias(_ name: String) throws -> [String]? {
    try settings[ListConfig.aliasPrefix + name].map { try ListConfig.words(of: $0) }
  }

  /// The words of a command line that an alias stands for.
  static func words(of line: String) throws -> [String] {
    guard !line.contains(where: \.isNewline) else {
      throw Failure.usage("an alias stands for one command line, without line breaks")
    }
    do { return try TypedCommand.words(of: line) } catch let error as ScriptDiagnostic {
      throw Failure.usage("an alias stands for a command line, but \(error.message)", hint: error.hint)
    }
  }

  /// A setting for a command that was typed without the option; nil if there is none, or the command line wants none.
  static func value(_ key: Key, for invocation: Invocation, in list: borrowing CustomerList) throws -> String?
  {
    invocation[GlobalOptions.noConfig] ? nil : try ListConfig(list)[key]
  }

  /// The section to which rows are added if none is named; nil for the first one.
  static func section(
    for invocation: Invocation, _ resolver: RowResolver, in list: borrowing CustomerList
  ) throws -> SectionID? {
    try value(.section, for: invocation, in: list).map { try section(titled: $0, as: .section, resolver) }
  }

  /// The section that a setting names.
  static func section(titled title: String, as key: Key, _ resolver: RowResolver) throws -> SectionID {
    guard let section = try resolver.outline.sections.first(where: { $0.title == title }) else {
      throw Failure(
        code: .notFound,
        message: "the list has the setting \(key.rawValue)=\(typed(title)), but no such section",
        hint: "to change it: customers config \(key.rawValue) TITLE")
    }
    return section.id
  }

  /// The settings that change what a command does, as lines.
  var effects: [String] {
    settings.filter { $0.key == Key.done.rawValue || $0.key.hasPrefix(ListConfig.aliasPrefix) }
      .map { "\($0)=\($1)" }.sorted()
  }
}

/// Which settings of a list someone has seen on this machine and let count.
struct ConfirmedSettings {
  /// The digests of the settings, the last one first; undo may bring earlier ones back.
  private var known: [String]
  private let file: StateFile?

  init(ofList list: String, _ environment: [String: String]) {
    file = StateFile("config", of: list, environment)
    known =
      file?.read().map { String(decoding: $0, as: UTF8.self).split(separator: "\n").map(String.init) } ?? []
  }

  private static func digest(of config: ListConfig) -> String {
    SHA256.hexadecimal(of: config.effects.map { "\($0.utf8.count):\($0)" }.joined())
  }

  func contains(_ config: ListConfig) -> Bool {
    config.effects.isEmpty || known.contains(ConfirmedSettings.digest(of: config))
  }

  /// Lets settings count from now on; without a folder for that, only in this run.
  mutating func add(_ config: ListConfig) throws {
    known.insert(ConfirmedSettings.digest(of: config), at: 0)
    try file?.write(Array(known.prefix(100).map { $0 + "\n" }.joined().utf8))
  }
}

extension Session {
  /// The settings that count; those that change what a command does, only if someone has seen them here.
  ///
  /// On a terminal, asks about those that no one has seen.
  func confirmedConfig(_ store: CustomerStore) throws -> (config: ListConfig, isConfirmed: Bool) {
    let config = try read(store) { list in try ListConfig(list) }
    return (config, try confirms(config))
  }

  /// Whether settings count here; on a terminal, asks about those that no one has seen.
  func confirms(_ config: ListConfig) throws -> Bool {
    var confirmed = ConfirmedSettings(ofList: config.list, environment)
    if confirmed.contains(config) { return true }
    guard canAsk, !options.saysYes else { return false }
    try errors.write("Settings of the list change what commands do; they came from another machine:\n")
    for effect in config.effects { try errors.write("     \(printable(effect))\n") }
    guard try ask("Let them count on this machine? [y/N]", default: false) else { return false }
    try confirmed.add(config)
    return true
  }

  /// Lets the settings count that were made here.
  func confirm(_ config: ListConfig) throws {
    var confirmed = ConfirmedSettings(ofList: config.list, environment)
    if !confirmed.contains(config) { try confirmed.add(config) }
  }
}

/// A word for which a list has a command line.
struct Alias: Sendable {
  let name: String
  let words: [String]

  /// What messages say of it.
  var note: String { "\(quoted(name)) stands for: customers \(words.map(typed).joined(separator: " "))" }

  /// Checks the words that an alias is to stand for.
  ///
  /// - Throws: a `Failure` with code `usage`.
  init(_ name: String, _ words: [String]) throws {
    (self.name, self.words) = (name, words)
    let invocation = try Invocation(parsing: words, commands: Command.all, globals: GlobalOptions.all)
    guard invocation.command != nil else {
      throw Failure.usage("an alias needs a command", offendingArgument: name)
    }
    for option: any DeclaredOption in [GlobalOptions.yes, GlobalOptions.list] where invocation.has(option) {
      throw Failure.usage("an alias can't have \(option.name)", offendingArgument: name)
    }
  }

  /// The command line with what the list has for its first word; nil if that is no alias.
  ///
  /// - Parameters:
  ///   - arguments: the words, of which the first that is no option names no command.
  ///   - context: the environment of the run.
  /// - Returns: the words, and the alias.
  /// - Throws: a `Failure` if the alias does not count here, or can't be one.
  static func expanding(_ arguments: [String], in context: Context) throws -> (words: [String], alias: Alias)?
  {
    guard context.caller == nil, let (index, options) = options(before: arguments) else { return nil }
    var session = Session(in: context)
    session.take(options)
    if case .ssh? = try? session.list.address { return nil }
    guard !options[GlobalOptions.noConfig], let store = try? session.openList(creating: false),
      let known = try? session.read(store, { list in try ListConfig(list) }),
      let words = try known.alias(arguments[index])
    else { return nil }
    let alias = try Alias(arguments[index], words)
    guard try session.confirms(known) else {
      throw Failure(
        code: .refused,
        message: "\(alias.note); no one has let this setting of the list count on this machine",
        hint: "to do so, on a terminal: customers config")
    }
    return (arguments[..<index] + words + arguments[(index + 1)...], alias)
  }

  /// The index of the first word that is no option, and the options of every command.
  private static func options(before arguments: [String]) -> (index: Int, options: Invocation)? {
    var reader = InvocationReader(commands: [], globals: GlobalOptions.all)
    var first: Int?
    for (index, word) in arguments.enumerated() {
      if first == nil, reader.pending == nil, !reader.isOption(word), word != "--" {
        first = index
      } else {
        // The options of the command are not known yet.
        try? reader.take(word)
      }
    }
    guard let first, !Command.all.contains(where: { $0.isCalled(arguments[first]) }) else { return nil }
    return (first, reader.invocation)
  }
}
