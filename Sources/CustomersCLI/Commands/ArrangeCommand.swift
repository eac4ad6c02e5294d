internal import CustomerStore
internal import CustomersWording

extension Command {
  static let arrange = Command(
    name: "arrange", summary: "reorder and delete rows in a text editor",
    description: [
      "Opens the list in $VISUAL or $EDITOR, one line per customer. Reorder the lines (also across",
      "sections) and put d in front of those to delete. You see the changes and confirm them. If another",
      "program changed the order while you were editing, arrange changes nothing.",
    ],
    options: [.optional(ArrangeTemplate.section)],
    examples: [
      CommandExample("Put the whole list in order:", "customers arrange"),
      CommandExample("Put one section in order:", "customers arrange --section leads"),
    ],
    seeAlso: ["move", "sort", "undo"], rewritesMuch: true,
    run: { session in
      let instead = "to move rows by number: customers move 5 --to 2"
      if !session.isDryRun, session.context.hasChosenEditor || !session.options.mayAsk {
        try session.checkConsent(to: "arrange")
      }
      try session.checkEditor(of: "arrange", instead: instead)
      let name = session.invocation[ArrangeTemplate.section]
      var template = try session.readAtLength { list in
        // The editor shows which section it is.
        let limit: Name.Fit = session.mayGuess ? .part : .words
        return try ArrangeTemplate(
          list, only: name.map { try list.outline().section(titled: $0, upTo: limit).id })
      }
      return try session.inEditor(template.text, of: "arrange", instead: instead) { text in
        let (wanted, deleted) = try template.read(text)
        do {
          return try session.arrange { _, list in
            let present = try ArrangeTemplate(list, only: template.only)
            guard template.version.isOf(present.version.history) else { throw StaleConfirmation.otherHistory }
            guard present.known == template.known else { throw ChangedOrder(present: present) }
            if let id = deleted.first(where: { !present.shows($0, like: template) }) {
              throw ListError.contentChanged(id)
            }
            return .batch(BatchUpdates(wanted, deleting: deleted, template))
          }
        } catch let conflict as ChangedOrder {
          defer { template = conflict.present }
          throw conflict.failure(since: template)
        }
      }
    })
}

extension Session {
  /// Shows the changes, asks, and makes them.
  fileprivate func arrange(_ request: EditRequest) throws -> ExitCode {
    guard !isDryRun, !options.saysYes, let shown = try preview(request)?.confirmed else {
      try edit(creating: false, isSure: true, request)
      return .done
    }
    let lines = TextPresenter(shown.outcome, isDryRun: true).lines
    for line in Failure.shown(lines) { try errors.write(line + "\n") }
    guard try lines.isEmpty || confirm("Apply these changes?", to: "arrange") else { return .declined }
    try edit(shown, creating: false, ifAllowedBy: request)
    return .done
  }
}

/// Another program changed the order while it was edited here.
private struct ChangedOrder: Error {
  var present: ArrangeTemplate

  func failure(since template: ArrangeTemplate) -> Failure {
    let before = Set(template.known.rows)
    let now = Set(present.known.rows)
    let added = now.subtracting(before).sorted().map { "     @\($0.rawValue) is new" }
    let deleted = before.subtracting(now).sorted().map { "     @\($0.rawValue) is deleted" }
    let differences = added + deleted
    return Failure(
      code: .refused,
      message: "another program changed the order while you were editing; nothing was changed",
      details: Failure.shown(differences.isEmpty ? ["     rows were moved"] : differences))
  }
}

extension BatchUpdates {
  /// The edits that lead to an arrangement, with as few moves as possible.
  fileprivate init(_ wanted: ListArrangement, deleting: [CustomerID], _ template: ArrangeTemplate) {
    self.init()
    for id in deleting { delete(.customer(id)) }
    for (id, place) in wanted.moves(from: template.known, keeping: template.fixed) {
      move(.customer(id), to: .place(place.order, in: place.section))
    }
  }
}
