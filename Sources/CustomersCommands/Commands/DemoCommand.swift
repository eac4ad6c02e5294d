internal import CustomerStore
internal import CustomersText

extension Command {
  static let demo = Command(
    name: "demo", summary: "fill an empty list with sample customers",
    common: [GlobalOptions.list, GlobalOptions.dryRun, GlobalOptions.quiet, GlobalOptions.json],
    examples: [
      CommandExample("Try it in another file", "customers --db try.sqlite demo")
    ],
    seeAlso: ["list", "add", "import"],
    run: { session in
      try session.report(creating: true) { list in
        let before = try list.count()
        if before == 0 { try list.insertSample() }
        return DemoReport(before: before, count: try list.count())
      }
      return .done
    })
}

private struct DemoReport: Report {
  let before: Int
  let count: Int

  func text(isDryRun: Bool) -> TextReport {
    let added = Sentence(.add, "\(count) customers in 3 sections").text(isDryRun: isDryRun)
    return TextReport(
      lines: [before > 0 ? "The list already has \(counted(before, "row")); nothing was added." : added])
  }

  var json: [(String, JSON)] {
    [("op", .string("demo")), ("added", .int(count - before)), ("count", .int(count))]
  }
}

extension CustomerList {
  /// People from novels, in three sections.
  fileprivate mutating func insertSample() throws {
    let customers = [
      ("Elizabeth", "Bennet", "Longbourn Books", "lizzy@longbourn.example", "walks everywhere"),
      ("Sherlock", "Holmes", "", "sherlock@bakerstreet.example", "knock twice"),
      ("Jane", "Eyre", "Thornfield School", "jane@thornfield.example", ""),
      ("Ishmael", "", "Pequod Whaling", "", "call him"),
      ("Zoë", "Müller", "Müller & Töchter", "zoe@mueller.example", "met at the fair"),
      ("Anna", "Karenina", "", "anna@vronsky.example", "no trains"),
    ]
    let leads = [
      ("Dorothea", "Brooke", "Middlemarch Cottages", "dorothea@lowick.example", ""),
      ("Edmond", "Dantès", "Monte Cristo Holdings", "", "very patient"),
      ("明", "山田", "山田商店", "yamada@shop.example", ""),
    ]
    let archive = [("Miss", "Havisham", "Satis House", "", "clocks stopped")]
    let first = try sections().first ?? addSection(title: "Customers")
    let sections = [
      (first, customers), (try addSection(title: "Leads"), leads),
      (try addSection(title: "Archive"), archive),
    ]
    for (section, rows) in sections {
      for (firstName, lastName, company, email, note) in rows {
        let fields = CustomerFields(
          firstName: firstName, lastName: lastName, company: company, email: email, note: note)
        try insert(fields, in: section.id)
      }
    }
  }
}
