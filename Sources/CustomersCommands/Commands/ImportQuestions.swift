internal import CustomerStore
internal import CustomerTransfer
internal import CustomersText

/// What an import asks before it begins, or in the place of an error.
extension Session {
  /// Asks whether a file that was handed out from the list is taken in, instead of its rows being added again.
  func mayTakeBack(_ importer: CustomerImporter, _ name: String) throws -> Bool {
    guard mayBeAsked, !options.saysYes, let version = try? importer.handedOutVersion(),
      try read(mayBeMissing: true, { try $0.has(version) })
    else { return false }
    return try confirm(
      "\(name) was handed out from this list. Take in what was changed in it? (no: add its rows again)",
      to: "taking in \(name)")
  }

  /// Says that the program waits for input at the terminal.
  func announceTyping(_ path: String) throws {
    guard path == "-", context.input.isTerminal else { return }
    try errors.write("Reading from the terminal; press Ctrl-D at the start of a line to end.\n")
    try errors.flush()
  }

  /// Reads the file of an import.
  func prepare(_ importer: CustomerImporter) throws {
    try importer.prepare { columns in try read(mayBeMissing: true, columns) }
  }

  /// Asks before the same file is imported again, which would duplicate its customers.
  ///
  /// - Returns: whether to import it.
  /// - Throws: a `Failure` with code `refused` without a terminal to ask on.
  func mayImport(_ importer: CustomerImporter, _ name: String) throws -> Bool {
    guard importer.options.addsAgain, !options.saysYes,
      try read(mayBeMissing: true, { try $0.hasImports() })
    else { return true }
    // The list is not locked while a long file is read.
    _ = try importer.digest()
    guard let step = try read({ list in try list.lastImport(of: importer) }) else { return true }
    let told = "\(quoted(name)) was already imported (step \(step.id))"
    guard !isDryRun else {
      try errors.write("note: \(told)\n")
      return true
    }
    guard options.saysYes || mayBeAsked else {
      throw Failure.refused(told, hint: "to import it again, add \(GlobalOptions.yes.name)")
    }
    return try confirm("\(told). Import it again?", to: "importing \(name) again")
  }

  /// Whether someone at a terminal can be asked how the values of a file are written.
  var mayAskForWays: Bool { canAsk && !isDryRun && !options.saysYes }

  /// Asks how the values of columns are written that can be read in several ways.
  ///
  /// - Returns: false if the input ends.
  func chooseWays(_ importer: CustomerImporter) throws -> Bool {
    var choices: [ColumnKindChoice] = []
    for kind in importer.openKinds {
      let question =
        "The values of \(quoted(kind.column)), such as \(printable(kind.example)), may be \(kind.kind.plural):"
      let ways = zip(kind.open, kind.examples).map { way, example in "\(way): \(example)" }
      guard let way = try choose(among: ways + ["neither; they stay text"], question) else { return false }
      let word = (kind.open + [ColumnKind.text.rawValue])[way]
      if let choice = ColumnKindChoice(column: kind.header, word: word) { choices.append(choice) }
    }
    importer.options.kinds += choices
    return true
  }

  /// Asks for one of several ways.
  ///
  /// - Returns: its index; nil if the input ends.
  func choose(among ways: [String], _ question: String) throws -> Int? {
    var lines = question
    for (index, way) in ways.enumerated() { lines += "\n     \(index + 1)  \(way)" }
    while let answer = try answer(to: "\(lines)\nWhich? [1–\(ways.count)]") {
      if let number = Int(answer), ways.indices.contains(number - 1) { return number - 1 }
    }
    return nil
  }

  /// Asks whether the first line is a customer, if it looks like one.
  ///
  /// - Returns: whether to import the file.
  /// - Throws: a `Failure` with code `refused` without a terminal to ask on.
  func maySkipHeader(
    _ importer: CustomerImporter, _ name: String, _ path: String
  ) throws -> Bool {
    guard importer.options.format.isTable else { return true }
    do { _ = try importer.columns() } catch TransferError.noHeader {
      guard options.saysYes || mayBeAsked || isDryRun else {
        throw Failure(.noHeader, file: name, path: path, rejects: RejectedRows())
      }
      let question = "\(name): \(TransferError.noHeader). Import it as a customer?"
      guard try isDryRun || confirm(question, to: "importing \(name)") else { return false }
      if isDryRun || options.saysYes {
        try errors.write("note: \(name): \(TransferError.noHeader); it is imported as one\n")
      }
      importer.options.hasHeader = false
    } catch is TransferError {
      // Reported when the file is imported.
    }
    return true
  }

  /// Asks what ended an import, so that it can be made again.
  ///
  /// - Returns: whether to do so; nil without a terminal to ask on that.
  func shouldContinue(
    after error: TransferError, _ rejects: RejectedRows, _ importer: CustomerImporter, _ name: String
  ) throws -> Bool? {
    guard mayBeAsked else { return nil }
    if case .rejectedRows = error, let first = rejects.firstShort {
      return try mayFill(first.row, first.text, importer, name)
    }
    guard case .knownCustomers(let count) = error else { return nil }
    (importer.options.refusesKnown, importer.options.countsKnown) = (false, true)
    importer.confirmed = importer.choices
    let told = ImportSummary.known(count: count, first: importer.ambiguousValue ?? "")
    return try confirm("\(name): \(told). Add them again?", to: "importing \(name)")
  }

  /// Asks whether the rows that are too short have empty values at their ends.
  func mayFill(
    _ row: RejectedRow, _ text: String, _ importer: CustomerImporter, _ name: String
  ) throws -> Bool {
    let question =
      "\(name):\(row.place.inMessage): \(row.reason): \(text)\nAre the last values of such rows empty?"
    guard try confirm(question, to: "importing \(name)") else { return false }
    importer.options.fillsShortRows = true
    return true
  }
}

extension ImportOptions {
  /// Whether a second import of the same file would add customers a second time, at least those without an id.
  fileprivate var addsAgain: Bool { duplicates == .add || keys == ["id"] }
}
