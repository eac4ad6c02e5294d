import CustomersSystem
import CustomersTestSupport
import Testing

/// SHA-256 against the examples of FIPS 180-4 and its test vectors.
@Suite(.onThreads) struct SHA256Tests {
  private static let long =
    "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu"

  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (long, "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"),
    (
      String(repeating: "a", count: 1_000_000),
      "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
    ),
  ])
  func `the digests of the standard, from pieces of any size`(text: String, digest: String) {
    for size in [1, 55, 63, 64, 65, 1000, 1 << 20] where text.utf8.count < 10_000 || size > 100 {
      var sha = SHA256()
      var rest = Array(text.utf8)[...]
      while !rest.isEmpty {
        sha.update(Array(rest.prefix(size)))
        rest = rest.dropFirst(size)
      }
      #expect(sha.hexadecimal == digest, "pieces of \(size)")
    }
  }
}
