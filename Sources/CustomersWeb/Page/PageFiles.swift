internal import CCustomersFiles
internal import CustomersSystem

/// The page: one document with its style and its script, which is part of the program.
///
/// It has no rows and no key, so anyone may read it and keep it. What a browser needs to install it is beside it.
package struct PageFiles: Sendable {
  struct File: Sendable {
    /// The media type.
    let type: String
    let bytes: [UInt8]
    /// The same for gzip; nil if that is not shorter.
    let compressed: [UInt8]?
    /// The tag of the answer, another one if the bytes are others; the same for the compressed ones.
    let tag: String

    init(_ type: String, _ bytes: [UInt8]) {
      (self.type, self.bytes, compressed) = (type, bytes, gzipped(bytes))
      tag = "W/\"\(PageFiles.digest(bytes).hexadecimal.prefix(16))\""
    }
  }

  /// By their paths.
  let files: [Substring: File]
  /// The digests of the code in the document, for its policy.
  let style: String, script: String
  /// A text that is another one if the page is.
  package let build: String

  /// How many bytes of the page are sent.
  package var size: Int { files["/"].map { $0.compressed?.count ?? $0.bytes.count } ?? 0 }

  package static let own = PageFiles()

  private init() {
    var (html, style, script, icon, worker): ([UInt8], [UInt8], [UInt8], [UInt8], [UInt8]) = (
      [], [], [], [], []
    )
    var files: [Substring: File] = [:]
    for index in 0..<customers_page_file_count() {
      guard let file = unsafe customers_page_file_at(index)?.pointee else { continue }
      let source = unsafe UnsafeBufferPointer(start: file.bytes, count: file.count)
      let name = unsafe String(cString: file.name)
      if name == "worker.js" {
        worker = unsafe PageCode.compact(source, .script)
      } else if name.hasSuffix(".js") {
        unsafe script += PageCode.compact(source, .script)
      } else if name.hasSuffix(".css") {
        unsafe style += PageCode.compact(source, .style)
      } else if name.hasSuffix(".svg") {
        icon = unsafe Array(source)
      } else if name.hasSuffix(".png") {
        files["/icon.png"] = unsafe File("image/png", Array(source))
      } else if name.hasSuffix(".json") {
        files["/manifest.json"] = unsafe File("application/manifest+json", Array(source))
      } else {
        html = unsafe PageCode.compact(source, .markup)
      }
    }
    // The style and the script go between their tags. The script is a module: it runs when the document is read, and its
    // names are its own.
    let picture = String(decoding: icon, as: UTF8.self).replacing("\"", with: "'").replacing("#", with: "%23")
      .replacing("\n", with: "")
    var document: [UInt8] = []
    for line in html.split(separator: UInt8(ascii: "\n")) {
      switch String(decoding: line, as: UTF8.self) {
      case "<link rel=\"icon\">":
        document += "<link rel=\"icon\" href=\"data:image/svg+xml,\(picture)\">".utf8
      case "<style></style>": document += "<style>".utf8 + style + "</style>".utf8
      case "<script type=\"module\"></script>":
        document += "<script type=\"module\">".utf8 + script + "</script>".utf8
      default: document += line + [UInt8(ascii: "\n")]
      }
    }
    let page = File("text/html; charset=utf-8", document)
    (self.style, self.script) = (PageFiles.source(style), PageFiles.source(script))
    build = page.tag.filter(\.isHexDigit)
    files["/"] = page
    files["/favicon.ico"] = File("image/svg+xml", icon)
    // A worker that is another one keeps the page again.
    files["/worker.js"] = File("text/javascript", worker + "// \(build)\n".utf8)
    self.files = files
  }

  /// Code that a policy allows (CSP 3, §2.3.1).
  private static func source(_ code: [UInt8]) -> String {
    let digits = digest(code).hexadecimal
    var (bytes, rest): ([UInt8], Substring) = ([], digits[...])
    while let byte = UInt8(rest.prefix(2), radix: 16) {
      bytes.append(byte)
      rest = rest.dropFirst(2)
    }
    return "'sha256-\(Base64.encode(bytes))'"
  }

  private static func digest(_ bytes: [UInt8]) -> SHA256 {
    var digest = SHA256()
    digest.update(bytes)
    return digest
  }
}

/// The source of the page.
private enum PageCode {
  case markup, style, script

  /// A file without what a browser does not need: indentation, the lines of a script that are comments or types, line ends
  /// after which a statement goes on, and spaces beside signs, in a script before the first text of a line.
  ///
  /// The modules become one, in the order of the files; a name is in one of them only. So an import is dropped, and what is
  /// exported is just there.
  static func compact(_ source: some Sequence<UInt8>, _ kind: PageCode) -> [UInt8] {
    let isScript = kind == .script
    let (opening, closing) = kind == .style ? (";,:".utf8, "{".utf8) : ("=,?:&|><{}".utf8, "=,?:&|><{}".utf8)
    var bytes: [UInt8] = []
    for line in source.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: true) {
      var text = line.drop { $0 == UInt8(ascii: "\t") }
      if isScript {
        let isLeftOut = ["//", "/**", "import "].contains { text.starts(with: $0.utf8) }
        if isLeftOut { continue }
        if text.starts(with: "export ".utf8) { text = text.dropFirst("export ".utf8.count) }
      }
      var isPlain = kind != .markup
      for byte in text {
        if isScript, "'\"`/".utf8.contains(byte) { isPlain = false }
        if isPlain, let last = bytes.last {
          if byte == UInt8(ascii: " "), opening.contains(last) { continue }
          if last == UInt8(ascii: " "), closing.contains(byte) { bytes.removeLast() }
        }
        bytes.append(byte)
      }
      let goesOn = kind == .style ? "{},;" : isScript && !text.contains(UInt8(ascii: "/")) ? "{,([" : ""
      if let last = bytes.last, goesOn.utf8.contains(last) { continue }
      bytes.append(UInt8(ascii: "\n"))
    }
    return bytes
  }
}
