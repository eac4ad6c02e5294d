import CustomerFixtures
import CustomerStore
import CustomersWeb
import CustomersTestSupport
import Foundation
import Testing

/// Requests that no page sends.
@Suite(.onThreads) struct HostileBodyTests {
  private static let token = "018f0000000000000000000000000000"

  private static func body(_ edit: String) -> String {
    #"{"token":"\#(token)","seen":{"history":"h","edit":0},"edit":\#(edit),"page":"p"}"#
  }

  private static let bodies =
    [
      "", "{", "[]", "null", "1", "\"x\"", "{}", "{}{}", #"{"token":1}"#, #"{"token":null}"#, "\u{0}",
      String(repeating: "[", count: 100_000), String(repeating: #"{"edit":"#, count: 10_000),
      #"{"token":"\#(token)","token":"\#(token)"}"#, body(#"{}"#), body("[]"), body("null"), body(#""move""#),
      #"{"token":"\#(token)","seen":{"history":"h","edit":0},"edit":{"delete":{"ids":[1]}},"more":1}"#,
      #"{"token":"\#(token)","seen":{"history":"h","edit":1e99},"edit":{"delete":{"ids":[1]}}}"#,
      #"{"token":"\#(token)","seen":{"history":1,"edit":0},"edit":{"delete":{"ids":[1]}}}"#,
      #"{"token":"\#(token)","seen":"h:0","edit":{"delete":{"ids":[1]}}}"#,
    ]
    + [
      #"{"delete":{"ids":[]}}"#, #"{"delete":{"ids":{}}}"#, #"{"delete":{"ids":["1"]}}"#,
      #"{"delete":{"ids":[1.5]}}"#, #"{"delete":{"ids":[1e2]}}"#, #"{"delete":{"ids":[[1,2]]}}"#,
      #"{"delete":{"ids":[99999999999999999999]}}"#, #"{"delete":{"ids":[true]}}"#, #"{"delete":{}}"#,
      #"{"delete":{"ids":[1],"row":2}}"#, #"{"delete":{"ids":[1]},"move":{"ids":[1],"row":1}}"#,
      #"{"destroy":{"ids":[1]}}"#, #"{"move":{"ids":[1]}}"#, #"{"move":{"ids":[1],"row":1,"before":2}}"#,
      #"{"move":{"ids":[1],"row":1,"at":"last"}}"#, #"{"move":{"ids":[1],"section":1}}"#,
      #"{"move":{"ids":[1],"section":1,"at":"middle"}}"#, #"{"move":{"ids":[1],"row":"1"}}"#,
      #"{"insert":{"fields":{"name":"x"},"section":1,"at":"last"}}"#,
      #"{"insert":{"fields":{"extra.":"x"},"section":1,"at":"last"}}"#,
      #"{"insert":{"fields":{"note":1},"section":1,"at":"last"}}"#,
      #"{"insert":{"fields":{"note":"\ud800"},"section":1,"at":"last"}}"#,
      #"{"insert":{"fields":[],"section":1,"at":"last"}}"#,
      #"{"update":{"id":1,"from":{},"to":{"note":"x"}}}"#, #"{"update":{"id":1,"to":{}}}"#,
      #"{"protect":{"ids":[1],"canEdit":"yes"}}"#, #"{"protect":{"ids":[1],"canEdit":null}}"#,
      #"{"section":{}}"#, #"{"section":{"add":{"title":1}}}"#, #"{"section":{"add":{"title":"a\nb"}}}"#,
      #"{"section":{"add":{"title":"a"},"move":{"id":1,"to":1}}}"#, #"{"section":{"destroy":{"id":1}}}"#,
      #"{"section":{"rename":{"id":"1","title":"x"}}}"#, #"{"section":{"delete":{"id":1}}}"#,
      #"{"section":{"delete":{"id":1,"withCustomers":"yes"}}}"#,
      #"{"section":{"add":{"title":"\#(String(repeating: "x", count: 10_001))"}}}"#,
      "{\"delete\":{\"ids\":[\((1...100_001).map(String.init).joined(separator: ","))]}}",
    ].map(body)

  @Test(arguments: bodies.indices)
  func `a wrong body is refused, with the reason, and nothing is changed`(index: Int) async throws {
    let list = try TestAPI("A, B, C")
    let before = try list.version
    let answer = try await list.post("edit", Self.bodies[index])
    #expect(answer.status == 400 && answer["outcome"] == "badRequest")
    #expect(answer["message"]?.isEmpty == false)
    guard Self.bodies[index] != "{}" else { return }
    for path in ["edits", "undo", "revert", "import"] {
      let answer = try await list.v1(path, body: Self.bodies[index])
      #expect(answer.kind == "bad_request" && answer.message?.isEmpty == false)
    }
    #expect(try list.version == before)
  }

  @Test func `bytes that are not UTF-8 are refused`() async throws {
    let list = try TestAPI("A")
    let body = Array(#"{"token":""#.utf8) + [0xff, 0xfe] + Array(#""}"#.utf8)
    #expect(await list.api.answer(APIRequest(method: "POST", path: "/api/edit", body: body)).status == 400)
  }

  private static let seeds = [
    #"{"move":{"ids":[3,1],"before":2}}"#, #"{"move":{"ids":[2],"row":3}}"#,
    #"{"move":{"ids":[2],"section":1,"at":"first"}}"#, #"{"delete":{"ids":[2]}}"#,
    #"{"insert":{"fields":{"first_name":"N","is_favorite":true,"note":"1"},"section":1,"at":"last"}}"#,
    #"{"update":{"id":1,"from":{"phone":""},"to":{"phone":"5"}}}"#,
    #"{"protect":{"ids":[1],"canEdit":false,"canMove":true}}"#,
    #"{"section":{"add":{"title":"N","at":1}}}"#, #"{"section":{"rename":{"id":1,"title":"M"}}}"#,
    #"{"section":{"move":{"id":1,"to":1}}}"#, #"{"section":{"delete":{"id":1,"withCustomers":true}}}"#,
  ].map(body)

  private static let pieces = [
    "{", "}", "[", "]", ",", ":", "\"", "\\u0000", "-", "9223372036854775807", "-9223372036854775808",
    "1e999",
    "null", "true", "é", "\u{0}", "\"ids\":", "\"row\":", "0.5",
  ].map { Array($0.utf8) }

  @Test func `a damaged body changes nothing unless it is answered with an edit`() async throws {
    var random = SplitMix64(seed: 7)
    let list = try TestAPI("A, B, C")
    for round in 0..<4_000 {
      var body = Array(try #require(Self.seeds.randomElement(using: &random)).utf8)
      for _ in 0...random.below(3) {
        let index = random.below(body.count)
        switch random.below(4) {
        case 0: body[index] = UInt8(random.below(256))
        case 1: body.removeSubrange(index..<min(body.count, index + 1 + random.below(8)))
        case 2: body.insert(contentsOf: Self.pieces[random.below(Self.pieces.count)], at: index)
        default:
          body.insert(contentsOf: body[index..<min(body.count, index + 9)], at: random.below(body.count))
        }
      }
      let before = try list.version
      let answer = Answer(await list.api.answer(APIRequest(method: "POST", path: "/api/edit", body: body)))
      #expect([200, 400, 409, 422].contains(answer.status), "round \(round)")
      #expect(answer["outcome"] != nil, "round \(round)")
      if answer.status != 200 { #expect(try list.version == before, "round \(round)") }
    }
    #expect(try list.look { try $0.check() }.isEmpty)
  }
}
