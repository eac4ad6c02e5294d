internal import CustomerStore

/// A text field of a customer: its column, its option, and what other programs call it.
struct Field: Sendable {
  let column: String
  let title: String
  let path: any WritableKeyPath<CustomerFields, String> & Sendable
  /// Other names of the column in imported files, in small letters without blanks and signs.
  let synonyms: [String]

  /// `--first-name` for `first_name`.
  var option: String {
    // Every run makes these, and going from letter to letter of a `String` is dear.
    "--"
      + String(decoding: column.utf8.map { $0 == UInt8(ascii: "_") ? UInt8(ascii: "-") : $0 }, as: UTF8.self)
  }

  static let all: [Field] = [
    Field(
      column: "first_name", title: "First name", path: \.firstName,
      synonyms: ["first", "given", "givenname", "forename", "vorname", "prenom"]),
    Field(
      column: "last_name", title: "Last name", path: \.lastName,
      synonyms: ["last", "family", "familyname", "surname", "nachname", "nom"]),
    Field(
      column: "company", title: "Company", path: \.company,
      synonyms: ["companyname", "organization", "organisation", "org", "firm", "firma", "business"]),
    Field(
      column: "email", title: "E-mail", path: \.email,
      synonyms: ["mail", "emailaddress", "mailaddress", "email1value", "email1"]),
    Field(
      column: "phone", title: "Phone", path: \.phone,
      synonyms: ["phonenumber", "telephone", "tel", "mobile", "phone1value", "telefon"]),
    Field(
      column: "address", title: "Address", path: \.address,
      synonyms: ["postaladdress", "street", "streetaddress", "adresse", "anschrift"]),
    Field(
      column: "note", title: "Note", path: \.note,
      synonyms: ["notes", "comment", "comments", "remark", "remarks", "notiz"]),
  ]
}

/// What options say about the fields of a customer.
enum FieldOptions {
  static let groups: [OptionGroup] = [texts, .optional(favorite)]

  /// Those of `edit`, which changes what is there already.
  static let changes: [OptionGroup] = [
    .value("--name", .text("NAME"), "first and last name, split at the last blank"), texts,
    .oneOf([favorite, .flag("--no-favorite", "take the mark off")]),
  ]

  private static let texts = OptionGroup.many(
    "--FIELD TEXT", Field.all.map { .value($0.option, .text(), $0.title.lowercased()) })
  private static let favorite = Option.flag("--favorite", "mark as a favourite")

  /// Whether an option says something about a field.
  static func areGiven(_ invocation: Invocation) -> Bool {
    changes.contains { $0.options.contains { invocation.has($0.name) } }
  }

  /// Writes what was given into `fields`.
  static func apply(_ invocation: Invocation, to fields: inout CustomerFields) {
    if let name = invocation.value("--name") { fields.setName(name) }
    for field in Field.all {
      if let text = invocation.value(field.option) { fields[keyPath: field.path] = text }
    }
    if invocation.has("--favorite") { fields.isFavorite = true }
    if invocation.has("--no-favorite") { fields.isFavorite = false }
  }
}

extension CustomerFields {
  /// Writes the field with an index in `Field.all`.
  mutating func set(_ index: Int, _ text: String) { self[keyPath: Field.all[index].path] = text }

  /// The texts of `Field.all`, in that order.
  ///
  /// Not by their key paths: each of those copies all fields.
  var texts: [String] { [firstName, lastName, company, email, phone, address, note] }

  /// Takes a whole name: the last word is the last name, what stands before it the first.
  mutating func setName(_ name: String) {
    let words = name.split(separator: " ")
    firstName = words.count > 1 ? words.dropLast().joined(separator: " ") : words.first.map(String.init) ?? ""
    lastName = words.count > 1 ? words.last.map(String.init) ?? "" : ""
  }
}
