@testable import CustomerStore
import Foundation
import Platform
import TestSupport
import Testing

/// A program that reads `customers watch --json` and keeps a copy of the list by what it is told.
struct Follower {
  /// The list as far as it was told.
  private(set) var copy: ListCopy
  /// When the text of each change was here.
  private(set) var arrivals: [Date] = []
  private let sandbox: CLISandbox
  private let process: pid_t
  private let pipe: Int32
  /// Bytes of a line that has not ended.
  private var rest: [UInt8] = []
  private var lines: ArraySlice<[String: Any]> = []

  /// Starts to watch, and takes the list as it is.
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

  /// Applies changes up to the insert of a customer with this name.
  mutating func follow(toInsertOf name: String) throws {
    while let line = try nextLine() {
      try apply(line)
      if line["name"] as? String == name, line["op"] as? String == "add" { return }
    }
    Issue.record("watch ended before \(name) came")
  }

  /// Ends the watching, and applies what came until then.
  mutating func end() throws {
    kill(process, SIGINT)
    while let line = try nextLine() { try apply(line) }
    #expect(Spawn.wait(process) == 130)
    close(pipe)
  }

  private mutating func apply(_ line: [String: Any]) throws {
    try copy.apply(#require(ListChange(line), "\(line)"))
  }

  private mutating func nextLine() throws -> [String: Any]? {
    while lines.isEmpty {
      guard let bytes = sandbox.nextBytes(pipe, from: process) else { return nil }
      let now = Date()
      let texts = (rest + bytes).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      rest = Array(texts.last ?? [])
      lines = try texts.dropLast().map { try jsonObject(String(decoding: $0, as: UTF8.self)) }[...]
      arrivals += lines.filter { $0["op"] as? String != "list" }.map { _ in now }
    }
    return lines.removeFirst()
  }
}

extension ListCopy {
  /// The copy of a list that is told in objects.
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

extension ListChange {
  /// A change as `watch --json` tells it; nil if it is none.
  fileprivate init?(_ line: [String: Any]) {
    let customer = CustomerID(rawValue: line.number("id") ?? 0)
    let section = SectionID(rawValue: line.number("id") ?? 0)
    let first = CustomerID(rawValue: line.number("first_id") ?? 0)
    let count = Int(line.number("count") ?? 0)
    switch (line["op"] as? String, line.place("from"), line.place("to")) {
    case ("add", nil, let to?) where count > 0: self = .insertMany(first: first, count: count, at: to)
    case ("delete", let from?, nil) where count > 0:
      self = .deleteMany(first: first, count: count, from: from)
    case ("add", nil, let to?): self = .insert(customer, at: to)
    case ("delete", let from?, nil): self = .delete(customer, from: from)
    case ("move", let from?, let to?): self = .move(customer, from: from, to: to)
    case ("edit", nil, nil): self = .update(customer, at: nil)
    case ("arrange", nil, nil):
      let section = SectionID(rawValue: line.number("section") ?? 0)
      guard let moves = line["moves"] as? [[String: Any]] else { return nil }
      self = .arrange(section, moves.map { CustomerMove($0, in: section) })
    case ("section add", nil, nil): self = .insertSection(section, at: line.order("to"))
    case ("section delete", nil, nil): self = .deleteSection(section, from: line.order("from"))
    case ("section move", nil, nil):
      self = .moveSection(section, from: line.order("from"), to: line.order("to"))
    case ("section rename", nil, nil): self = .updateSection(section)
    default: return nil
    }
  }
}

extension CustomerMove {
  fileprivate init(_ move: [String: Any], in section: SectionID) {
    self.init(
      id: CustomerID(rawValue: move.number("id") ?? 0),
      from: Place(section: section, order: move.order("from")),
      to: Place(section: section, order: move.order("to")))
  }
}

extension [String: Any] {
  fileprivate func number(_ name: String) -> Int64? { (self[name] as? NSNumber)?.int64Value }

  /// A place among the sections, or in a section that is known; 0, which is none, if it is missing.
  fileprivate func order(_ name: String) -> Int { Int(number(name) ?? 0) }

  fileprivate func place(_ name: String) -> Place? {
    guard let place = self[name] as? [String: Any], let section = place.number("section") else { return nil }
    return Place(section: SectionID(rawValue: section), order: place.order("order"))
  }
}
