internal import CustomerStore

extension Command {
  static let arrange = Command(
    name: "arrange", summary: "reorder and delete rows in a text editor",
    description: [
      "The list is opened in $VISUAL or $EDITOR, one line a customer: put the lines in the order you want,",
      "also from one section to another, and put d before those to delete. What would be done is shown",
      "and asked about. If another program changes the order meanwhile, nothing is done.",
    ],
    options: [.value("--section", .section, "only this section, by title or @id")],
    examples: [
      CommandExample("Put the whole list in order:", "customers arrange"),
      CommandExample("Put one section in order:", "customers arrange --section leads"),
    ],
    seeAlso: ["move", "sort", "undo"],
    run: { session in
      if !session.isDryRun { try session.checkConsent(to: "arrange") }
      let name = session.invocation.value("--section")
      var template = try session.read { list in
        try ArrangeTemplate(list, only: name.map { try list.outline().section(titled: $0).id })
      }
      let instead = "name the rows: customers move 5 --to 2"
      return try session.inEditor(template.text, instead: instead) { text in
        let (wanted, deleted) = try template.read(text)
        do {
          return try session.arrange { _, list in
            let present = try ArrangeTemplate(list, only: template.only)
            guard present.known == template.known else { throw ChangedMeanwhile(present: present) }
            return .batch(BatchUpdates(wanted, deleting: deleted, template))
          }
        } catch let meanwhile as ChangedMeanwhile {
          defer { template = meanwhile.present }
          throw meanwhile.failure(since: template)
        }
      }
    })
}

extension Session {
  /// Shows what would be done, asks, and does it.
  fileprivate func arrange(_ request: EditRequest) throws -> ExitCode {
    if !isDryRun, !invocation.has("--yes") {
      let lines = try preview(request).map { TextPresenter($0.outcome, isDryRun: true).lines } ?? []
      for line in Failure.shown(lines) { try errors.write(line + "\n") }
      guard try lines.isEmpty || confirm("Do this?", to: "arrange") else { return .declined }
    }
    try edit(creating: false, isSure: true, request)
    return .done
  }
}

/// The list was arranged by another program while it was edited here.
private struct ChangedMeanwhile: Error {
  var present: ArrangeTemplate

  func failure(since template: ArrangeTemplate) -> Failure {
    let before = Set(template.known.rows)
    let now = Set(present.known.rows)
    let added = now.subtracting(before).sorted().map { "     @\($0.rawValue) is new" }
    let deleted = before.subtracting(now).sorted().map { "     @\($0.rawValue) is deleted" }
    let differences = added + deleted
    return Failure(
      code: .refused, message: "another program changed the order meanwhile",
      details: Failure.shown(differences.isEmpty ? ["     rows were moved"] : differences),
      hint: "nothing was changed")
  }
}

extension BatchUpdates {
  /// What makes an arrangement true, with as few moves as can be.
  fileprivate init(_ wanted: Arrangement, deleting: [CustomerID], _ template: ArrangeTemplate) {
    self.init()
    for id in deleting { delete(.customer(id)) }
    for (id, place) in wanted.moves(from: template.known, keeping: template.fixed) {
      move(.customer(id), to: .place(place.order, in: place.section))
    }
  }
}
