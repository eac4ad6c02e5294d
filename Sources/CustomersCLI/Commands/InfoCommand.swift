internal import Formats
internal import CustomerStore
internal import Platform

extension Command {
  static let info = Command(
    name: "info", summary: "show where the data are, versions and counts",
    run: { session in
      let file = try session.dataFile()
      let exists = unsafe access(file.path, F_OK) == 0
      let outline = try session.read { list in try list.outline() }
      let facts: [(key: String, title: String, value: JSON)] = [
        ("file", "File", .string(file.path)), ("chosen_by", "Chosen by", .string(file.source)),
        ("exists", "Exists", .bool(exists)), ("bytes", "Bytes", .int(exists ? size(file.path) : 0)),
        ("format", "Format", .int(CustomerStore.formatVersion)),
        ("version", "Program", .string(version)), ("sqlite", "SQLite", .string(CustomerStore.sqliteVersion)),
        ("sections", "Sections", .int(outline.sections.count)), ("count", "Customers", .int(outline.count)),
      ]
      if try session.format() == .json {
        try session.output.write(JSON.object(facts.map { ($0.key, $0.value) }).text + "\n")
      } else {
        for fact in facts {
          let value = if case .string(let text) = fact.value { printable(text) } else { fact.value.text }
          try session.output.write("\(padded(fact.title + ":", to: 12)) \(value)\n")
        }
      }
      return .done
    })
}

private func size(_ path: String) -> Int {
  var status = stat()
  return unsafe stat(path, &status) == 0 ? Int(status.st_size) : 0
}
