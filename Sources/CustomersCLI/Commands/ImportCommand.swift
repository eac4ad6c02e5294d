internal import Formats
internal import CustomerStore

extension Command {
  static let importCommand = Command(
    name: "import", summary: "import customers from a CSV file",
    usage: "FILE|- [--map COLUMN=FIELD,…] [--at N | --first | --last | --before ROW | --after ROW]",
    notes: [
      "The first line names the columns. They are matched to the fields by name; --map says where others",
      "go, as in --map ContactName=name,Fax=- (- leaves a column out). The fields are name,",
      Field.all.map(\.column).joined(separator: ", ") + ".",
      "A column that fits no field is kept with the customer. All rows go in, or none.",
    ],
    operands: 1...1,
    options: [
      .value("--map", "COLUMN=FIELD,…", "which field a column goes to"), .value("--at", "N", "from row N on"),
    ] + Placement.options,
    run: { session in
      let invocation = session.invocation
      let placement = try Placement(invocation, number: invocation.number("--at"))
      let file = invocation.operands[0]
      let input = try InputFile(file)
      try CSVImport.naming(file) {
        var rows = try CSVImport(input, map: invocation.value("--map"))
        try session.edit(creating: true) { list in
          let target = try placement.target(RowFinder(list), in: list)
          let count = try list.insert(at: target?.destination ?? .last, in: target?.section) {
            try rows.next()
          }
          let total = try list.count()
          let customers = count == 1 ? "1 customer" : "\(count) customers"
          return Report(
            preview: rows.columns,
            lines: ["Imported \(customers); the list has \(rowCount(total))."],
            json: [
              ("op", .string("import")), ("imported", .int(count)), ("count", .int(total)),
              ("kept_columns", .array(rows.kept.map(JSON.string))),
            ])
        }
      }
      return .done
    })
}
