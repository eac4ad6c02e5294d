internal import CustomerStore
internal import CustomersFormats

extension FileFormat {
  /// The address books of Thunderbird and of directories (RFC 2849).
  ///
  /// An entry has no place for the section, the protection, and the favorite mark, nor for an extra column whose name is
  /// none of an attribute.
  public static let ldif = FileFormat(
    name: "ldif", summary: "Address books of Thunderbird and of directories, which have no sections.",
    fileExtensions: ["ldif", "ldi"],
    isComplete: false, hasColumns: false, hasExactColumns: true,
    signature: Signature(kind: "LDIF") { FileContent.isLDIF($0) },
    makeReader: { LDIFReader($2, readChunk: $3) },
    makeWriter: { layout, _ in LDIFFileWriter(shown: layout.shown) })
}

private struct LDIFFileWriter: CustomerWriter {
  let shown: ((String) -> String)?

  func append(_ customer: Customer, in section: String, to bytes: inout [UInt8]) -> Bool {
    let fields = customer.fields
    let texts = zip(CustomerField.texts, fields.texts).map { (name: $0.column, value: $1) }
    let extra = fields.extraColumns.shown.map { (name: $0.name, value: $0.value.text) }
    let entry = ldifEntry(texts + extra, name: fields.name)
    bytes.append(contentsOf: (shown?(entry) ?? entry).utf8)
    return true
  }
}
