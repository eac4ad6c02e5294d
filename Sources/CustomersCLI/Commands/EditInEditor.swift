internal import CustomerStore

extension Session {
  /// Lets the person edit the fields of the customer that is named, in a text editor.
  func editInEditor() throws -> ExitCode {
    let names = try RowSelectors(invocation.operands)
    let (customer, text) = try read { list in
      let finder = try RowResolver(list)
      let customer = try finder.row(names, in: list)
      guard customer.canEdit else { throw ListError.editForbidden(customer.id) }
      let position = finder.outline.position(of: customer.place)
      let extra = ExtraColumns(customer.fields.extra).texts
      return (customer, FieldTemplate.text(customer, position: position, extra: extra))
    }
    var known = customer.fields
    return try inEditor(text) { text in
      let template = try FieldTemplate(text)
      do {
        try edit(creating: false) { list in
          let before = try list.customer(customer.id)
          let fields = try template.applied(to: before.fields, knowing: known)
          let after = try list.update(customer.id) { $0 = fields }
          return try Report(edited: before, after, list.outline())
        }
      } catch let conflict as EditConflict {
        // Who sees the other program's values and goes on may replace them.
        for (title, value) in conflict.present { known.set(title, to: value) }
        throw conflict.failure
      }
      return .done
    }
  }
}

/// Fields that were changed here and by another program.
struct EditConflict: Error {
  /// The fields by title, with the value that each has now.
  var present: [(title: String, value: String)]

  var failure: Failure {
    Failure(
      code: .refused, message: "another program changed the customer meanwhile",
      details: present.map { "     \($0.title) is now \(quoted($0.value))" }, hint: "nothing was changed")
  }
}

extension FieldTemplate {
  /// The fields with the values that the person changed.
  ///
  /// They are changed as they are now; `known` is how the person saw them. A field that was changed
  /// here and elsewhere, to different values, is an `EditConflict`.
  fileprivate func applied(to fields: CustomerFields, knowing known: CustomerFields) throws -> CustomerFields
  {
    var fields = fields
    var conflict = EditConflict(present: [])
    for (title, value) in values.sorted(by: { $0.key < $1.key }) {
      let before = FieldTemplate.value(title, of: known)
      let present = FieldTemplate.value(title, of: fields)
      guard value != before, value != present else { continue }
      if present == before {
        fields.set(title, to: value)
      } else {
        conflict.present.append((title, present))
      }
    }
    guard conflict.present.isEmpty else { throw conflict }
    return fields
  }
}

extension CustomerFields {
  /// Sets the field with a title of the template.
  fileprivate mutating func set(_ title: String, to value: String) {
    if let field = Field.all.first(where: { $0.title == title }) {
      self[keyPath: field.path] = value
    } else {
      isFavorite = value == "yes"
    }
  }
}
