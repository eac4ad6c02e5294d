internal import CustomerStore

extension FileFormat {
  /// Each customer as a text in which a template puts its values; not one of `all`, because nothing reads it.
  package static func template(_ template: RowTemplate) -> FileFormat {
    FileFormat(
      name: "template", summary: "A text for each customer.", fileExtensions: [],
      makeWriter: { layout, _ in TemplateWriter(texts: template.texts, layout: layout) })
  }
}

/// A text for each customer, in which names in braces stand for values: `{name}\n{address}\n`.
///
/// `{{` is a brace, `\n` a line break, `\t` a tab, and `\\` a backslash.
package struct RowTemplate: Sendable {
  /// The names in the braces.
  package private(set) var names: [String] = []
  /// The texts before, between, and after the values.
  fileprivate private(set) var texts = [""]

  /// Why a text is no template.
  package enum Mistake: Error {
    /// A brace is never closed, or this escape means nothing.
    case openBrace, escape(String)
  }

  /// - Throws: `Mistake`.
  package init(_ template: String) throws(Mistake) {
    var rest = template.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      switch scalar {
      case "{" where rest.first == "{": texts[names.count].unicodeScalars.append(rest.removeFirst())
      case "{":
        guard let end = rest.firstIndex(of: "}") else { throw .openBrace }
        names.append(String(rest[..<end]))
        texts.append("")
        rest = rest[end...].dropFirst()
      case "\\":
        let letter = rest.popFirst()
        guard let meant = letter.flatMap({ RowTemplate.escapes[$0] }) else {
          throw .escape(letter.map { "\\\($0)" } ?? "\\")
        }
        texts[names.count].append(meant)
      default: texts[names.count].unicodeScalars.append(scalar)
      }
    }
  }

  private static let escapes: [Unicode.Scalar: Character] = ["n": "\n", "t": "\t", "\\": "\\"]
}

/// Writes customers as a template says; the columns of the layout are those that it names.
private struct TemplateWriter: CustomerWriter {
  let texts: [String]
  let layout: ExportLayout

  func append(
    _ customer: Customer, _ log: [LogLine], in section: String, to bytes: inout [UInt8]
  ) -> Bool {
    bytes += texts[0].utf8
    for (value, text) in zip(layout.values(customer, section), texts.dropFirst()) {
      bytes += (layout.shown?(value) ?? value).utf8
      bytes += text.utf8
    }
    return true
  }
}
