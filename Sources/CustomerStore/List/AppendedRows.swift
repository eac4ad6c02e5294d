internal import CustomersMigrations
internal import CustomersSQLite

/// New sections, at the end of the list, and customers, each at the end of its section, that wait to be written together:
/// every row of a file may name another section.
package struct AppendedRows {
  /// How many are written together, at most; SQLite keeps what a statement changes in memory until it ends.
  private static let most = 4_000

  private var titles: [String] = []
  private var runs: [Run] = []
  private var count = 0
  /// The ids of the first of them.
  private var firstSection: Int64?
  private var firstCustomer: Int64?

  /// Customers that follow each other in one section.
  fileprivate struct Run {
    var section: SectionID
    var customers: [NewCustomer]
  }

  /// Starts with none.
  package init() {}

  /// Adds an empty section whose title was compared with all others by `Name.title`.
  package mutating func addSection(_ title: String, to list: inout CustomerList) throws -> SectionID {
    if titles.count >= AppendedRows.most { try write(to: &list) }
    let first = try firstSection ?? list.nextID(in: "section_record")
    firstSection = first
    titles.append(title)
    return SectionID(rawValue: first + Int64(titles.count) - 1)
  }

  /// The id of the next customer.
  package mutating func nextID(in list: borrowing CustomerList) throws -> CustomerID {
    let first = try firstCustomer ?? list.largestID() + 1
    firstCustomer = first
    return CustomerID(rawValue: first + Int64(count))
  }

  /// Adds customers to a section, by default the first one.
  package mutating func add(
    _ customers: [NewCustomer], in section: SectionID?, to list: inout CustomerList
  ) throws {
    _ = try nextID(in: list)
    runs.append(Run(section: try section ?? list.section(nil).id, customers: customers))
    count += customers.count
    if count >= AppendedRows.most { try write(to: &list) }
  }

  /// Writes what waits.
  ///
  /// - Throws: the same errors as `insert` and `addSection`; none is added.
  /// - Complexity: O(rows and sections that wait), independent of the length of the list.
  package mutating func write(to list: inout CustomerList) throws {
    if titles.count + runs.count >= ManyRows.fewest {
      try list.append(titles, runs)
    } else {
      for title in titles { _ = try list.insertSection(title: title) }
      for run in runs {
        var rest = run.customers.makeIterator()
        try list.insertCustomers(in: run.section) { rest.next() }
      }
    }
    self = AppendedRows()
  }
}

extension CustomerList {
  /// Adds sections at the end of the list, and customers, each at the end of its section.
  fileprivate mutating func append(
    _ titles: [String], _ runs: [AppendedRows.Run]
  ) throws {
    let customers = runs.flatMap { run in run.customers.map { (customer: $0, section: run.section) } }
    let firstSection = try nextID(in: "section_record")
    try atomically { list in
      try Migrations.manyRows.begin(list.connection)
      let sql = "INSERT INTO staged_section VALUES (?, ?)"
      try list.connection.executeMany(sql, for: titles.enumerated()) { statement, title in
        try statement.bind(firstSection + Int64(title.offset), at: 1)
        try statement.bind(title.element, at: 2)
      }
      let ids = try list.addRecords(
        customers.map { customer, _ in
          // It is protected when it has its log.
          var customer = customer
          if !customer.log.isEmpty { customer.canEdit = true }
          return customer
        })
      try list.connection.executeMany(
        "INSERT INTO staged_row (customer, to_section) VALUES (?, ?)", for: zip(ids, customers)
      ) { statement, row in
        try statement.bind(row.0.rawValue, at: 1)
        try statement.bind(row.1.section.rawValue, at: 2)
      }
      try list.edit({ list.appendError($0, titles, firstSection) }) {
        try Migrations.manyRows.append(list.connection)
      }
      for (id, (customer, _)) in zip(ids, customers) where !customer.log.isEmpty {
        try list.addLines(customer.log, to: id)
        if !customer.canEdit { try list.protect(id, canEdit: false) }
      }
    }
  }

  private func appendError(_ refusal: Refusal, _ titles: [String], _ first: Int64) -> ListError? {
    guard refusal == .title else { return titleError(refusal, "") }
    for (number, title) in titles.enumerated() {
      let other = try? section(likeTitled: title, besides: SectionID(rawValue: first + Int64(number)))
      if let other { return .titleInUse(other.title) }
    }
    return nil
  }
}
