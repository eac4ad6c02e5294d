/// The lines of a card for one value of a customer.
struct VCardEntry {
  var lines: [String]
  /// What the lines say; nil if they are no way to reach the customer.
  let contact: ContactLine?
  let property: VCardProperty?
  /// Whether it is the main value of several.
  let isPreferred: Bool

  /// The line of a property, and what it says if that is a way to reach the customer.
  init(_ property: VCardProperty, _ contact: ContactLine? = nil) {
    (lines, self.contact, self.property, isPreferred) = ([property.line], contact, property, false)
  }

  /// The lines of a way to reach the customer; a label that is no type is in a second line.
  ///
  /// - Parameters:
  ///   - line: what it is.
  ///   - isPreferred: whether it is the main one of several.
  ///   - address: the parts of a postal address; nil to write it whole.
  ///   - labels: how many labels have a line of their own.
  init(_ line: ContactLine, isPreferred: Bool, address: PostalAddress?, labels: inout Int) {
    let text = VCardText.escape(VCardText.carried(line.value))
    let value = line.kind == .address ? address?.property ?? ";;\(text);;;;" : text
    let name = VCardContacts.name(line.kind)
    let preference = isPreferred ? ";PREF=1" : ""
    if let parameters = VCardContacts.parameters(line) {
      lines = [name + preference + parameters + ":" + value]
    } else {
      labels += 1
      let group = "customers\(labels)."
      let type = line.kind == .fax || line.kind == .pager ? ";TYPE=\(line.kind.rawValue)" : ""
      let label = (type.isEmpty ? "" : "\(line.kind.rawValue) ") + line.label
      lines = [
        group + name + preference + type + ":" + value,
        group + "X-ABLabel:" + VCardText.escape(VCardText.carried(label)),
      ]
    }
    (contact, property, self.isPreferred) = (line, nil, isPreferred)
  }
}
