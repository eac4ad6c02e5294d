@_spi(Tools) internal import CustomerStore
internal import CustomersText

extension Command {
  static let delete = Command(
    name: "delete", aliases: ["rm"], summary: "delete customers",
    description: [
      "Asks first; `customers undo` restores them."
    ],
    forms: RowChoice.forms([]),
    examples: [
      CommandExample("Delete several without asking", "customers delete 2,5-7 --yes")
    ],
    seeAlso: ["undo", "section", "rows"],
    editing: Editing(question: { question($0.outcome) }, batch: deleteInBatch) { invocation in
      let choice = try RowChoice(invocation)
      return { resolver, list in .delete(try choice.rows(resolver, in: list).map(\.id)) }
    })
}

/// Names the first five, so that no one deletes the wrong customer.
private func question(_ outcome: EditOutcome) -> String? {
  let rows = outcome.rows
  let count = rows.count + outcome.runs.reduce(0) { $0 + $1.count }
  guard count > 0 else { return nil }
  if count == 1, let row = rows.first {
    let position = row.from.map(outcome.before.position) ?? 0
    return "Delete \(CustomerLabel(row.customer, at: position, isByID: false).title)?"
  }
  let names = rows.prefix(5).map { quoted($0.customer.name) }
  let shown = names.isEmpty ? "" : ": " + names.joined(separator: ", ")
  let more = count > names.count && !names.isEmpty ? " and \(count - names.count) more" : ""
  return "Delete \(count) customers\(shown)\(more)?"
}

@Sendable private func deleteInBatch(_ invocation: Invocation) throws -> BatchEdit {
  let choice = try RowChoice(invocation)
  return { resolver, list, batch in
    for row in try choice.rows(resolver, in: list) { batch.delete(.customer(row.id)) }
  }
}

extension Session {
  /// Whether a user can be asked.
  var canAsk: Bool { person != nil && options.mayAsk }
  /// Whether someone can be asked here or on the machine that sent the request.
  var mayBeAsked: Bool { canAsk || context.agreed != nil }

  /// Whether a part of a name is enough, because the user is asked to confirm it.
  var mayGuess: Bool { canAsk && !options.saysYes }

  /// Where the user answers; nil without a terminal to ask on.
  private var person: StandardInput? {
    if readsRows { return context.terminal() }
    return context.input.isTerminal ? context.input : nil
  }

  /// Asks the user, unless `--yes` is set.
  ///
  /// No transaction is open while it waits.
  ///
  /// - Returns: whether the answer is yes; end of file is no.
  /// - Throws: a `Failure` with code `refused` without a terminal to ask on.
  func confirm(_ question: String, to action: String) throws -> Bool {
    if context.agreed?.contains(question) == true { return true }
    try checkConsent(to: action, asking: question)
    if let alias = invocation.alias, !options.saysYes { try errors.write("\(alias.note)\n") }
    return try options.saysYes || ask("\(question) [y/N]", default: false)
  }

  /// - Throws: a `Failure` with code `refused` without `--yes`, without a terminal to ask on.
  func checkConsent(to action: String, asking question: String? = nil) throws {
    guard !options.saysYes, !canAsk, question != nil || context.agreed == nil else { return }
    let reason =
      !options.mayAsk
      ? "\(GlobalOptions.noInput.name) is set"
      : readsRows ? "there is no terminal" : "standard input is not a terminal"
    throw Failure(
      code: .refused, message: "\(action) needs confirmation, but \(reason)",
      hint: "add \(GlobalOptions.yes.name)",
      needsPerson: options.mayAsk, question: question)
  }

  /// Asks a question; true if the answer is yes.
  ///
  /// An empty line means the default; end of file means no.
  func ask(_ question: String, default standard: Bool) throws -> Bool {
    guard let answer = try answer(to: question) else { return false }
    return answer.isEmpty ? standard : answer == "y" || answer == "yes"
  }

  /// Asks a question; returns the answer in lowercase, or nil at the end of the input.
  func answer(to question: String) throws -> String? {
    try output.flush()
    try errors.write(question + " ")
    try errors.flush()
    let answer = person?.line()?.lowercased()
    if answer == nil { try errors.write("\n") }
    return answer
  }
}
