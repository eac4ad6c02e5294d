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

  fileprivate(set) var settings: [String: String]
  /// The id of the list.
  let list: String

  init(_ list: borrowing CustomerList) throws {
    (settings, self.list) = (try list.settings(), try list.identity().list)
  }

  /// What `config --json` says of a list that is elsewhere.
  fileprivate init?(json text: String, of list: String) {
    guard let answer = try? JSONMembers(JSON(reading: Array(text.utf8))),
      let settings = try? answer.object("settings")
    else { return nil }
    self.list = list
    self.settings = settings.names.reduce(into: [:]) { $0[$1] = try? settings.text($1) }
  }

  subscript(key: Key) -> String? { settings[key.rawValue] }

  /// The words that an alias stands for; nil if the list has no such alias.
  func alias(_ name: String) throws -> [String]? {
    try settings[ListConfig.aliasPrefix + name].map { try ListConfig.words(of: $0) }
  }

  /// What a setting says, without the names that fit no column of the list; and these names.
  func fitting(_ key: Key, in list: borrowing CustomerList) throws -> (names: String?, unfit: [String]) {
    guard let value = self[key] else { return (nil, []) }
    func fits(_ names: String) throws -> Bool {
      do {
        if key == .sort { _ = try list.sortOrder(by: names) } else { _ = try list.columns(named: names) }
        return true
      } catch is FieldNamesError { return false } catch is ListError { return false }
    }
    if try fits(value) { return (value, []) }
    let words = value.split(separator: ",", omittingEmptySubsequences: false).map {
      String($0.trimmingBlanks)
    }
    var (known, unfit): ([String], [String]) = ([], [])
    for word in words {
      // One that was named before is left out, too.
      if try fits((known + [word]).joined(separator: ",")) { known.append(word) } else { unfit.append(word) }
    }
    return (known.isEmpty ? nil : known.joined(separator: ","), unfit)
  }

  /// The words of a command line that an alias stands for.
  static func words(of line: String) throws -> [String] {
    guard !line.contains(where: \.isNewline) else {
      throw Failure.usage("an alias stands for one command line, without line breaks")
    }
    return try TypedCommand.words(of: line, problem: "an alias stands for a command line, but ")
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
      throw Failure.notFound(
        "the list has the setting \(key.rawValue)=\(typed(title)), but no such section",
        hint: "to change it: customers config \(key.rawValue) TITLE")
    }
    return section.id
  }

  /// The names of the settings that change what a command does.
  var effective: [String] { settings.keys.sorted().filter(ListConfig.changesCommands) }

  /// A setting as a line, if it changes what a command does.
  func effect(of name: String) -> String? {
    guard ListConfig.changesCommands(name) else { return nil }
    return settings[name].map { "\(name)=\($0)" }
  }

  fileprivate static func changesCommands(_ name: String) -> Bool {
    name == Key.done.rawValue || name.hasPrefix(aliasPrefix)
  }
}

extension ListEdit {
  /// Where `done` moves rows after this edit, which may give that section another title.
  func doneRule(after rule: String?, in list: borrowing CustomerList) throws -> String? {
    guard case .section(.rename(let id, let title?, _)) = self, let rule,
      CustomerList.isTitle(rule, ListConfig.Key.done.rawValue),
      CustomerList.isTitle(title, ListConfig.Key.done.rawValue), try list.section(id).title == rule
    else { return rule }
    return title
  }

  /// The same edit; `done` moves its rows to where the setting says.
  func following(
    _ rule: String?, _ resolver: RowResolver, _ list: borrowing CustomerList
  ) throws -> ListEdit {
    guard case .done(let ids, let text) = self, let rule, rule != "last" else { return self }
    guard rule != "stay" else { return .log(ids, text, next: "") }
    let section = try ListConfig.section(titled: rule, as: .done, resolver)
    let rows = try ids.map { try list.customer($0) }
    return try .log(resolver.inOrder(rows).map(\.id), text, next: "", to: .last, in: section)
  }
}

/// Which settings of a list someone has seen on this machine, and let count or not.
struct ConfirmedSettings {
  /// The digests of the settings, the last one first, with `no` before those that do not count; undo may bring earlier ones
  /// back.
  private var known: [String]
  private let file: StateFile?

  init(ofList list: String, _ environment: [String: String]) {
    file = StateFile("config", of: list, environment)
    known =
      file?.read().map { String(decoding: $0, as: UTF8.self).split(separator: "\n").map(String.init) } ?? []
  }

  /// Whether a setting counts; nil if no one has seen it.
  func counts(_ effect: String) -> Bool? {
    let digest = SHA256.hexadecimal(of: effect)
    return known.contains(digest) ? true : known.contains("no " + digest) ? false : nil
  }

  /// Lets settings count from now on, or not; without a folder for that, only in this run.
  mutating func add(_ effects: [String], counting: Bool = true) throws {
    let digests = effects.map(SHA256.hexadecimal(of:))
    let old = Set(digests + digests.map { "no " + $0 })
    known = digests.map { counting ? $0 : "no " + $0 } + known.filter { !old.contains($0) }
    try file?.write(Array(known.prefix(1000).map { $0 + "\n" }.joined().utf8))
  }
}

extension Session {
  /// Whether a setting counts here: one that changes what a command does, only if someone has seen it here.
  ///
  /// On a terminal, asks about those that no one has seen, once.
  func confirms(_ config: ListConfig, _ name: String, mayAsk: Bool = true) throws -> Bool {
    try unconfirmed(config, [name], mayAsk: mayAsk).isEmpty
  }

  /// Those settings that change what a command does and do not count here.
  func unconfirmed(_ config: ListConfig, _ names: [String], mayAsk: Bool = true) throws -> [String] {
    var confirmed = ConfirmedSettings(ofList: config.list, environment)
    func isUnseen(_ name: String) -> Bool {
      config.effect(of: name).map { confirmed.counts($0) == nil } ?? false
    }
    if mayAsk, canAsk, !options.saysYes, names.contains(where: isUnseen) {
      try errors.write("Settings of the list change what commands do; they came from another machine:\n")
      // Aliases stand for command lines where these are typed.
      let unseen = config.effective.filter { isUnseen($0) && (context.caller == nil || names.contains($0)) }
      let effects = unseen.compactMap(config.effect)
      for effect in effects { try errors.write("     \(printable(effect))\n") }
      try confirmed.add(
        effects, counting: try ask("Let them count on this machine? [y/N]", default: false))
    }
    return names.filter { name in config.effect(of: name).map { confirmed.counts($0) != true } ?? false }
  }

  /// Says which settings do not count here.
  func tell(unconfirmed names: [String]) throws {
    guard !names.isEmpty, !isQuiet else { return }
    try errors.write(
      "note: \(listed(names.map(printable), "and")) \(names.count == 1 ? "does" : "do") not count here, because no one "
        + "has confirmed what came from another machine (help config)\n")
  }

  /// Whether the command may give sections other titles.
  var mayRenameSections: Bool {
    [Command.section.name, Command.apply.name].contains(invocation.command?.name)
  }

  /// Lets `done` still count here when its section has got another title here.
  func keepConfirmed(_ before: ListConfig, as after: ListConfig) throws {
    let name = ListConfig.Key.done.rawValue
    guard before[.done] != after[.done], before[.done] != nil, try confirms(before, name, mayAsk: false)
    else {
      return
    }
    try confirm(after, name)
  }

  /// The same for an edit that is about to be made.
  func keepConfirmed(_ edit: ListEdit, in list: borrowing CustomerList) throws {
    guard case .section(.rename) = edit else { return }
    let before = try ListConfig(list)
    var after = before
    after.settings[ListConfig.Key.done.rawValue] = try edit.doneRule(after: before[.done], in: list)
    try keepConfirmed(before, as: after)
  }

  /// What the list says of where `done` moves rows, if that counts here.
  func doneRule() throws -> String? {
    guard !invocation[GlobalOptions.noConfig] else { return nil }
    let config = try read(openStore(creating: false)) { list in try ListConfig(list) }
    let rule = try doneRule(config)
    if rule == nil, let ignored = config[.done], !isQuiet {
      try errors.write(
        "note: the setting done=\(typed(ignored)) of the list does not count here (help config)\n")
    }
    return rule
  }

  /// The same for a list that is open; a program that serves others asks no one.
  func doneRule(_ config: ListConfig, mayAsk: Bool = true) throws -> String? {
    try confirms(config, ListConfig.Key.done.rawValue, mayAsk: mayAsk) ? config[.done] : nil
  }

  /// Lets a setting count that was made here.
  func confirm(_ config: ListConfig, _ name: String) throws {
    guard let effect = config.effect(of: name) else { return }
    var confirmed = ConfirmedSettings(ofList: config.list, environment)
    if confirmed.counts(effect) != true { try confirmed.add([effect]) }
  }

  /// Lets a setting count here that was just made here, in a list on another machine; or says which of those do not that
  /// were just shown.
  ///
  /// Where `done` moves rows is a matter of that machine.
  func confirmSetting() throws {
    let words = invocation.operands
    // That is how the settings are read, too.
    guard try words.count == 2 || format() != .json, let known = knownConfig() else { return }
    guard words.count == 2 else {
      let aliases = known.effective.filter { $0 != ListConfig.Key.done.rawValue && (words.first ?? $0) == $0 }
      return try tell(unconfirmed: unconfirmed(known, aliases))
    }
    if !isDryRun { try confirm(known, words[0]) }
  }

  /// The settings of the list, wherever it is; nil if they can't be read.
  fileprivate func knownConfig() -> ListConfig? {
    guard case .ssh? = try? list.address else {
      return (try? openList(creating: false)).flatMap { store in
        try? read(store) { list in try ListConfig(list) }
      }
    }
    guard let id = stateIfReadable()?.id else { return nil }
    let asked = Invocation(.config, flags: [GlobalOptions.json, GlobalOptions.noInput])
    return answerIfReadable(to: asked).flatMap { ListConfig(json: $0, of: id) }
  }

  /// What the list has for a word that names no command; nil if it has nothing.
  ///
  /// - Throws: a `Failure` if the alias does not count here, or can't be one.
  func alias(_ name: String, mayAsk: Bool = true) throws -> Alias? {
    guard let known = knownConfig(), let words = try known.alias(name) else { return nil }
    let alias = try Alias(name, words)
    guard try confirms(known, ListConfig.aliasPrefix + name, mayAsk: mayAsk) else {
      throw Failure.refused(
        "\(alias.note); no one has let this setting of the list count on this machine",
        hint: "on a terminal, you are asked once; to let it count: customers config "
          + "\(typed(ListConfig.aliasPrefix + name)) \(typed(known.settings[ListConfig.aliasPrefix + name] ?? ""))"
      )
    }
    return alias
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
    guard !options[GlobalOptions.noConfig], let alias = try session.alias(arguments[index]) else {
      return nil
    }
    return (arguments[..<index] + alias.words + arguments[(index + 1)...], alias)
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
