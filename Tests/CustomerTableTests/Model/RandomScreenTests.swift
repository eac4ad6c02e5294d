import CustomerFixtures
import CustomerStore
import CustomerTable
import CustomersTestSupport
import Foundation
import Testing

/// An app's list screen on `CustomerListModel`, and two other programs that edit the same file.
@MainActor @Suite struct RandomScreenTests {
  /// Together 10,000 edits.
  @Test(arguments: sampled(0..<250, oneIn: 125))
  func `the table shows the file, whatever a person and other programs do`(seed: Int) async throws {
    let file = try TemporaryStore("Ann, Bob, Cid, Dan | Leads: Eva, Fay | Empty:")
    let others = [0, 1].map { OtherProgram(path: file.path, seed: 2 * seed + $0) }
    let screen = ListScreen(file.store)
    var random = SplitMix64(seed: seed)
    for _ in 0..<40 {
      switch random.below(12) {
      case 0..<4: try await others[random.below(2)].edit()
      case 4..<7: drag(&random, in: screen)
      case 7: if let id = row(&random, in: screen) { screen.model.apply(.delete([id])) }
      case 8: screen.model.undo(random.oneIn(2) ? .mine : .all)
      case 9: screen.model.redo(random.oneIn(2) ? .mine : .all)
      case 10:
        if let id = row(&random, in: screen) {
          let name = "Mine\(random.below(100))"
          screen.model.update(id) { $0.firstName = name }
        }
      default: try await add(&random, in: screen)
      }
      if random.oneIn(3) { try await Task.sleep(for: .milliseconds(random.below(4))) }
      if random.oneIn(8) { try await expectSame(screen, file.path, "seed \(seed)") }
    }
    try await expectSame(screen, file.path, "seed \(seed)")
  }

  private func row(_ random: inout SplitMix64, in screen: ListScreen) -> CustomerID? {
    let ids = screen.model.sections.flatMap(\.ids)
    return ids.isEmpty ? nil : ids[random.below(ids.count)]
  }

  /// A finger drags a row to any place.
  private func drag(_ random: inout SplitMix64, in screen: ListScreen) {
    let sections = screen.model.sections
    let section = sections[random.below(sections.count)]
    if random.oneIn(2), !section.rows.isEmpty {
      let offsets = section.rows.indices.filter { _ in random.oneIn(3) }
      screen.model.move(offsets, to: random.below(section.rows.count + 1), in: section)
    } else if let id = row(&random, in: screen) {
      screen.model.move(id, to: random.below(section.rows.count + 1), in: section)
    }
  }

  private func add(_ random: inout SplitMix64, in screen: ListScreen) async throws {
    screen.add()
    for character in "New\(random.below(100))" { await screen.did(.text(.insert(String(character)))) }
    await screen.did(.save)
    // Another program may have deleted the section.
    #expect(screen.form?.message?.hasPrefix("Not saved: the section is no longer") != false)
    screen.form = nil
  }

  private func expectSame(_ screen: ListScreen, _ path: String, _ comment: Comment) async throws {
    let store = try CustomerStore(path: path)
    var rows: [[String]] = []
    for _ in 0..<30_000 {
      rows = try await store.read { list in
        try list.sections().map { section in
          try list.page(from: 1, limit: 1_000, in: section.id).map(\.name)
        }
      }
      if screen.table.cells == rows, !screen.model.isSaving { break }
      try await Task.sleep(for: .milliseconds(1))
    }
    #expect(screen.table.problems == [], comment)
    #expect(screen.table.cells == rows, comment)
  }
}

/// Another program, with a connection of its own.
@MainActor final class OtherProgram {
  private let path: String
  private var random: SplitMix64
  private var backup: String { path + ".backup" }

  init(path: String, seed: Int) { (self.path, random) = (path, SplitMix64(seed: seed + 1_000)) }

  /// Makes a random edit, undoes one, or restores the list as it was.
  func edit() async throws {
    let store = try CustomerStore(path: path)
    let (kind, number, other) = (random.below(14), random.below(1_000), random.below(1_000))
    if kind == 13 {
      if FileManager.default.fileExists(atPath: backup) {
        try store.restore(CustomerStore.checkBackup(at: backup, forListAt: path), keepingListAt: nil)
      } else {
        try store.backUp(to: backup)
      }
      return
    }
    try await store.write(action: "other") { list in try Self.edit(&list, kind, number, other) }
  }

  private nonisolated static func edit(_ list: inout CustomerList, _ kind: Int, _ number: Int, _ other: Int)
    throws
  {
    let sections = try list.sections()
    let section = sections[number % sections.count]
    let ids = try sections.flatMap { try list.ids(in: $0.id) }
    let id = ids.isEmpty ? nil : ids[other % ids.count]
    switch kind {
    case 0..<3: try list.insert(CustomerFields(firstName: "Other\(number)"), at: .first, in: section.id)
    case 3: if let id { try list.delete(id) }
    case 4..<6: if let id { try list.move(id, to: .last, in: section.id) }
    case 6..<8: if let id { _ = try list.apply(.update([id], [.firstName: .text("Renamed\(number)")])) }
    case 8:
      _ = try list.apply(.section(.add(title: "Section \(number)", at: 1 + number % (sections.count + 1))))
    case 9: _ = try list.apply(.section(.move(section.id, to: 1 + other % sections.count)))
    case 10: if section.count == 0, sections.count > 1 { _ = try list.apply(.section(.delete(section.id))) }
    case 11: _ = try list.undo()
    default: _ = try list.redo()
    }
  }
}
