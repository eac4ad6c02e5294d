import CustomersSQLite

/// The text of `Migrations/schema.sql`: the schema that the steps add up to, with their comments.
///
/// An object that a later step replaces keeps its place; a new one follows the one before it in its step. A comment
/// belongs to the statement after it. A title (a comment with a ruled line, or the first one of a step) stays while
/// something under it is as its step wrote it; steps that only change earlier ones have no title of their own.
struct SchemaFile {
  private var entries: [Entry] = []

  private enum Entry {
    case title(String, of: [String])
    case object(String)

    var name: String? { if case .object(let name) = self { name } else { nil } }
  }

  /// The comment above each object and the step that created it last.
  private var objects: [String: (comment: String, step: Int)] = [:]

  init(_ steps: [String]) {
    for (number, step) in steps.enumerated() { add(step, number) }
  }

  private mutating func add(_ step: String, _ number: Int) {
    let changesEarlierOnes = step.contains("\nDROP ")
    var (comment, statement, header, title) = ("", "", Int?.none, Int?.none)
    var position = entries.count
    for line in step.split(separator: "\n", omittingEmptySubsequences: false) {
      if !statement.isEmpty
        || ["CREATE ", "DROP ", "ALTER ", "INSERT ", "UPDATE ", "PRAGMA "].contains(where: line.hasPrefix)
      {
        statement += line + "\n"
        guard statement.hasPrefix("CREATE TRIGGER ") ? line == "END;" : line.endsStatement else { continue }
        if let name = statement.createdObject {
          let key = "\(number) \(name)"
          objects[name] = (comment, number)
          if let known = entries.firstIndex(where: { $0.name == name }) {
            position = known + 1
          } else {
            entries.insert(.object(name), at: position)
            position += 1
          }
          for index in Set([header, title].compactMap(\.self)) {
            guard case .title(let text, let names) = entries[index] else { continue }
            entries[index] = .title(text, of: names + [key])
          }
        }
        (comment, statement) = ("", "")
      } else if line.hasPrefix("--") {
        comment += line + "\n"
      } else if comment.isTitle || comment.isHeader {
        if !changesEarlierOnes {
          if comment.isHeader { header = position }
          title = position
          entries.insert(.title(comment.withoutNumber, of: []), at: position)
          position += 1
        }
        comment = ""
      } else if !comment.isEmpty {
        comment += "\n"
      }
    }
  }

  /// The text for a database that the steps created.
  func text(_ connection: Connection) throws -> String {
    var sql: [String: String] = [:]
    for object in try connection.schema() { sql["\(object.type) \(object.name)"] = object.sql }
    var text = """
      -- The schema of a customers file, as the steps in this folder add up to: to read, not to run. A test compares it
      -- with them and writes it again.


      """
    for entry in entries {
      switch entry {
      case .title(let title, let names):
        let stays = names.contains { key in
          let words = key.split(separator: " ", maxSplits: 1)
          return objects[String(words[1])]?.step == Int(words[0]) && sql[String(words[1])] != nil
        }
        if stays { text += title + "\n" }
      case .object(let name):
        guard let statement = sql[name] else { continue }
        text += (objects[name]?.comment ?? "") + statement + ";\n\n"
      }
    }
    return String(text.dropLast())
  }
}

extension Substring {
  /// Whether a statement ends with this line, which may have a comment after its semicolon.
  fileprivate var endsStatement: Bool {
    let code = ranges(of: "--").first.map { self[..<$0.lowerBound] } ?? self
    return code.last { $0 != " " } == ";"
  }
}

extension String {
  /// Whether a comment has a ruled line.
  fileprivate var isTitle: Bool { contains("--------") }

  /// Whether a comment is the first of a step: it begins with the number of the step.
  fileprivate var isHeader: Bool { hasPrefix("-- 00") }

  fileprivate var withoutNumber: String { isHeader ? "-- " + dropFirst(9) : self }

  /// The type and name of the object that a statement creates.
  fileprivate var createdObject: String? {
    let words = split(whereSeparator: \.isWhitespace).filter { $0 != "UNIQUE" }
    guard words.first == "CREATE", words.count > 2 else { return nil }
    return "\(words[1].lowercased()) \(words[2])"
  }
}
