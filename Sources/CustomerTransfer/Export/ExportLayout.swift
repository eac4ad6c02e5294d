package import CustomerStore
internal import CustomersFormats

/// The columns of an exported table and a customer's values in them.
package struct ExportLayout {
  /// The names of the columns.
  package let columns: [String]
  /// The values of the columns, given a customer and the title of its section.
  package let values: (_ customer: Customer, _ section: String) -> [String]
  /// The fields with any number of values that are written, even if a customer has none.
  package private(set) var lists: [CustomerField] = []
  /// The customer as an object, if columns were chosen.
  private(set) var object: ((_ customer: Customer, _ section: String) -> JSON)?
  /// What a terminal shows of a string; nil to write the data unchanged.
  package var shown: ((String) -> String)?

  /// Creates a layout of any columns.
  private init(columns: [String], values: @escaping (_ customer: Customer, _ section: String) -> [String]) {
    self.columns = columns
    self.values = values
  }

  /// The columns of every file.
  static let fixed =
    CustomerField.standard.filter { $0.kind != .lines }.map(\.column) + ["can_edit", "can_move", "section"]
  /// The columns with which every file with ids begins.
  static let identifying = ["id", "version"]

  /// The columns of an export: those that were chosen, otherwise all fields and the title of the section, then the
  /// extra columns of the rows; ids and the version of the list come first.
  ///
  /// Fields with any number of values come after the section, and only if some customer has one.
  init(_ list: borrowing CustomerList, _ rows: ListedRows, _ options: ExportOptions) throws {
    let identity = try options.includesIDs ? HandOut(rows, of: list).text : nil
    if let columns = options.columns {
      self.init(columns, try list.outline(), identity: identity)
    } else {
      let section = rows.filter.section
      self.init(
        extra: try list.extraColumns(in: section, withNulls: true).map(\.name),
        lists: try list.usedLists(in: section), identity: identity)
    }
  }

  /// The columns of rows that were read from a damaged list: all fields and the extra columns of these rows.
  init(_ rows: [Customer]) {
    var known: Set<[UInt8]> = []
    var extra: [String] = []
    for customer in rows where customer.fields.extra != "{}" {
      for (name, _) in customer.fields.extraColumns.columns where known.insert(Array(name.utf8)).inserted {
        extra.append(name)
      }
    }
    let lists = CustomerField.lists.filter { list in rows.contains { !$0.fields[list].text.isEmpty } }
    self.init(extra: extra, lists: lists, identity: nil)
  }

  /// The chosen columns; as in every file, `section` is its title.
  private init(_ chosen: [ListColumn], _ outline: ListOutline, identity: String?) {
    let chosen = chosen.filter { identity == nil || $0 != .id }
    let fixed = (identity == nil ? [] : ExportLayout.identifying) + chosen.filter { !$0.isExtra }.map(\.name)
    let escaped = ExtraName.escaping(chosen.filter(\.isExtra).map(\.name), beside: fixed, isExact: true)
    var extra = escaped.makeIterator()
    let names = chosen.map { $0.isExtra ? extra.next() ?? $0.name : $0.name }
    self.init(columns: (identity == nil ? [] : ExportLayout.identifying) + names) { customer, section in
      (identity.map { [String(customer.id.rawValue), $0] } ?? [])
        + chosen.map { $0 == .section ? section : $0.value(customer, outline).plain }
    }
    object = { customer, section in
      .object(
        zip(names, chosen).map { name, column in
          (name, column == .section ? .string(section) : column.value(customer, outline))
        })
    }
  }

  private init(extra: [String], lists: [CustomerField], identity: String?) {
    let fixed = (identity == nil ? [] : ExportLayout.identifying) + ExportLayout.fixed + lists.map(\.column)
    // By the bytes of the name in the list.
    let places = Dictionary(
      uniqueKeysWithValues: extra.enumerated().map { (Array($1.utf8), fixed.count + $0) })
    self.init(columns: fixed + ExtraName.escaping(extra, beside: fixed, isExact: true)) { customer, section in
      var values: [String] = []
      values.reserveCapacity(fixed.count + extra.count)
      if let identity {
        values.append(String(customer.id.rawValue))
        values.append(identity)
      }
      customer.fields.appendTexts(to: &values)
      // They come last, where they are wanted.
      values.removeLast(CustomerField.lists.count)
      values.append(customer.fields.isFavorite ? "1" : "0")
      values.append(customer.canEdit ? "1" : "0")
      values.append(customer.canMove ? "1" : "0")
      values.append(section)
      values += lists.map { customer.fields[$0].text }
      guard !extra.isEmpty else { return values }
      values += Array(repeating: "", count: extra.count)
      guard customer.fields.extra != "{}" else { return values }
      for (name, value) in customer.fields.extraColumns.columns {
        if let place = places[Array(name.utf8)] { values[place] = value.text }
      }
      return values
    }
    self.lists = lists
  }
}

extension ListColumn {
  fileprivate var isExtra: Bool {
    if case .field(.extra) = self { true } else { false }
  }
}

extension JSON {
  /// The value in a format without types, such as CSV.
  package var plain: String {
    switch self {
    case .string(let text), .raw(let text): text
    case .bool(let flag): flag ? "1" : "0"
    case .int, .array, .object: text
    }
  }
}
