package import CustomerStore

/// The columns of an exported table, and a customer's values in them.
package struct ExportLayout {
  /// The names of the columns.
  package let columns: [String]
  /// The values of the columns, given a customer and the title of its section.
  package let values: (_ customer: Customer, _ section: String) -> [String]
  /// The fields with any number of values that are written, even if a customer has none.
  package private(set) var lists: [CustomerField] = []
  /// What a terminal shows of a text; nil to write the data unchanged.
  package var shown: ((String) -> String)?

  /// Creates a layout of any columns.
  package init(columns: [String], values: @escaping (_ customer: Customer, _ section: String) -> [String]) {
    self.columns = columns
    self.values = values
  }

  /// The columns of every file.
  static let fixed =
    CustomerField.standard.filter { $0.kind != .lines }.map(\.column) + ["can_edit", "can_move", "section"]
  /// The columns of every file with ids, by which an import recognizes one.
  static let fixedWithID = ["id"] + fixed

  /// All fields and the title of the section, then the extra columns of a section or the list; with
  /// `includesIDs`, the id is first.
  ///
  /// Fields with any number of values come after the section, and only if some customer has one.
  package init(_ list: borrowing CustomerList, in section: SectionID?, includesIDs: Bool = false) throws {
    self.init(
      extra: try list.extraColumns(in: section, withNulls: true).map(\.name),
      lists: try list.usedLists(in: section), includesIDs: includesIDs)
  }

  private init(extra: [String], lists: [CustomerField], includesIDs: Bool) {
    let fixed =
      (includesIDs ? ExportLayout.fixedWithID : ExportLayout.fixed) + lists.map(\.column)
    // By the bytes of the name in the list.
    let places = Dictionary(
      uniqueKeysWithValues: extra.enumerated().map { (Array($1.utf8), fixed.count + $0) })
    self.init(columns: fixed + ExtraName.escaping(extra, beside: fixed, isExact: true)) { customer, section in
      var values: [String] = []
      values.reserveCapacity(fixed.count + extra.count)
      if includesIDs { values.append(String(customer.id.rawValue)) }
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
