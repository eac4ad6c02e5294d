internal import CustomerStore

/// What a page shows of the list: the matches of a text, or all rows with the matches among them, in the order of
/// the list or in another one.
struct ListView: Sendable {
  /// What was typed to search: words or a question such as `City=Berlin`; empty for no search.
  var text = ""
  /// Whether only matches are shown.
  var isFiltering = true
  /// The order of the rows; nil for that of the list.
  var order: SortOrder?

  /// Reads the member `view` of a request.
  init(_ body: RequestBody) throws {
    try body.allow("text", "only", "sort", "descending")
    text = try body.text("text", most: 1_000)
    isFiltering = try body.flag("only")
    guard let name = try body.given("sort", { try body.text($0, most: 1_000) }) else { return }
    guard name == "name" || CustomerField(nameInRequests: name) != nil else {
      throw APIRefusal.bad("There is no field \(name.quotedShort).")
    }
    let key = CustomerField(nameInRequests: name).map(SortOrder.Key.field) ?? .name
    order = SortOrder(by: [key], isDescending: try body.given("descending", body.flag) ?? false)
  }
}

/// Which rows a page reads of what it shows.
struct RowsRequest: Sendable {
  /// The number of the first row, from 1, and of rows.
  var from: Int, limit: Int
  /// The customer around whom the rows are read instead.
  var anchor: CustomerID?
  /// The tag of the sections that the page has.
  var outline: String?
  /// The columns that the page shows.
  var columns = [CustomerField.company, .email, .phone]

  private static let limits = 1...500

  init(_ query: Query) throws {
    try query.allow("from", "limit", "anchor", "outline")
    from = try query.number("from") ?? 1
    limit = try query.number("limit", in: Self.limits) ?? 100
    (anchor, outline) = (try query.customer("anchor"), query["outline"])
  }

  init(_ body: RequestBody) throws {
    from = Int(try body.number("from"))
    limit = Int(try body.number("limit"))
    guard Self.limits.contains(limit) else { throw body.wrong("limit", "a number from 1 to 500") }
    anchor = try body.given("anchor", body.number).map { CustomerID(rawValue: $0) }
    outline = try body.given("outline") { try body.text($0, most: 64) }
    if let names = try body.given("columns", { try body.text($0, most: 10_000) }) {
      columns = try Self.columns(names)
    }
  }

  /// The fields that a text names, one in each line.
  private static func columns(_ names: String) throws -> [CustomerField] {
    let fields = names.split(separator: "\n").compactMap { CustomerField(nameInRequests: String($0)) }
    guard fields.count <= 50 else { throw APIRefusal.bad("A page has at most 50 columns.") }
    return fields
  }
}

extension RequestBody {
  /// A text with a maximum number of bytes.
  func text(_ name: String, most: Int) throws -> String {
    let text = try text(name)
    guard text.utf8.count <= most else { throw wrong(name, "at most \(most) bytes") }
    return text
  }
}
