internal import CustomerStore
internal import CustomersText

extension Command {
  static let config = Command(
    name: "config", summary: "see and change the settings of the list",
    description: ConfigWords.description,
    operands: [.optional(.text("NAME")), .optional(.text("VALUE"))],
    common: GlobalOptions.ofEditing,
    examples: [
      CommandExample("Show phone numbers", "customers config columns phone,tags"),
      CommandExample("Name a line", "customers config alias.shops 'list --where company~shop'"),
    ],
    seeAlso: ["list", "columns"],
    run: { session in
      let words = session.invocation.operands
      if words.count < 2 { return try session.writeConfig(named: words.first) }
      return try session.set(words[0], to: words[1].isEmpty ? nil : words[1])
    })
}

private enum ConfigWords {
  static let description =
    [
      "Without a NAME, all are shown. They travel with the list. An empty VALUE removes one. Put options before NAME.",
      "",
    ]
    + ListConfig.Key.allCases.map { "\($0.rawValue): \($0.help)." } + [
      "",
      "alias.NAME: a command line that NAME stands for, except in scripts; what follows NAME is added. It can't have",
      "--yes. Aliases and done from another machine apply once you agree on a terminal; over ssh, its own `done`",
      "applies.",
    ]
}

extension Session {
  fileprivate func writeConfig(named name: String?) throws -> ExitCode {
    if let name { try checkSetting(name) }
    let config = try read(openStore(creating: false, mayBeMissing: true)) { list in try ListConfig(list) }
    // What an alias stands for is a matter of the machine where it is typed.
    let counted = context.caller == nil ? config.effective : [ListConfig.Key.done.rawValue]
    let ignored = try unconfirmed(config, counted.filter { name == nil || name == $0 })
    let shown = config.settings.filter { name == nil || $0.key == name }.sorted { $0.key < $1.key }
    let settings = JSON.object(shown.map { ($0.key, .string($0.value)) })
    try answer("config", [("settings", settings)]) {
      for (key, value) in shown {
        try output.write((name == nil ? "\(printable(key))=" : "") + printable(value) + "\n")
      }
    }
    try tell(unconfirmed: ignored)
    if let name, shown.isEmpty {
      throw Failure.notFound(
        "the list has no setting \(quoted(name))", hint: "to make it: customers config \(typed(name)) VALUE")
    }
    return .done
  }

  fileprivate func set(_ name: String, to value: String?) throws -> ExitCode {
    let key = try checkSetting(name)
    if key == nil, let value {
      _ = try Alias(name, ListConfig.words(of: value))
    }
    var made: ListConfig?
    try report(creating: false) { list in
      let last = try list.lastEdit()
      if let value, let key { try check(value, for: key, in: list) }
      if try list.settings()[name] != value { try list.set(name, to: value) }
      made = try ListConfig(list)
      return OutcomeReport(action: "config", outcome: try list.outcome(ofEditsAfter: last))
    }
    if !isDryRun, let made { try confirm(made, name) }
    return .done
  }

  /// The setting of a name; nil for an alias.
  ///
  /// - Throws: a `Failure` with code `usage` if there is no such setting.
  @discardableResult
  private func checkSetting(_ name: String) throws -> ListConfig.Key? {
    if let key = ListConfig.Key(rawValue: name) { return key }
    guard name.hasPrefix(ListConfig.aliasPrefix) else {
      throw Failure.unknown(
        "setting", name, among: ListConfig.Key.allCases.map(\.rawValue),
        remedy: "the settings are \(listed(ListConfig.Key.allCases.map(\.rawValue))), and alias.NAME")
    }
    let alias = name.dropFirst(ListConfig.aliasPrefix.count)
    let isWord = alias.utf8.allSatisfy {
      (0x30...0x39).contains($0) || (0x61...0x7a).contains($0) || $0 == 0x2d
    }
    guard isWord, alias.first?.isLetter == true else {
      throw Failure.usage(
        "the name of an alias consists of lowercase letters, digits, and -", hint: "for example: alias.shops",
        offendingArgument: name)
    }
    guard !Command.all.contains(where: { $0.isCalled(String(alias)) }) else {
      throw Failure.usage("\(quoted(String(alias))) is a command", offendingArgument: name)
    }
    return nil
  }

  /// - Throws: a `Failure` if a setting can't have this value in the list.
  private func check(_ value: String, for key: ListConfig.Key, in list: borrowing CustomerList) throws {
    switch key {
    case .columns: _ = try list.columns(named: value, by: key.option)
    case .sort: _ = try list.sortOrder(by: value, isDescending: false, option: key.option)
    case .done where !CustomerList.isTitle(value, key.rawValue): break
    case .section, .done:
      let sections = try list.sections()
      guard !sections.contains(where: { $0.title == value }) else { break }
      throw Failure.notFound(
        "there is no section \(quoted(value))",
        hint: knownSections(sections.map(\.title), instead: value))
    }
  }
}
