@testable import CustomerStore
import Foundation
import CustomersSystem
import CustomersTestSupport
import Testing

/// A program that reads `customers watch --json` and keeps a copy of the list.
struct Follower {
  /// The list as received so far.
  private(set) var copy: ListCopy
  /// When the text of each edit was here.
  private(set) var arrivals: [Date] = []
  private let sandbox: CLISandbox
  private let process: pid_t
  private let pipe: Int32
  /// Bytes of a line that has not ended.
  private var rest: [UInt8] = []
  private var lines: ArraySlice<[String: Any]> = []

  /// Starts to watch and takes the list as it is.
  init(_ sandbox: CLISandbox) throws {
    self.sandbox = sandbox
    let run = try PipedRun(sandbox, [CLISandbox.program, "watch", "--json"])
    (process, pipe) = (run.process, run.pipe)
    copy = ListCopy(sections: [], rows: [:])
    let list = try #require(try nextLine())
    #expect(list["op"] as? String == "list")
    let sections = try #require(list["sections"] as? [[String: Any]])
    copy = try ListCopy(sections, #require(list["customers"] as? [[String: Any]]))
  }

  /// Applies steps up to the insert of a customer with this name.
  mutating func follow(toInsertOf name: String) throws {
    while let line = try nextLine() {
      try apply(line)
      let changes = try #require(line["changes"] as? [[String: Any]])
      if changes.contains(where: { $0["op"] as? String == "add" && $0["name"] as? String == name }) { return }
    }
    Issue.record("watch ended before \(name) came")
  }

  /// Ends the watching and applies what came until then.
  mutating func end() throws {
    kill(process, SIGINT)
    while let line = try nextLine() { try apply(line) }
    #expect(Spawn.wait(process) == 130)
    close(pipe)
  }

  private mutating func apply(_ line: [String: Any]) throws {
    let changes = try #require(line["changes"] as? [[String: Any]], "\(line)")
    try copy.apply(changes.map(ReportedChange.init))
  }

  private mutating func nextLine() throws -> [String: Any]? {
    while lines.isEmpty {
      guard let bytes = sandbox.nextBytes(pipe, from: process) else { return nil }
      let now = Date()
      let newLine = UInt8(ascii: "\n")
      guard let end = bytes.lastIndex(of: newLine) else {
        rest += bytes
        continue
      }
      let texts = (rest + bytes[..<end]).split(separator: newLine)
      rest = Array(bytes[(end + 1)...])
      lines = try texts.map { try jsonObject(String(decoding: $0, as: UTF8.self)) }[...]
      for line in lines { arrivals += Array(repeating: now, count: Int(line.number("edit_count") ?? 0)) }
    }
    return lines.removeFirst()
  }
}

extension ListCopy {
  /// The copy of a list that arrives as objects.
  init(_ sections: [[String: Any]], _ customers: [[String: Any]]) throws {
    let sections = try sections.map { try SectionID(rawValue: #require($0.number("id"))) }
    var rows: [SectionID: [CustomerID]] = Dictionary(uniqueKeysWithValues: sections.map { ($0, []) })
    for customer in customers {
      let section = try SectionID(rawValue: #require(customer.number("section")))
      rows[section]?.append(CustomerID(rawValue: try #require(customer.number("id"))))
    }
    self.init(sections: sections, rows: rows)
  }
}

/// The part of a reported change that concerns the order of rows and sections.
private struct ReportedChange {
  let op: String
  let section: SectionID
  let rows: [CustomerID]
  let from: CustomerPlace?
  let to: CustomerPlace?
  /// The place of a section among the sections.
  let order: Int

  init(_ change: [String: Any]) throws {
    op = try #require(change["op"] as? String)
    section = SectionID(rawValue: change.number("id") ?? 0)
    let first = change.number("first_id") ?? change.number("id") ?? 0
    rows = (0..<(change.number("count") ?? 1)).map { CustomerID(rawValue: first + $0) }
    (from, to) = (change.place("from"), change.place("to"))
    let after = change["section"] as? [String: Any]
    order = Int(after?.number("order") ?? 0)
  }
}

extension ListCopy {
  /// Repeats a step, as `customers help json` says.
  fileprivate mutating func apply(_ changes: [ReportedChange]) throws {
    var (sections, rows) = (sections, rows)
    let leaving = changes.filter { ["delete", "move"].contains($0.op) }
    for change in leaving.sorted(by: { $0.from?.order ?? 0 > $1.from?.order ?? 0 }) {
      let from = try #require(change.from)
      let range = from.order - 1..<from.order - 1 + change.rows.count
      let old = try #require(rows[from.section])
      try #require(old.indices.contains(range) || range.upperBound == old.count)
      #expect(Array(old[range]) == change.rows)
      rows[from.section]?.removeSubrange(range)
    }
    let taken = Set(changes.filter { ["section delete", "section move"].contains($0.op) }.map(\.section))
    sections.removeAll(where: taken.contains)
    for change in changes where change.op == "section delete" {
      #expect(rows.removeValue(forKey: change.section) == [])
    }
    let put = changes.filter { ["section add", "section move"].contains($0.op) }
    for change in put.sorted(by: { $0.order < $1.order }) {
      sections.insert(change.section, at: change.order - 1)
      rows[change.section] = rows[change.section] ?? []
    }
    let coming = changes.filter { ["add", "move"].contains($0.op) }
    for change in coming.sorted(by: { $0.to?.order ?? 0 < $1.to?.order ?? 0 }) {
      let to = try #require(change.to)
      let count = try #require(rows[to.section]).count
      try #require(to.order >= 1 && to.order <= count + 1)
      rows[to.section]?.insert(contentsOf: change.rows, at: to.order - 1)
    }
    self = ListCopy(sections: sections, rows: rows)
  }
}

extension [String: Any] {
  fileprivate func number(_ name: String) -> Int64? { (self[name] as? NSNumber)?.int64Value }

  fileprivate func place(_ name: String) -> CustomerPlace? {
    guard let place = self[name] as? [String: Any], let section = place.number("section") else { return nil }
    return CustomerPlace(section: SectionID(rawValue: section), order: Int(place.number("order") ?? 0))
  }
}
