internal import CustomerStore

extension Session {
  /// Opens the fields of the named customer in a text editor.
  func editInEditor() throws -> ExitCode {
    let selectors = try RowSelectors(invocation.operands)
    let (customer, label, text, version) = try read { list in
      let resolver = try RowResolver(list)
      let customer = try resolver.row(selectors, in: list)
      let label = resolver.label(customer)
      guard customer.canEdit else { throw Failure(.editForbidden(customer.id), label) }
      let position = resolver.outline.position(of: customer.place)
      return (customer, label, FieldTemplate.text(customer, position: position), try list.version())
    }
    var known = customer.fields
    let instead = "to give the fields as options: customers edit 3 --phone 555-0100"
    return try inEditor(text, of: "edit", instead: instead) { text in
      var fields = known
      for (field, value) in try FieldTemplate(text, of: customer).values { fields[field] = value }
      try fields.refuseBlank(of: customer, label)
      do {
        try edit(creating: false) { [known] _, list in
          guard try version.isOf(list.version().history) else { throw StaleConfirmation.otherHistory }
          return .save(customer.id, from: known, to: fields)
        }
      } catch let conflict as FieldConflict {
        // After seeing the other program's values, the user may replace them.
        for field in conflict.fields { known[field] = conflict.theirs[field] }
        throw conflict
      }
      return .done
    }
  }
}
