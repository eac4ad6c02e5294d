import CustomersText
import CustomersHTTP

extension FuzzedFormat {
  /// Heads as records of their headers.
  static func read(heads pieces: [[UInt8]]) -> Reading {
    let (heads, problem) = heads(pieces)
    let records = heads.map { head in
      let values = Dictionary(head.headers.map { ($0.name, $0.value) }) { "\($0), \($1)" }.sorted {
        $0.key < $1.key
      }
      return Record(
        columns: [""] + values.map(\.key),
        values: [.text("\(head.method) \(head.target) \(head.isVersion11)")] + values.map { .text($0.value) },
        line: 1)
    }
    return Reading(records: records, problem: problem)
  }

  private static func heads(_ pieces: [[UInt8]]) -> (heads: [RequestHead], problem: String?) {
    var (parser, heads) = (HeadParser(), [RequestHead]())
    do {
      for byte in pieces.joined() { if let head = try parser.take(byte) { heads.append(head) } }
    } catch {
      return (heads, error.message)
    }
    return (heads, nil)
  }

  /// What is accepted keeps the rules, and means the same when it is written plainly.
  func faultOfHeads(_ input: [UInt8]) -> String? {
    for head in FuzzedFormat.heads([input]).heads {
      let count = { (name: String) in head.headers.count { $0.name == name } }
      guard head.target.hasPrefix("/"), head.target.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
        return "a target is not a path"
      }
      guard count("host") == 1, count("content-length") <= 1, count("transfer-encoding") == 0,
        head.contentLength >= 0
      else { return "a head has two meanings" }
      let lines =
        ["\(head.method) \(head.target) HTTP/1.\(head.isVersion11 ? 1 : 0)"]
        + head.headers.map { "\($0.name): \($0.value)" } + ["", ""]
      let plain = Array(lines.joined(separator: "\r\n").utf8)
      // What was not UTF-8 has become longer.
      guard plain.count <= HeadParser.longestHead else { continue }
      guard FuzzedFormat.heads([plain]).heads == [head] else {
        return "a head means something else when it is written"
      }
    }
    return nil
  }
}
