internal import CustomerStore
internal import CustomersFormats

extension FileFormat {
  /// Address cards, vCard 4.0 (RFC 6350); cards of versions 2.1 and 3.0 are read, too.
  public static let vcard = FileFormat(
    name: "vcard", summary: "Address cards for phones and mail programs.", fileExtensions: ["vcf", "vcard"],
    hasExactColumns: true,
    signature: Signature(kind: "a vCard") { FileContent.isVCard($0) },
    makeReader: { VCardReader(readChunk: $2) },
    makeWriter: { layout, _ in VCardFileWriter(shown: layout.shown) })
}

extension FileFormat {
  /// The address books of Thunderbird and of directories (RFC 2849); it is only read.
  public static let ldif = FileFormat(
    name: "ldif", summary: "Address books of Thunderbird and of directories.",
    fileExtensions: ["ldif", "ldi"],
    hasExactColumns: true, signature: Signature(kind: "LDIF") { FileContent.isLDIF($0) },
    makeReader: { LDIFReader(readChunk: $2) })
}

private struct VCardFileWriter: CustomerWriter {
  let shown: ((String) -> String)?

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
    return vCard(columns + [("section", .text(section))])
  }
}
