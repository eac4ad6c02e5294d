internal import CustomersHTTP
internal import CustomersSystem

/// How answers travel: fewer bytes, and none that the peer already has.
extension Response {
  /// Shorter ones are not worth the work, and longer ones would keep others waiting.
  private static let compressedSizes = 1_000...1_000_000

  /// The answer to a request as it is sent: with a tag, compressed if the peer takes gzip, and without a body if it has
  /// this one.
  ///
  /// - Complexity: O(bytes).
  func delivered(to head: RequestHead) -> Response {
    guard case .bytes(let bytes) = body, status == 200 else { return self }
    var response = self
    if ["GET", "HEAD"].contains(head.method) {
      let tag = tag ?? Response.tag(of: bytes)
      if self.tag == nil { response.headers.append(("ETag", tag)) }
      if head.knows(tag) {
        response.headers.removeAll { $0.name == "Content-Type" }
        (response.status, response.body) = (304, .bytes([]))
        return response
      }
    }
    let type = headers.first { $0.name == "Content-Type" }?.value ?? ""
    guard type.hasPrefix("text/") || type.hasPrefix("application/json"),
      Response.compressedSizes.contains(bytes.count)
    else { return response }
    response.headers.append(("Vary", "Accept-Encoding"))
    guard head.takesGzip, let fewer = PageFiles.own.files[head.path]?.compressed ?? gzipped(bytes) else {
      return response
    }
    response.headers.append(("Content-Encoding", "gzip"))
    response.body = .bytes(fewer)
    return response
  }

  /// The tag that the answer has already.
  private var tag: String? { headers.first { $0.name == "ETag" }?.value }

  /// The same for the bytes and for the compressed ones, so it is a weak one (RFC 9110, §8.8.1); another one in each run of
  /// the program.
  private static func tag(of bytes: [UInt8]) -> String {
    var hasher = Hasher()
    unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    return "W/\"\(String(UInt(bitPattern: hasher.finalize()), radix: 36))\""
  }
}

extension RequestHead {
  /// Whether the peer has the content with a tag.
  fileprivate func knows(_ tag: String) -> Bool {
    elements(of: "if-none-match").contains { $0 == "*" || $0 == tag || "W/\($0)" == tag }
  }

  /// Whether the peer names gzip, and not as what it does not want (RFC 9110, §12.5.3).
  fileprivate var takesGzip: Bool {
    elements(of: "accept-encoding").contains { element in
      let parts = element.split(separator: ";").map { $0.filter { $0 != " " }.lowercased() }
      guard parts.first == "gzip" || parts.first == "x-gzip" else { return false }
      let weight = parts.dropFirst().first { $0.hasPrefix("q=") }?.dropFirst(2)
      return weight.map { $0.contains { ("1"..."9").contains($0) } } ?? true
    }
  }

  /// The elements of all headers of a name.
  private func elements(of name: String) -> [String] {
    headers.filter { $0.name == name }.flatMap { $0.value.split(separator: ",") }.map { element in
      String(element.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
  }
}
