internal import CustomerStore
internal import CustomersText

extension FileFormat {
  /// Address cards, vCard 4.0 (RFC 6350) or 3.0 (RFC 2426); cards of version 2.1 are read, too.
  package static let vcard = FileFormat(
    name: "vcard", summary: "Address cards for phones and mail programs.", fileExtensions: ["vcf", "vcard"],
    hasColumns: false, hasExactColumns: true,
    signature: Signature(kind: "a vCard") { FileContent.isVCard($0) },
    makeReader: { VCardReader($2, readChunk: $3) },
    makeWriter: { VCardFileWriter(shown: $0.shown, version: $1.vCardVersion, hasLog: $1.includesLog) })
}

private struct VCardFileWriter: CustomerWriter {
  let shown: ((String) -> String)?
  let version: VCardVersion
  let hasLog: Bool
  /// The extra columns of the last customer and the parts of addresses among them.
  private var known: (names: [String], plan: ContactPlan) = ([], ContactPlan([], besides: []))
  private var uuid = ""

  init(shown: ((String) -> String)?, version: VCardVersion, hasLog: Bool) {
    (self.shown, self.version, self.hasLog) = (shown, version, hasLog)
  }

  var needsUUIDs: Bool { true }
  mutating func take(uuid: String) { self.uuid = uuid }

  mutating func append(
    _ customer: Customer, _ log: [LogLine], in section: String, to bytes: inout [UInt8]
  ) -> Bool {
    let card = card(customer, log, section)
    bytes.append(contentsOf: (shown?(card) ?? card).utf8)
    return true
  }

  /// The customer as a card, without properties for empty or default values.
  private mutating func card(_ customer: Customer, _ log: [LogLine], _ section: String) -> String {
    var columns = zip(CustomerField.texts, customer.fields.texts).map {
      (name: $0.column, value: Record.Value.text($1))
    }
    columns.removeAll { $0.value == .text("") }
    if customer.fields.isFavorite { columns.append(("is_favorite", .json("true"))) }
    let extra = customer.fields.extraColumns.columns
    let names = ExtraName.escaping(extra.map(\.name), beside: columns.map(\.name))
    columns += zip(names, extra).map { ($0, Record.Value($1.value)) }
    if !customer.canEdit { columns.append(("can_edit", .json("false"))) }
    if !customer.canMove { columns.append(("can_move", .json("false"))) }
    columns.append(("section", .text(section)))
    if !customer.fields.addressParts.isEmpty {
      columns.append((CustomerField.addressParts.column, .json(customer.fields.addressPartsJSON.text)))
    }
    let addresses =
      customer.fields.addressesInParts + addresses(in: extra.map { ($0.name, $0.value.text) })
    let next = customer.fields.next
    // Another program has given a UID by which it knows the card.
    let isForeign = CardLines.uid(in: customer.fields.extraColumns.cardLines) != nil
    let lines =
      (isForeign || uuid.isEmpty ? [] : [VCardFields.product, "UID:urn:uuid:\(uuid)"])
      + (hasLog && !next.isEmpty ? ["\(VCardFields.nextProperty):\(VCardText.escape(next))"] : [])
      + log.map { "\(VCardFields.logProperty):\(VCardText.escape(JSONShapes.line.json($0).text))" }
    return vCard(columns, version: version, addresses: addresses, log: lines)
  }

  /// The postal addresses of which extra columns have the parts, as imports of older versions left them.
  private mutating func addresses(in extra: [(name: String, text: String)]) -> [PostalAddress] {
    guard !extra.isEmpty else { return [] }
    let names = extra.map(\.name)
    if known.names != names { known = (names, ContactPlan(names.map { ColumnMeaning($0) }, besides: [])) }
    return known.plan.addresses { extra[$0].text }
  }
}
