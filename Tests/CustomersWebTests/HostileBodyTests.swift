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
    #"{"token":"\#(token)","edits":[\#(edit)],"page":"p"}"#
  }

  private static let bodies =
    [
      "", "{", "[]", "null", "1", "\"x\"", "{}{}", #"{"token":1}"#, #"{"token":null}"#, "\u{0}",
      String(repeating: "[", count: 100_000), String(repeating: #"{"edit":"#, count: 10_000),
      #"{"token":"\#(token)","token":"\#(token)"}"#, body(#"{}"#), body("[]"), body("null"), body(#""move""#),
      #"{"token":"\#(token)","edits":[{"delete":{"ids":[1]}}],"more":1}"#,
      #"{"token":"\#(token)","name":"a.csv","content":"x\n1\n","columns":[{"name":"x","as":"note"}]}"#,
      #"{"token":"\#(token)","name":"a.csv","content":"x\n1\n","sides":[{"key":"x","side":"ours","more":1}]}"#,
      #"{"token":"\#(token)","seen":1,"edits":[{"delete":{"ids":[1]}}]}"#,
      #"{"token":"\#(token)","seen":{"history":"h","edit":0},"edits":[{"delete":{"ids":[1]}}]}"#,
    ]
    + [
      #"{"delete":{"ids":{}}}"#, #"{"delete":{"ids":["1"]}}"#, #"{"delete":{"ids":[1.5]}}"#,
      #"{"delete":{"ids":[[1,2]]}}"#, #"{"delete":{"ids":[99999999999999999999]}}"#,
      #"{"delete":{"ids":[true]}}"#, #"{"delete":{}}"#, #"{"delete":{"ids":[1],"row":2}}"#,
      #"{"delete":{"ids":[1]},"move":{"ids":[1],"to":1}}"#, #"{"destroy":{"ids":[1]}}"#,
      #"{"move":{"ids":[1],"by":1,"to":{"before":2}}}"#, #"{"move":{"ids":[1],"section":1}}"#,
      #"{"move":{"ids":[1],"section":1,"to":"middle"}}"#, #"{"move":{"ids":[1],"to":{"position":"1"}}}"#,
      #"{"insert":{"customers":[{"extra.":"x"}],"section":1,"to":"last"}}"#,
      #"{"insert":{"customers":[{"note":1}],"section":1,"to":"last"}}"#,
      #"{"insert":{"customers":[{"note":"\ud800"}],"section":1,"to":"last"}}"#,
      #"{"insert":{"customers":{},"section":1,"to":"last"}}"#, #"{"save":{"id":1,"to":{}}}"#,
      #"{"log":{"ids":[1],"text":" "}}"#, #"{"log":{"ids":[1],"text":"x","next":"soon"}}"#,
      #"{"log":{"ids":[1],"text":"x","next":"+1d","today":"soon"}}"#, #"{"done":{"ids":[1],"text":""}}"#,
      #"{"done":{"ids":[1],"next":""}}"#, #"{"protect":{"ids":[1],"can_edit":"yes"}}"#,
      #"{"protect":{"ids":[1],"can_edit":null}}"#,
      #"{"add_section":{"title":1}}"#, #"{"add_section":{"title":"a"},"move":{"id":1,"to":1}}"#,
      #"{"rename_section":{"id":"1","title":"x"}}"#, #"{"delete_section":{"id":1,"with_customers":"yes"}}"#,
    ].map(body)

  @Test(arguments: bodies.indices)
  func `a wrong body is refused, with the reason, and nothing is changed`(index: Int) async throws {
    let list = try TestAPI("A, B, C")
    let before = try list.version
    for path in ["edits", "undo", "revert", "import"] {
      let answer = try await list.v1(path, body: Self.bodies[index])
      #expect(answer.kind == "bad_request" && answer.message?.isEmpty == false)
    }
    #expect(try list.version == before)
  }

  @Test func `bytes that are not UTF-8 are refused`() async throws {
    let list = try TestAPI("A")
    let body = Array(#"{"token":""#.utf8) + [0xff, 0xfe] + Array(#""}"#.utf8)
    #expect(await list.api.answer(APIRequest(method: "POST", path: "/v1/edits", body: body)).status == 400)
  }

  private static let seeds = [
    #"{"move":{"ids":[3,1],"to":{"before":2}}}"#, #"{"move":{"ids":[2],"to":{"position":3}}}"#,
    #"{"move":{"ids":[2],"section":1,"to":"first"}}"#, #"{"delete":{"ids":[2]}}"#,
    #"{"insert":{"customers":[{"first_name":"N","is_favorite":true,"note":"1"}],"section":1,"to":"last"}}"#,
    #"{"save":{"id":1,"from":{"phone":""},"to":{"phone":"5"}}}"#,
    #"{"protect":{"ids":[1],"can_edit":false,"can_move":true}}"#,
    #"{"add_section":{"title":"N","to":1}}"#, #"{"rename_section":{"id":1,"title":"M"}}"#,
    #"{"move_section":{"id":1,"to":1}}"#, #"{"delete_section":{"id":1,"with_customers":true}}"#,
  ].map { #"{"edits":[\#($0)],"page":"p"}"# }

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
      let answer = Answer(await list.api.answer(APIRequest(method: "POST", path: "/v1/edits", body: body)))
      #expect([200, 400, 404, 409, 422].contains(answer.status), "round \(round)")
      #expect(answer["outcome"] != nil || answer.kind != nil, "round \(round)")
      if answer.status != 200 { #expect(try list.version == before, "round \(round)") }
    }
    #expect(try list.look { try $0.check() }.isEmpty)
  }
}
