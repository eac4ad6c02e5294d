internal import CustomerStore
internal import CustomersFormats

/// The columns of a file that together are the ways to reach a customer.
struct ContactPlan {
  /// One way to reach a customer, by the indices of its columns.
  fileprivate struct Entry {
    var kind: ContactLine.Kind
    var label: String
    var rank: Contacts.Rank
    var labelColumn: Int?
    /// The columns of a value; of an address, its lines or its street.
    var values: [Int] = []
    /// A column with the address as it is printed.
    var printed: Int?
    var parts: [(part: PostalAddress.Part, column: Int)] = []
  }

  private var entries: [Entry] = []
  /// What the columns become, by index.
  private(set) var targets: [Int: ColumnTarget] = [:]

  /// Whether it has no columns.
  var isEmpty: Bool { entries.isEmpty }

  /// The kinds of values that the file has; a label may say that a number is that of a fax or pager.
  var kinds: Set<ContactLine.Kind> {
    let hasLabels = entries.contains { $0.kind == .phone && $0.labelColumn != nil }
    return Set(entries.map(\.kind)).union(hasLabels ? [.fax, .pager] : [])
  }

  /// Groups the columns; those that are understood otherwise have no meaning here.
  ///
  /// - Parameters:
  ///   - meanings: what the names of the columns mean.
  ///   - taken: what other columns become.
  init(_ meanings: [ColumnMeaning?], besides taken: Set<ColumnTarget>) {
    let isNumbered = meanings.contains { $0?.isOfNumberedAddress ?? false }
    var places: [String: Int] = [:]
    for (index, meaning) in meanings.enumerated() {
      guard let meaning, let kind = meaning.kind, !meaning.isType else { continue }
      let key = meaning.key(isNumbered)
      let place = kind == .address ? places[key] ?? entries.count : entries.count
      if place == entries.count {
        let labelColumn = meanings.firstIndex { $0?.isType == true && $0?.key(isNumbered) == key }
        entries.append(Entry(kind: kind, label: meaning.label, rank: meaning.rank, labelColumn: labelColumn))
        places[key] = place
      }
      add(index, meaning, at: place)
    }
    dissolve()
    decide(meanings, besides: taken)
  }

  private mutating func add(_ index: Int, _ meaning: ColumnMeaning, at place: Int) {
    switch meaning.part {
    case nil where meaning.isWhole: entries[place].printed = index
    case nil, .street?: entries[place].values.append(index)
    case let part?: entries[place].parts.append((part, index))
    }
  }

  /// Leaves the parts alone of an address that has no street, or no city, or only one of them.
  private mutating func dissolve() {
    for index in entries.indices where entries[index].kind == .address {
      let isPlace = entries[index].parts.contains { $0.part == .city || $0.part == .code }
      let hasStreet =
        !entries[index].values.isEmpty || entries[index].printed != nil
        || entries[index].parts.contains { $0.part == .poBox }
      if !isPlace || !hasStreet { entries[index].parts = [] }
    }
    entries.removeAll { $0.values.isEmpty && $0.printed == nil && $0.parts.isEmpty }
  }

  /// Determines what each column becomes.
  ///
  /// A single value without a label is simply the field.
  private mutating func decide(_ meanings: [ColumnMeaning?], besides taken: Set<ColumnTarget>) {
    for kind in ContactLine.Kind.allCases {
      let all = entries.filter { $0.kind == kind }
      if let field = kind.field, !taken.contains(.field(field)), all.count == 1, let only = all.first,
        only.isSimple
      {
        targets[only.values[0]] = .field(field)
        entries.removeAll { $0.kind == kind }
        continue
      }
      for entry in all {
        for (_, column) in entry.parts { targets[column] = .contact(ContactColumn(kind, .part)) }
        for column in entry.values + [entry.printed].compactMap(\.self) {
          let isPart = !entry.parts.isEmpty && meanings[column]?.part == .street
          targets[column] = .contact(ContactColumn(kind, label: entry.label, isPart ? .part : .value))
        }
        if let column = entry.labelColumn { targets[column] = .contact(ContactColumn(kind, .label)) }
      }
    }
  }
}

extension ContactPlan.Entry {
  fileprivate var isSimple: Bool {
    values.count == 1 && parts.isEmpty && printed == nil && label.isEmpty && labelColumn == nil
  }
}

extension ColumnMeaning {
  /// Whether the number is that of an address, as in "Address 2 - City", and not of one of its lines.
  fileprivate var isOfNumberedAddress: Bool {
    mayBeOfNumberedAddress && (part != nil || isWhole || isType)
  }

  private var mayBeOfNumberedAddress: Bool {
    kind == .address && number != nil && label.isEmpty && hasAddressWord
  }

  /// What the columns of one value have in common.
  ///
  /// - Parameter isNumbered: whether the file has numbered addresses; otherwise "Address 2" is a line.
  /// - Returns: a text that differs for other values.
  fileprivate func key(_ isNumbered: Bool) -> String {
    let counts = kind != .address || isOfNumberedAddress || isNumbered && mayBeOfNumberedAddress
    let number = counts ? number.map(String.init) ?? "" : ""
    return "\(kind?.rawValue ?? "")/\(label)/\(rank == .secondary)/\(number)"
  }
}

extension ContactPlan {
  /// The ways to reach the customer of a record.
  func contacts(_ record: Record, null: String?) -> Contacts {
    var contacts = Contacts()
    func text(_ column: Int?) -> String {
      guard let column else { return "" }
      let text = record.values[column].plain
      return text == null ? "" : String(text.trimmingBlanks)
    }
    for entry in entries {
      let value = entry.kind == .address ? address(entry, text) : text(entry.values.first)
      guard !value.isEmpty else { continue }
      let label = text(entry.labelColumn)
      let rank = label.hasPrefix("*") ? .preferred : entry.rank
      for value in pieces(value, of: entry.kind) {
        contacts.add(
          label.isEmpty
            ? ContactLine(entry.kind, label: entry.label, value)
            : ContactLine(entry.kind, labeled: label, value), rank)
      }
    }
    return contacts
  }

  /// The values in one field: Google separates them by `:::`, HubSpot e-mail addresses by semicolons.
  private func pieces(_ value: String, of kind: ContactLine.Kind) -> [String] {
    let pieces = value.split(separator: ":::").map { String(String($0).trimmingBlanks) }
    guard kind == .email, pieces.count == 1 else { return pieces }
    let parts = value.split { $0 == ";" || $0 == "," }.map { String(String($0).trimmingBlanks) }
    return parts.allSatisfy { $0.contains("@") && !$0.contains(" ") } ? parts : pieces
  }

  private func address(_ entry: Entry, _ text: (Int?) -> String) -> String {
    let printed = text(entry.printed)
    guard printed.isEmpty else { return printed }
    var address = PostalAddress()
    for (part, column) in entry.parts { address[part] = text(column) }
    let lines = entry.values.map(text).filter { !$0.isEmpty }.joined(separator: "\n")
    let (city, code) = (address[.city], address[.code])
    // The first column has all of it.
    if !city.isEmpty, !code.isEmpty, lines.contains(city), lines.contains(code) { return lines }
    address[.street] = lines
    return address.text
  }
}
