internal import CustomerStore
internal import CustomersFormats

extension FileFormat {
  /// Address cards, vCard 4.0 (RFC 6350) or 3.0 (RFC 2426); cards of version 2.1 are read, too.
  public static let vcard = FileFormat(
    name: "vcard", summary: "Address cards for phones and mail programs.", fileExtensions: ["vcf", "vcard"],
    hasColumns: false, hasExactColumns: true,
    signature: Signature(kind: "a vCard") { FileContent.isVCard($0) },
    makeReader: { VCardReader(readChunk: $2) },
    makeWriter: { VCardFileWriter(shown: $0.shown, version: $1.vCardVersion) })
}

private struct VCardFileWriter: CustomerWriter {
  let shown: ((String) -> String)?
  let version: VCardVersion

  func append(_ customer: Customer, in section: String, to bytes: inout [UInt8]) -> Bool {
    let card = card(customer, section)
    bytes.append(contentsOf: (shown?(card) ?? card).utf8)
    return true
  }

  /// The customer as a card, without properties for empty or default values.
  private func card(_ customer: Customer, _ section: String) -> String {
    var columns = zip(CustomerField.texts, customer.fields.texts).map {
      (name: $0.column, value: Record.Value.text($1))
    }
    columns.removeAll { $0.value == .text("") }
    if customer.fields.isFavorite { columns.append(("is_favorite", .json("true"))) }
    let extra = customer.fields.extraColumns.columns
    let names = ExtraName.escaping(extra.map(\.name), beside: columns.map(\.name), isExact: true)
    columns += zip(names, extra).map { ($0, Record.Value($1.value)) }
    if !customer.canEdit { columns.append(("can_edit", .json("false"))) }
    if !customer.canMove { columns.append(("can_move", .json("false"))) }
    columns.append(("section", .text(section)))
    return switch version {
    case .version3: vCard3(columns)
    case .version4: vCard(columns)
    }
  }
}
