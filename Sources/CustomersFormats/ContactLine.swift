/// One way to reach a customer, as a line of `other_contacts`: `email work: b@y`.
public struct ContactLine: Hashable, Sendable {
  /// What it is.
  public enum Kind: String, CaseIterable, Sendable {
    case email, phone, fax, pager, address
  }

  /// What it is.
  public var kind: Kind
  /// What it is for, such as `work`; empty if nothing says so.
  public var label: String
  /// The address or number; a postal address has line feeds.
  public var value: String

  /// Creates a line.
  public init(_ kind: Kind, label: String = "", _ value: String) {
    self.kind = kind
    self.label = label
    self.value = value
  }

  /// Parses a line; nil if it is not exactly as `text` writes it.
  public init?(_ text: String) {
    guard let colon = ContactLine.colon(in: text) else { return nil }
    let words = text[..<colon].split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
    guard let kind = Kind(rawValue: String(words[0])) else { return nil }
    let rest = text[colon...].dropFirst(2)
    self.init(
      kind, label: words.count > 1 ? ContactLine.unescaped(words[1]) : "", ContactLine.unescaped(rest))
    guard self.text == text else { return nil }
  }

  /// The line: the kind, the label, a colon, and the value.
  public var text: String {
    let name = label.isEmpty ? kind.rawValue : "\(kind.rawValue) \(ContactLine.escaped(label, colon: true))"
    return "\(name): \(ContactLine.escaped(value))"
  }

  /// A string as part of a line: a line break is `\n`, and a backslash `\\`.
  public static func escaped(_ text: String) -> String { escaped(text, colon: false) }

  private static func escaped(_ text: String, colon: Bool) -> String {
    guard text.utf8.contains(where: { $0 == 0x5c || $0 == 0x0a || $0 == 0x0d || $0 == 0x3a }) else {
      return text
    }
    var escaped = ""
    for character in text {
      switch character {
      case "\\": escaped += "\\\\"
      case "\n", "\r\n", "\r": escaped += "\\n"
      case ":" where colon: escaped += "\\:"
      default: escaped.append(character)
      }
    }
    return escaped
  }

  /// The text that was escaped.
  public static func unescaped(_ text: some StringProtocol) -> String {
    guard text.utf8.contains(0x5c) else { return String(text) }
    var plain = ""
    var scalars = text.unicodeScalars.makeIterator()
    while let scalar = scalars.next() {
      guard scalar == "\\", let next = scalars.next() else {
        plain.unicodeScalars.append(scalar)
        continue
      }
      plain.unicodeScalars.append(next == "n" ? "\n" : next)
    }
    return plain
  }

  /// The first colon that ends a label.
  private static func colon(in text: String) -> String.Index? {
    var isEscaped = false
    return text.utf8.firstIndex { byte in
      defer { isEscaped = byte == 0x5c && !isEscaped }
      return byte == 0x3a && !isEscaped
    }
  }
}

extension ContactLine {
  /// Creates a line with a label as other programs write it: `* Work Fax`, `_$!<Mobile>!$_`, `CELL`.
  ///
  /// The number of a fax or pager is no phone number.
  public init(_ kind: Kind, labeled written: String, _ value: String) {
    var words = written.trimmed.split(separator: " ").map(String.init)
    if words.first == "*" { words.removeFirst() }
    var label = words.joined(separator: " ")
    if label.hasPrefix("_$!<"), label.hasSuffix(">!$_") { label = String(label.dropFirst(4).dropLast(4)) }
    self.init(kind, label: label, value)
    if kind == .phone, let found = ContactLine.machines.first(where: { label.lowercased().contains($0.0) }) {
      self.kind = found.1
      self.label = label.lowercased().replacing(found.0, with: "").trimmed
    }
    let lowercase = self.label.lowercased()
    if let known = ContactLine.labels[lowercase] { self.label = known }
  }

  private static let machines: [(String, Kind)] = [("fax", .fax), ("pager", .pager)]

  /// The labels that many programs have, and how they are written here.
  private static let labels: [String: String] = [
    "work": "work", "business": "work", "home": "home", "mobile": "mobile", "cell": "mobile",
    "other": "other", "main": "main", "internet": "", "smtp": "", "ex": "", "voice": "", "pref": "",
    "default": "",
  ]
}

extension ContactLine {
  /// A value without what other programs write around it: spaces, `tel:`, `mailto:`, or the name in `Ann Lee <a@x>`.
  public static func cleaned(_ kind: Kind, _ text: String) -> String {
    switch kind {
    case .email:
      var value = text.trimmed
      if value.hasSuffix(">"), let start = value.lastIndex(of: "<") {
        let address = String(value[value.index(after: start)...].dropLast()).trimmed
        if address.contains("@") { value = address }
      }
      return value.withoutScheme("mailto:")
    case .phone, .fax, .pager: return text.trimmed.withoutScheme("tel:")
    case .address: return text
    }
  }
}

extension String {
  /// The text without the scheme of a URI at its start, unless nothing follows.
  fileprivate func withoutScheme(_ scheme: String) -> String {
    let hasScheme = utf8.count > scheme.utf8.count && prefix(scheme.count).lowercased() == scheme
    return hasScheme ? String(dropFirst(scheme.count)) : self
  }

  /// The text without spaces, tabs, and line ends around it.
  var trimmed: String {
    func isBlank(_ scalar: Unicode.Scalar) -> Bool { scalar.value <= 0x20 || scalar == "\u{a0}" }
    guard let first = unicodeScalars.first, let last = unicodeScalars.last, isBlank(first) || isBlank(last)
    else { return self }
    var scalars = unicodeScalars[...]
    while let first = scalars.first, isBlank(first) { scalars.removeFirst() }
    while let last = scalars.last, isBlank(last) { scalars.removeLast() }
    return String(scalars)
  }
}
