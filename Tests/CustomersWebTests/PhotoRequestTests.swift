import CustomerFixtures
import CustomerStore
import CustomersWeb
import CustomersSystem
import CustomersTestSupport
import Testing

/// The photo of an imported card.
@Suite(.onThreads) struct PhotoRequestTests {
  private static let png = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3] as [UInt8]
  private static let jpeg = [0xff, 0xd8, 0xff, 0xe0, 9] as [UInt8]

  @Test(arguments: [
    ("PHOTO:data:image/png;base64,\(Base64.encode(png))", APIAnswer.MediaType.png),
    ("X:1\nphoto;encoding=b;type=JPEG:\(Base64.encode(jpeg))", .jpeg),
    // The bytes decide, whatever the card says.
    ("item1.PHOTO;ENCODING=b;TYPE=PNG:\(Base64.encode(jpeg))", .jpeg),
    ("PHOTO:http://a.example/a.png\nPHOTO;ENCODING=b:\(Base64.encode(Array("GIF89a".utf8)))", .gif),
    ("PHOTO;ENCODING=b:\(Base64.encode(Array("RIFF0000WEBP".utf8)))", .webp),
    ("PHOTO:data:image/svg+xml;base64,\(Base64.encode(Array("<svg onload='alert(1)'>".utf8)))", nil),
    ("PHOTO:data:text/html;base64,\(Base64.encode(Array("<script>".utf8)))", nil),
    ("PHOTO:http://a.example/a.png", nil), ("PHOTO", nil), ("PHOTO:", nil),
    ("LOGO:\(Base64.encode(png))", nil),
    ("PHOTO;ENCODING=b:\(Base64.encode(png + Array(repeating: 0, count: 3 << 20)))", nil), ("", nil),
  ])
  func `a picture of points is shown, and nothing else`(card: String, type: APIAnswer.MediaType?) async throws
  {
    let list = try TestAPI("A")
    try list.change { try $0.update(1) { $0[.extra("vcard")] = .text(card) } }
    let answer = await list.api.answer(APIRequest(method: "GET", path: "/v1/rows/1/photo"))
    #expect(answer.status == (type == nil ? 404 : 200) && answer.type == type ?? .json)
    #expect(try await list.v1("form", ["id": "1"]).json["has_photo"] as? Bool == (type != nil))
  }

  private let list: TestAPI
  private static let file = String(repeating: "0", count: 31) + "1"

  init() throws { list = try TestAPI("A, B") }

  private func set(_ bytes: [UInt8]?, of id: Int = 1) async throws -> Answer {
    for start in stride(from: 0, through: bytes?.count ?? -1, by: 1 << 20) {
      let piece = Array((bytes ?? [])[start..<min(start + 1 << 20, bytes?.count ?? 0)])
      _ = await list.api.answer(
        APIRequest(
          method: "POST", path: "/v1/files", query: ["file": Self.file, "at": "\(start)"], body: piece))
    }
    let answer = try await list.v1(
      "rows/\(id)/photo", body: bytes == nil ? "{}" : #"{"file":"\#(Self.file)"}"#)
    _ = try await list.v1("cancel", body: #"{"file":"\#(Self.file)"}"#)
    return answer
  }

  private var card: String {
    get throws { try list.look { try $0.customer(1).fields[.extra("vcard")].text } }
  }

  /// The tag of the photo in the rows and in the form.
  private func tags() async throws -> [String?] {
    let rows = try await list.v1("rows", ["brief": "true"]).json["rows"] as? [[String: Any]]
    return [
      rows?.first?["photo"] as? String, try await list.v1("form", ["id": "1"]).json["photo"] as? String,
    ]
  }

  @Test func `a photo is set, replaced, and taken away, and the rest of the card stays`() async throws {
    try list.change { try $0.update(1) { $0[.extra("vcard")] = .text("X:1\nitem1.PHOTO:data:,\nGENDER:F") } }
    #expect(try await tags() == [nil, nil])
    #expect(try await set(Self.png).json["text"] as? String == #"Set the photo of "A"."#)
    #expect(try card == "X:1\nGENDER:F\nPHOTO:data:image/png;base64,\(Base64.encode(Self.png))")
    let first = try await tags()
    #expect(first[0] != nil && first[0] == first[1])
    #expect(try await set(Self.jpeg).json["outcome"] as? String == "done")
    #expect(try card == "X:1\nGENDER:F\nPHOTO:data:image/jpeg;base64,\(Base64.encode(Self.jpeg))")
    #expect(try await tags()[0] != first[0])
    #expect(try await set(Self.jpeg).json["outcome"] as? String == "unchanged")
    #expect(try await set(nil).json["text"] as? String == #"Took away the photo of "A"."#)
    #expect(try card == "X:1\nGENDER:F")
    #expect(try await list.v1("undo", body: "{}").json["outcome"] as? String == "done")
    #expect(try await tags()[1] != nil)
  }

  @Test func `what is no photo is refused, and so is one of a row that is protected`() async throws {
    try list.change { try $0.protect(2, canEdit: false, canMove: true) }
    #expect(try await set(Array("<svg/>".utf8)).status == 422)
    #expect(try await set(Self.png + Array(repeating: 0, count: 2 << 20)).status == 413)
    #expect(try await set(Self.jpeg + Array(repeating: 0, count: (2 << 20) - 5)).status == 200)
    #expect(
      await list.api.answer(APIRequest(method: "GET", path: "/v1/rows/1/photo")).body.count == 2 << 20)
    #expect(try await set(Self.png, of: 2)["reason"] == "protected")
    #expect(try await set(Self.png, of: 3).status == 404)
    #expect(try await list.v1("rows/1/photo", body: #"{"file":"\#(Self.file)"}"#).status == 404)
  }
}
