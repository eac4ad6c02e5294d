internal import CustomerStore
internal import CustomersFormats

/// The columns of a file that together are the ways to reach a customer.
struct ContactPlan {
  /// One way to reach a customer, by the indices of its columns.
  struct Entry {
    /// The first of its columns.
    var column: Int
    var kind: ContactLine.Kind
    var label: String
    var rank: Contacts.Rank
    /// Whether the name of the column has a number from 2 on.
    var isFurther: Bool
    var labelColumn: Int?
    /// The columns of a value; of an address, its lines or its street.
    var values: [Int] = []
    /// A column with the address as it is printed.
    var printed: Int?
    var parts: [(part: PostalAddress.Part, column: Int)] = []
    /// A column with the number of the house in the street.
    var houseNumber: Int?
  }

  /// In the order of their first columns.
  private(set) var entries: [Entry] = []
  /// What the columns become, by index.
  private(set) var targets: [Int: ColumnTarget] = [:]

  /// Whether it has no columns.
  var isEmpty: Bool { entries.isEmpty }

  /// Groups the columns; those that are understood otherwise have no meaning here.
  ///
  /// - Parameters:
  ///   - meanings: what the names of the columns mean.
  ///   - taken: what other columns become.
  init(_ meanings: [ColumnMeaning?], besides taken: Set<ColumnTarget>) {
    let isNumbered = meanings.contains { $0?.isOfNumberedAddress ?? false }
    var places: [String: Int] = [:]
    var labels: [String: Int] = [:]
    for (index, meaning) in meanings.enumerated() {
      guard let meaning, meaning.isType else { continue }
      let key = meaning.key(isNumbered)
      labels[key] = labels[key] ?? index
    }
    for (index, meaning) in meanings.enumerated() {
      guard let meaning, let kind = meaning.kind, !meaning.isType else { continue }
      let key = meaning.key(isNumbered)
      let place = kind == .address ? places[key] ?? entries.count : entries.count
      if place == entries.count {
        entries.append(
          Entry(
            column: index, kind: kind, label: meaning.label, rank: meaning.rank,
            isFurther: (meaning.number ?? 0) > 1, labelColumn: labels[key]))
        places[key] = place
      }
      add(index, meaning, at: place)
    }
    dissolve()
    decide(meanings, besides: taken)
  }

  private mutating func add(_ index: Int, _ meaning: ColumnMeaning, at place: Int) {
    switch meaning.part {
    case _ where meaning.isHouseNumber: entries[place].houseNumber = index
    case nil where meaning.isWhole: entries[place].printed = index
    case nil, .street?: entries[place].values.append(index)
    case let part?: entries[place].parts.append((part, index))
    }
  }

  /// Leaves the parts alone of an address that has no city, or nothing else.
  private mutating func dissolve() {
    for index in entries.indices where entries[index].kind == .address {
      let entry = entries[index]
      let isPlace = entry.parts.contains { $0.part == .city || $0.part == .code }
      let hasMore = !entry.values.isEmpty || entry.printed != nil || entry.parts.count > 1
      if !isPlace || !hasMore { entries[index].parts = [] }
      if entry.values.isEmpty { entries[index].houseNumber = nil }
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
        for column in entry.parts.map(\.column) + [entry.houseNumber].compactMap(\.self) {
          targets[column] = .contact(ContactColumn(kind, .part))
        }
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
    values.count == 1 && parts.isEmpty && printed == nil && label.isEmpty && labelColumn == nil && !isFurther
      && rank != .secondary && houseNumber == nil
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
  /// - Returns: a string that differs for other values.
  fileprivate func key(_ isNumbered: Bool) -> String {
    let counts = kind != .address || isOfNumberedAddress || isNumbered && mayBeOfNumberedAddress
    let number = counts ? number.map(String.init) ?? "" : ""
    return "\(kind?.rawValue ?? "")/\(label)/\(rank == .secondary)/\(number)"
  }
}
