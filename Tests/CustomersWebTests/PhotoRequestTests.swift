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
}
