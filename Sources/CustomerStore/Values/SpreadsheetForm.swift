/// What a spreadsheet makes of a text that looks like a number, a day, or a formula.
///
/// It takes the 0 from the start of a phone number, and writes `1e5` as 100000, `1/2` as a day, and `=1+1` as 2. Who hands
/// out a list gets such values back without anyone having changed them.
package enum SpreadsheetForm {
  /// Whether a spreadsheet may have written `written` for a text.
  package static func mayBe(_ written: String, of text: String, today: CalendarDay = .today) -> Bool {
    guard written != text, text.utf8.count < 64, written.utf8.count < 64, !text.contains("\n") else {
      return false
    }
    if text.hasPrefix("=") { return isResult(written, of: text) }
    return isNumber(written, of: text) || isDay(written, of: text, today) || isMark(written, of: text)
  }

  /// Whether a formula may have a result: any if it has a cell, a function, or a text, and else a number, a mark, or an error.
  private static func isResult(_ written: String, of formula: String) -> Bool {
    guard let first = written.first, first != "=" else { return false }
    if formula.prefixMatch(of: /=[-+]?(\$?[A-Za-z]{1,3}\$?\d|[A-Za-z.]+\(|\(|")/) != nil { return true }
    return first == "#" || written.hasPrefix("Err:")
      || ColumnReading.yesNo.stored(written, today: .today) != nil
      || first.isNumber || "-+".contains(first)
  }

  /// Whether `written` is what a spreadsheet makes of a number whose decimals it has taken for thousands.
  static func hasThousands(_ written: String, of number: String) -> Bool {
    let parts = number.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1].utf8.count == 3, parts[0].drop(while: { $0 == "-" }).utf8.count <= 3,
      let whole = DecimalNumber(parts.joined())
    else { return false }
    return DecimalNumber(written) == whole
  }

  // MARK: Numbers

  /// Whether both are the same number, and `written` has nothing around its digits that a person wrote.
  private static func isNumber(_ written: String, of text: String) -> Bool {
    let digits = written.utf8.drop { $0 == UInt8(ascii: "-") }
    let hasZeros =
      digits.first == UInt8(ascii: "0")
      && digits.dropFirst().first.map { (0x30...0x39).contains($0) } ?? false
    guard let first = digits.first, (0x30...0x39).contains(first), !hasZeros,
      written.utf8.allSatisfy({ (0x30...0x39).contains($0) || "-+.,E%".utf8.contains($0) })
    else { return false }
    let (old, new) = (numbers(text), numbers(written))
    if !Set(old).isDisjoint(with: new) { return true }
    // It keeps 15 digits, and shows fewer of a large number.
    let mantissa = written.prefix { $0 != "E" }.filter(\.isNumber)
    guard mantissa.utf8.count > 15 || mantissa.utf8.count < written.filter(\.isNumber).utf8.count,
      let one = Double(text), let other = Double(written.replacing(",", with: "."))
    else { return false }
    let precision = Double("1e-\(max(0, min(15, mantissa.reversed().drop { $0 == "0" }.count) - 1))") ?? 0
    return (one - other).magnitude <= other.magnitude * precision
  }

  private static func numbers(_ text: String) -> [DecimalNumber] {
    let isPercent = text.hasSuffix("%")
    // A sign of a currency is a format, too.
    let number = (isPercent ? String(text.dropLast()) : text).unicodeScalars.filter {
      $0.properties.generalCategory != .currencySymbol
    }
    let plain = String(String(String.UnicodeScalarView(number)).trimmingBlanks)
    let spellings = DecimalStyle.allCases.compactMap { $0.plain(plain) } + [plain.replacing(",", with: ".")]
    return spellings.compactMap { DecimalNumber(isPercent ? $0 + "e-2" : $0) }
  }

  // MARK: Days

  /// Whether both are the same day or time of day, or `written` is a day that has all numbers of a shorter text.
  private static func isDay(_ written: String, of text: String, _ today: CalendarDay) -> Bool {
    // Another order of the numbers was typed.
    guard shape(written) != shape(text) else { return false }
    if let clock = Moment(on: .anyDay, clock: text), let other = Moment(on: .anyDay, clock: written) {
      return clock.seconds == other.seconds
    }
    let (old, new) = (moments(text, today), moments(written, today))
    guard old.isEmpty else { return !Set(old.map(\.local)).isDisjoint(with: new.map(\.local)) }
    let numbers = text.split { !("0"..."9").contains($0) }.compactMap { Int($0) }
    let words = text.split { !$0.isLetter }
    guard (1...3).contains(numbers.count), numbers.count + words.count > 1,
      words.allSatisfy({ CalendarWords.months[searchFolded(String($0))] != nil })
    else { return false }
    // It shows the day of `5-3` as `05. Mrz` or `3-May`.
    let days = new.map { moment in
      let (year, month, day) = moment.day.parts
      return (month: month, numbers: [year, year % 100, month, day])
    }
    return (days + shownDays(written)).contains { month, known in
      let isOfMonth = words.allSatisfy { word in
        CalendarWords.months[searchFolded(String(word))]?.contains { $0.number == month } ?? false
      }
      return isOfMonth && Set(numbers).isSubset(of: known)
    }
  }

  /// The months, and the numbers, of a day or a month with the name of the month and one number.
  private static func shownDays(_ written: String) -> [(month: Int, numbers: [Int])] {
    let numbers = written.split { !("0"..."9").contains($0) }.compactMap { Int($0) }
    let words = written.split { !$0.isLetter }
    // 5月3日
    if words == ["月", "日"], numbers.count == 2 { return [(numbers[0], numbers)] }
    guard numbers.count == 1, words.count == 1 else { return [] }
    return (CalendarWords.months[searchFolded(String(words[0]))] ?? []).map {
      ($0.number, numbers + [$0.number])
    }
  }

  private static func shape(_ text: String) -> String { String(text.map { $0.isNumber ? "0" : $0 }) }

  private static func moments(_ text: String, _ today: CalendarDay) -> [Moment] {
    var recognition = ColumnRecognition(today: today)
    recognition.take(text)
    return recognition.readings.filter { $0.kind == .date || $0.kind == .time }.compactMap { reading in
      reading.stored(text, today: today).flatMap { Moment($0) }
    }
  }

  // MARK: Yes and no

  private static let marks = [
    "true": "yes", "false": "no", "wahr": "yes", "falsch": "no", "vrai": "yes", "faux": "no",
  ]

  /// Whether it is the word of another language for true or false.
  private static func isMark(_ written: String, of text: String) -> Bool {
    guard let mark = marks[text.lowercased()] else { return false }
    return
      (Bool(typed: written).map { $0 ? "yes" : "no" }
      ?? ColumnReading.yesNo.stored(written, today: .today)) == mark
  }
}

extension CustomerFields {
  /// A value that a spreadsheet has written in another form.
  package struct Reformed: Hashable, Sendable {
    package var column: String
    package var old: String
    package var new: String
  }

  /// Restores the values that a spreadsheet has written in another form, and no one has changed.
  ///
  /// - Parameters:
  ///   - base: the fields that were handed out.
  ///   - kinds: the kinds of the columns: the same number, or time, is the same value.
  ///   - isCertain: whether only those are restored, and no text.
  /// - Returns: the texts that were restored, which may also have been typed.
  package mutating func keepForms(
    of base: CustomerFields, _ kinds: ColumnKinds, onlyCertain isCertain: Bool
  ) -> [Reformed] {
    var reformed: [Reformed] = []
    for field in differences(from: base) where field != .addressParts {
      let (old, new, column) = (base[field].text, self[field].text, kinds[field])
      guard !old.isEmpty, !new.isEmpty else { continue }
      let isSame = column.isSame(new, as: old)
      let isForm =
        switch column.kind {
        case .text: SpreadsheetForm.mayBe(new, of: old)
        case .number: SpreadsheetForm.hasThousands(new, of: old)
        default: false
        }
      guard isSame || !isCertain && isForm else { continue }
      self[field] = base[field]
      if field == .address { addressParts = base.addressParts }
      if !isSame { reformed.append(Reformed(column: field.column, old: old, new: new)) }
    }
    return reformed
  }
}
