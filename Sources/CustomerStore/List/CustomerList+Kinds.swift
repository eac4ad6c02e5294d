extension CustomerList {
  /// Says what the values of an extra column are, and brings those that are there into the form of the kind.
  ///
  /// A column that customers have is found by its exact name; no customer needs to have it. A string such as `25.11.2026`
  /// is read as the other values of the column suggest, and not at all if they leave two readings. It is one step, whose
  /// undo restores the strings.
  ///
  /// - Parameters:
  ///   - kind: what the values are.
  ///   - choices: the values of a choice, in their order.
  ///   - name: the exact name.
  ///   - written: how the values that are there are written, such as `day first`; nil if they say it themselves.
  ///   - keepingText: whether values that are not of the kind stay as they are.
  /// - Throws: `ListError.valuesOfOtherKind`, `unnamed`, `editForbidden`.
  /// - Complexity: O(customers).
  package mutating func setKind(
    _ kind: ColumnKind, choices: [String] = [], ofColumn name: String, written: String? = nil,
    keepingText: Bool = false
  ) throws {
    let column = ColumnKinds.Column(kind, choices: choices)
    let values = try readValues(ofColumn: name, as: column, written)
    // A number that may be two would be one of them, and not text.
    guard keepingText && (kind != .number || values.ways.isEmpty) || values.others.isEmpty else {
      throw ListError.valuesOfOtherKind(name, in: values.others.map(\.id))
    }
    try atomically { list in
      if var declared = try list.declaredExtraColumns().first(where: { $0.name.utf8.elementsEqual(name.utf8) }
      ) {
        (declared.kind, declared.choices) = (kind, choices)
        try list.changeColumn(declared)
      } else {
        try list.declareColumn(name, kind: kind, choices: choices)
      }
      try list.revise(values.readable) { customer in
        let text = customer.fields.extraColumns[name]?.text ?? ""
        customer.fields.extraColumns[name] = values.stored[text].map(FieldValue.text)
      }
    }
  }

  /// The customers whose value of an extra column is not of a kind, in list order.
  ///
  /// Beside them are the ways in which the values can be read, if there are several, and `written` names none.
  ///
  /// - Complexity: O(customers).
  package func customers(
    withValuesOtherThan kind: ColumnKind, choices: [String], ofColumn name: String, written: String? = nil
  ) throws -> (customers: [Customer], ways: [String]) {
    let values = try readValues(ofColumn: name, as: ColumnKinds.Column(kind, choices: choices), written)
    return (values.others, values.ways)
  }

  /// The values of an extra column, read as of a kind.
  private struct ReadValues {
    /// The customers whose value gets another form.
    var readable: [Customer] = []
    /// Those whose value is not of the kind.
    var others: [Customer] = []
    /// The new forms, by the strings.
    var stored: [String: String] = [:]
    /// The ways in which the values can be read, if there are several.
    var ways: [String] = []
  }

  private func readValues(
    ofColumn name: String, as column: ColumnKinds.Column, _ written: String?
  ) throws -> ReadValues {
    var customers: [Customer] = []
    try forEach { customer in
      if let value = customer.fields.extraColumns[name], !value.text.isEmpty {
        customers.append(customer)
      }
      return true
    }
    // What is a number already is as it is stored.
    let isStored = try written == nil && columnKinds().declared(name)?.kind == column.kind
    let recognized = column.recognize(
      customers.map { $0.fields.extraColumns[name]?.text ?? "" }, only: written)
    var found = ReadValues()
    if case .open(let readings) = recognized { found.ways = readings.ways }
    for customer in customers {
      let text = customer.fields.extraColumns[name]?.text ?? ""
      let form = isStored ? column.form(ofValue: text) : nil
      guard let stored = form ?? column.stored(read: text, recognized, only: written) else {
        found.others.append(customer)
        continue
      }
      guard stored != text else { continue }
      found.stored[text] = stored
      found.readable.append(customer)
    }
    return found
  }
}

extension CustomerList {
  /// How many customers have an address whose parts are not known.
  ///
  /// - Complexity: O(customers).
  package func addressesWithoutParts() throws -> Int {
    var count = 0
    try forEach(matching: RowFilter(), reading: CustomerColumns([.address, .addressParts])) { customer in
      if customer.fields.hasAddressWithoutParts { count += 1 }
      return true
    }
    return count
  }
}

extension ColumnKinds.Column {
  /// The stored forms of strings that were there before the column had a kind, of those that can be read.
  ///
  /// If the strings leave several readings, those of them that have got a form elsewhere may say which is meant.
  func forms(of texts: [String], read: [(text: String, form: String)]) -> [String: String] {
    var recognized = recognize(texts)
    if case .open(let readings) = recognized {
      let telling = read.filter { pair in Set(readings.map { $0.stored(pair.text, today: .today) }).count > 1
      }
      let meant = readings.filter { reading in
        telling.contains { reading.stored($0.text, today: .today) == $0.form }
      }
      if meant.count == 1 { recognized = .certain(meant[0]) }
    }
    return texts.reduce(into: [:]) { $0[$1] = stored(read: $1, recognized) }
  }

  /// How values are read, as far as each of them alone may be of the kind.
  fileprivate func recognize(_ values: [String], only word: String? = nil) -> ColumnRecognition.Result {
    let takesUnit = kind == .number
    var all = ColumnRecognition(today: .today, only: word, takesUnit: takesUnit)
    var open: ColumnRecognition.Result?
    for value in values {
      var alone = ColumnRecognition(today: .today, only: word, takesUnit: takesUnit)
      alone.take(value)
      guard alone.readings.contains(where: isOfKind) else { continue }
      all.take(value)
      if kind == .number, alone.readings.count > 1 { open = alone.result }
    }
    // Beside numbers in both styles, one that may be two still may.
    return all.result == .text ? open ?? .text : all.result
  }

  /// Whether values that are read so are of the kind; a day is a moment, too.
  private func isOfKind(_ reading: ColumnReading) -> Bool {
    reading.kind == kind || reading.kind == .date && kind == .time
  }

  /// The stored form of a string that was there before the column had a kind; nil if it is not a value of the kind, or can't
  /// be read in the only way, by its word.
  fileprivate func stored(
    read text: String, _ recognized: ColumnRecognition.Result, only word: String? = nil
  ) -> String? {
    switch kind {
    case .text, .lines: return text
    case .yesNo: return form(ofValue: text)
    case .choice: return (try? choice(text, "")).map { choices[$0] }
    case .link: return isValue(text) ? text : nil
    case .number:
      if case .certain(let reading) = recognized, let stored = reading.stored(text, today: .today) {
        return stored
      }
      return self.stored(writtenAlone: text, .today, only: word)
    case .date, .time:
      if let form = form(ofValue: text) { return form }
      guard case .certain(let reading) = recognized, isOfKind(reading),
        let stored = reading.stored(text, today: .today), isValue(stored)
      else { return nil }
      return stored
    }
  }
}
