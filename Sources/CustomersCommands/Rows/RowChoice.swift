internal import CustomerStore
internal import CustomerTransfer
internal import CustomersSystem
internal import CustomersText

/// The rows of a command: those named or those that match all terms.
struct RowChoice: Sendable {
  private let names: RowSelectors
  private let questions: [FilterExpression]
  private let today: CalendarDay

  /// The terms for rows, instead of their names.
  static let option = Option.values(
    "--where", short: "-w", .term, "rows that match, such as City=Berlin (help rows)"
  )

  /// The forms of a command that takes rows, by name or by terms.
  static func forms(_ groups: [OptionGroup]) -> [Form] {
    [.plain([.many(.row)], groups), .plain([], [.required(option)] + groups)]
  }

  /// Parses the words for the rows and the terms.
  ///
  /// Without either there are no rows, which is the meaning of empty standard input.
  init(_ invocation: Invocation, operands: [String]? = nil) throws {
    names = try RowSelectors(operands ?? invocation.operands)
    (questions, today) = (try invocation.questions, invocation.today)
  }

  /// How many rows are read at most to find them.
  func rowsRead(_ list: borrowing CustomerList) throws -> Int {
    try questions.isEmpty ? names.rowsRead(list) : list.count()
  }

  /// The rows, in the order named or in list order.
  func rows(_ resolver: RowResolver, in list: borrowing CustomerList) throws -> [Customer] {
    try resolver.rows(names, matching: filter(in: list), in: list)
  }

  /// The ids of the same rows, after each was passed to `body`; it needs memory for a few rows.
  func ids(
    _ resolver: RowResolver, in list: borrowing CustomerList, _ body: (Customer) throws -> Void
  ) throws -> [CustomerID] {
    try resolver.ids(names, matching: filter(in: list), in: list, body)
  }

  private func filter(in list: borrowing CustomerList) throws -> RowFilter? {
    questions.isEmpty ? nil : try RowFilter(questions, today: today, in: list)
  }
}

extension RowResolver {
  /// Refuses an edit of rows that were found by a question which some values left open.
  ///
  /// - Throws: a `Failure` with code `refused`.
  func refuseSkipped() throws {
    guard let sentence = skipped.sentence else { return }
    throw Failure.refused(
      "\(sentence), so it is not known whether these customers match",
      hint: "to leave them out, add \(GlobalOptions.yes.name)")
  }
}

extension Session {
  /// Says which values a question has left out.
  func tell(_ skipped: SkippedValues) throws {
    guard let sentence = skipped.sentence, !isQuiet else { return }
    try writeAside("note: \(sentence); these customers were left out")
  }
}

extension Invocation {
  /// The terms of `--where`.
  var questions: [FilterExpression] {
    get throws { try self[RowChoice.option].map { word throws in try FilterExpression(word) } }
  }
}

extension Invocation {
  /// The index of the operand `-` that stands for rows on standard input; nil if there is none.
  var indexOfPipedRows: Int? {
    rowOperands.indices.first { index in
      operands[index] == "-"
        && command?.expected(after: Array(operands[..<index])).contains(where: \.takesRows) == true
    }
  }
}

extension Session {
  /// Reads the ids on standard input for the operand `-`.
  ///
  /// - Throws: a `Failure` with code `usage` for a line that is not an id.
  mutating func readRows() throws {
    guard let index = invocation.indexOfPipedRows else { return }
    guard !context.input.isTerminal else {
      throw Failure.usage("- reads ids from a pipe: customers list Berlin --format ids | customers …")
    }
    let file = try context.files.open("-")
    let lines = StandardInput(file.descriptor, isTerminal: false)
    // The file is closed when nothing refers to it.
    defer { withExtendedLifetime(file) {} }
    var ids: [String] = []
    var number = 0
    while let line = lines.line() {
      number += 1
      let word = line.trimmingBlanks
      guard !word.isEmpty else { continue }
      let digits = word.hasPrefix("@") ? word.dropFirst() : word[...]
      guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
        throw Failure.usage(
          "standard input:\(number): \(quoted(String(word))) is not an id",
          hint: "to print ids: customers list --format ids")
      }
      ids.append("@\(digits)")
    }
    readsRows = true
    invocation.replaceOperand(at: index, by: ids)
  }
}

extension ListEdit {
  /// Whether the edit is about rows, but no row was selected.
  var isOfNoRow: Bool {
    switch self {
    case .update(let ids, _), .delete(let ids, _), .move(let ids, _, _, _), .moveBy(let ids, _),
      .protect(let ids, _, _), .log(let ids, _, _, _, _), .done(let ids, _):
      ids.isEmpty
    default: false
    }
  }
}

/// How a message names a customer: as the user did, by row or by id.
struct CustomerLabel: Sendable {
  /// The name and the row, as in `"Ann Lee" (row 3)`; or `"Ann Lee" (@17)`.
  let title: String
  /// The word that names the customer in a command: `3` or `@17`.
  let word: String

  init(_ customer: Customer, at position: Int, isByID: Bool) {
    let id = "@\(customer.id.rawValue)"
    word = isByID ? id : "\(position)"
    let place = isByID ? id : "row \(position)"
    title =
      customer.name.isEmpty
      ? (isByID ? "customer \(id)" : place) : "\(customer.fields.title(customer.id)) (\(place))"
  }
}

extension RowResolver {
  /// How messages name a customer of the list.
  func label(_ customer: Customer) throws -> CustomerLabel {
    CustomerLabel(
      customer, at: try outline.position(of: customer.place), isByID: namedByID.contains(customer.id))
  }

  /// The error of an edit of rows that this resolver has found, which has not changed the list; if it is about a
  /// customer or a section, it names the customer as the user did, or the section by its title.
  func naming(_ error: any Error, in list: borrowing CustomerList) -> any Error {
    let refusal: ListError
    switch error {
    case let error as ListError: refusal = error
    case BatchError.refused(_, let error): refusal = error
    default: return error
    }
    if case .sectionNotEmpty(let id, let count) = refusal, let section = try? outline.section(id) {
      var failure = Failure(refusal: refusal)
      failure.message = "section \(quoted(section.title)) is not empty (\(counted(count, "customer")))"
      return failure
    }
    guard let id = refusal.customer, let customer = try? found.customers[id] ?? list.customer(id),
      let label = try? label(customer)
    else { return error }
    return Failure(refusal: refusal, label)
  }
}

extension CustomerList {
  /// The SHA-256 of everything that people see, without ids: two lists that look the same have the same
  /// digest.
  ///
  /// It hashes lines of JSON: for each section its title and footer, then its customers in order, each with
  /// every member; what only some customers have only if there is any, as in lists from before it could be. The digest of
  /// a list is the same in every version, so the lines are no export's. O(rows)
  func digest() throws -> String {
    var digest = SHA256()
    var title = ""
    let logged = try customersWithLog()
    _ = try forEach(
      ListedRows(),
      header: { section in
        title = section.title
        let heading = SectionHeading(title: title, footer: section.footer)
        digest.update(Array("\(heading.json.text)\n".utf8))
      },
      row: { customer in
        let lists = CustomerField.lists.filter { !customer.fields[$0].text.isEmpty }
        let members = lists.map { ($0.column, customer.fields[$0].json) }
        let log = try logged.contains(customer.id) ? log(of: customer.id) : []
        digest.update(Array("\(customer.json(in: title, lists: members, log: log).text)\n".utf8))
      })
    return digest.hexadecimal
  }
}
