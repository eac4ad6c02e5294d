internal import CustomerStore

/// Fields with any number of values, such as tags: each value is a line of the form, and one more is empty.
extension FormState {
  /// The lines of a field.
  static func rows(_ field: CustomerField, _ value: FieldValue, _ options: Options) -> [FormField] {
    let first = FormField(
      .field(field), field.kind == .lines ? .text("") : value, label: options.label(of: field),
      placeholder: options.placeholders[field] ?? "")
    guard field.kind == .lines else { return [first] }
    let values = value.text.split(whereSeparator: \.isNewline).map(String.init) + [""]
    return values.enumerated().map { index, text in
      var row =
        index == 0 ? first : FormField(.value(field, index + 1), .text(""), label: "", placeholder: "")
      row.show(.text(text))
      return row
    }
  }

  /// The value of a field as its lines say; blank ones are left out.
  func list(_ field: CustomerField) -> FieldValue {
    let values = rows(of: field).compactMap { fields[$0].text?.text }
      .filter { !$0.allSatisfy(\.isWhitespace) }
    let known = original[field].text.split(whereSeparator: \.isNewline).map(String.init)
    return values == known ? original[field] : .text(values.joined(separator: "\n"))
  }

  /// Shows a value of a field in its lines.
  mutating func show(_ value: FieldValue, of field: CustomerField) {
    let old = rows(of: field)
    guard field.kind == .lines else { return old.forEach { fields[$0].show(value) } }
    let new = FormState.rows(field, value, options)
    fields.replaceSubrange(old, with: new)
    guard case .field(let index)? = focus, index >= old.lowerBound else { return }
    focus = .field(
      index < old.upperBound
        ? min(index, old.lowerBound + new.count - 1) : index + new.count - old.count)
  }

  /// Adds an empty line below a list whose last line was typed in.
  mutating func growList(at index: Int) {
    guard let field = fields[index].list, fields[index].text?.text.isEmpty == false else { return }
    let rows = rows(of: field)
    guard index == rows.upperBound - 1 else { return }
    fields.insert(
      FormField(.value(field, rows.count + 1), .text(""), label: "", placeholder: ""), at: index + 1)
  }

  private func rows(of field: CustomerField) -> Range<Int> {
    let start = fields.firstIndex { $0.id == .field(field) } ?? fields.endIndex
    let end = fields[start...].dropFirst().firstIndex { $0.list != field || $0.id == .field(field) }
    return start..<max(start, min(end ?? fields.endIndex, fields.endIndex))
  }
}

extension FormField {
  /// The field with several values that the line belongs to.
  fileprivate var list: CustomerField? {
    switch id {
    case .field(let field) where field.kind == .lines: field
    case .value(let field, _): field
    case .field, .place: nil
    }
  }
}
