import CustomersTestSupport
import Foundation
import CustomersSystem
import Testing

@Suite(.onThreads) struct Base64Tests {
  @Test func `Base64 equals Foundation's, and can be decoded`() {
    for size in 0...70 {
      let bytes = (0..<size).map { UInt8(truncatingIfNeeded: 251 * $0 + 7) }
      let text = Base64.encode(bytes)
      #expect(text == Data(bytes).base64EncodedString())
      #expect(Base64.decode(text) == bytes)
    }
  }

  @Test(arguments: ["x", "AA", "A===", "QQ", "QR==", "QQ==QQ==", "Q Q=", "=QQ=", "QUI-", "é"])
  func `malformed base64 is rejected`(text: String) {
    #expect(Base64.decode(text) == nil)
  }
}
