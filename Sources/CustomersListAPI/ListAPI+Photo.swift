internal import CustomerStore
internal import CustomersFormats
internal import CustomersPlatform

extension ListAPI {
  /// `GET /api/photo`: the photo of a customer's card.
  func photo(_ query: Query) async throws -> APIAnswer {
    try query.allow("id")
    let id = try query.needed("id", query.customer("id"))
    return try await list.read { list in
      guard let photo = try list.customers([id])[id]?.fields.photo else {
        throw APIRefusal(404, "gone", "There is no photo of customer @\(id.rawValue).")
      }
      return APIAnswer(status: 200, type: photo.type, body: photo.bytes)
    }
  }
}

extension CustomerFields {
  /// The maximum number of bytes of a card whose photo is shown.
  private static let largestCard = 2 << 20

  /// The first photo of the card, if a browser shows its kind; what the card says of the kind is not believed.
  var photo: (type: APIAnswer.MediaType, bytes: [UInt8])? {
    guard case .text(let card)? = extraColumns[ExtraColumns.card], card.utf8.count <= Self.largestCard else {
      return nil
    }
    for line in card.split(separator: "\n") {
      let name = line.prefix { $0 != ":" && $0 != ";" }
      guard name.split(separator: ".").last?.uppercased() == "PHOTO" else { continue }
      // `PHOTO;ENCODING=b;TYPE=JPEG:…` in version 3, `PHOTO:data:image/jpeg;base64,…` in version 4.
      let value =
        line.contains(";base64,") ? line.split(separator: ",").last : line.split(separator: ":").last
      guard let value, let bytes = Base64.decodeLoosely(String(value)),
        let type = APIAnswer.MediaType(ofImage: bytes)
      else { continue }
      return (type, bytes)
    }
    return nil
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
