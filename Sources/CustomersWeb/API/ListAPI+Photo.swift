internal import CustomerStore
internal import CustomerTable
internal import CustomersSystem
internal import CustomersText

/// Photos of customers.
extension ListAPI {
  /// `GET /v1/rows/{id}/photo`.
  func photo(_ call: Route.Call) async throws -> APIAnswer {
    try await list.read { list in
      guard let photo = CardPhoto(of: try list.customer(CustomerID(rawValue: call.id)).fields) else {
        throw APIError(.notFound, "There is no photo of customer @\(call.id).")
      }
      return APIAnswer(status: 200, type: photo.type, body: photo.bytes)
    }
  }

  /// `POST /v1/rows/{id}/photo`.
  func setPhoto(_ call: Route.Call) async throws -> APIAnswer {
    var line: String?
    if let name = try call.body.given("file", call.body.file) {
      line = try await files.use(name) { file in
        guard let file else { throw APIError.noFile }
        return try CardPhoto.line(file.count > CardPhoto.largest ? nil : file.content())
      }
    }
    let id = CustomerID(rawValue: call.id)
    let edit = try EditCall(call)
    return try await perform(edit, action: "edit") { [policy, line] list in
      let customer = try list.customer(id)
      guard policy.canEdit(customer) else { throw ListError.editForbidden(id) }
      let card = CardPhoto.card(of: customer.fields, with: line)
      let outcome = try list.apply(.update([id], [.extra(ExtraColumns.card): .text(card)]))
      let name = customer.fields.title(id)
      let verb =
        edit.isDryRun
        ? line == nil ? "Would take away" : "Would set" : line == nil ? "Took away" : "Set"
      let text = outcome.isEmpty ? "Nothing was changed." : "\(verb) the photo of \(name)."
      return MadeEdit(text: text, outcome: outcome)
    }
  }
}

extension KeptFiles.File {
  /// All of it, which is short.
  fileprivate func content() throws -> [UInt8] {
    let read = reader()
    var bytes: [UInt8] = []
    while case let piece = try read(), !piece.isEmpty { bytes += piece }
    return bytes
  }
}

/// The first photo in the lines of a card, if a browser shows its kind; what the card says of the kind is not believed.
struct CardPhoto {
  /// The maximum number of bytes of a photo, and of a card whose photo is shown.
  static let largest = 2 << 20
  private static let largestCard = 3 << 20
  static let tagMeaning = "of a customer with a photo: a word that is another one when the photo is"

  let type: APIAnswer.MediaType
  /// In Base64.
  private let text: Substring

  init?(of fields: CustomerFields) {
    guard case .text(let card)? = fields.extraColumns[ExtraColumns.card],
      card.utf8.count <= CardPhoto.largestCard
    else { return nil }
    // By bytes, because rows of a screen may have many long lines.
    for line in card.utf8.split(separator: UInt8(ascii: "\n")) where CardPhoto.isPhoto(line) {
      // `PHOTO;ENCODING=b;TYPE=JPEG:…` in version 3, `PHOTO:data:image/jpeg;base64,…` in version 4.
      guard let sign = line.lastIndex(where: { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ",") })
      else { continue }
      let text = Substring(line[line.index(after: sign)...])
      guard let start = Base64.decodeLoosely(String(text.prefix(24))),
        let type = APIAnswer.MediaType(ofImage: start)
      else { continue }
      (self.type, self.text) = (type, text)
      return
    }
    return nil
  }

  var bytes: [UInt8] { Base64.decodeLoosely(String(text)) ?? [] }

  /// Another one in each run of the program, which only costs the photo once more.
  var tag: String {
    var hasher = Hasher()
    hasher.combine(text)
    return String(UInt(bitPattern: hasher.finalize()), radix: 36)
  }

  /// The line of a photo.
  ///
  /// - Throws: `APIError` if it is nil, because it is too long, or not of a kind that browsers show.
  static func line(_ bytes: [UInt8]?) throws -> String {
    guard let bytes else {
      throw APIError(.tooLarge, "A photo has at most \(largest >> 20) MB.", remedy: "Make it smaller.")
    }
    guard let type = APIAnswer.MediaType(ofImage: bytes) else {
      throw APIError(.invalid, "A photo is a JPEG, PNG, GIF, or WebP file.")
    }
    return "PHOTO:data:\(type.rawValue);base64,\(Base64.encode(bytes))"
  }

  /// The card of a customer with a line in place of its photos.
  static func card(of fields: CustomerFields, with line: String?) -> String {
    let lines = fields.extraColumns[ExtraColumns.card]?.text.utf8.split(separator: UInt8(ascii: "\n")) ?? []
    let others = lines.filter { !isPhoto($0) }.map { String(Substring($0)) }
    return (others + (line.map { [$0] } ?? [])).joined(separator: "\n")
  }

  private static func isPhoto(_ line: Substring.UTF8View) -> Bool {
    let name = line.prefix { $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: ";") }
    return Substring(name).split(separator: ".").last?.uppercased() == "PHOTO"
  }
}

extension APIAnswer.MediaType {
  /// The kind of an image, by its first bytes; nil for any that is not a picture of points.
  init?(ofImage bytes: [UInt8]) {
    if bytes.starts(with: [0xff, 0xd8, 0xff]) {
      self = .jpeg
    } else if bytes.starts(with: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) {
      self = .png
    } else if bytes.starts(with: Array("GIF8".utf8)) {
      self = .gif
    } else if bytes.starts(with: Array("RIFF".utf8)), bytes.dropFirst(8).starts(with: Array("WEBP".utf8)) {
      self = .webp
    } else {
      return nil
    }
  }
}
