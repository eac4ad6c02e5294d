import CustomerFixtures
@testable import CustomersTerminal
import CustomersTestSupport
import Testing

/// The table of key bindings.
@Suite(.onThreads) struct KeyBindingTests {
  @Test(arguments: KeyMode.allCases)
  func `each key has at most one meaning in a mode`(mode: KeyMode) {
    var meanings: [KeyPress: String] = [:]
    for binding in KeyBindings.all where binding.modes.contains(mode) {
      for (key, _) in binding.pairs {
        #expect(meanings[key] == nil, "\(key) means \(binding.meaning) too")
        meanings[key] = binding.meaning
      }
    }
    #expect(KeyBindings.all.count { $0.isFallback && $0.modes.contains(mode) } <= 1)
    #expect(!mode.isTyping || KeyBindings.fallback(in: mode) == nil)
  }

  @Test func `every key name can be parsed, and every command has a key`() {
    for binding in KeyBindings.all {
      #expect(binding.pairs.count == binding.keys.split(separator: " ").count, "\(binding.keys)")
      #expect(binding.pairs.count >= binding.commands.count || binding.keys.isEmpty, "\(binding.keys)")
    }
  }

  @Test func `the help, the reference, and the key lines contain every key`() {
    let pages = Overlay.help.entries
    let reference = KeyReference.topics.flatMap(\.keys)
    for binding in KeyBindings.all {
      #expect(pages.contains(.keys(binding.label, binding.meaning)), "\(binding.label)")
      #expect(reference.contains { ($0.keys, $0.meaning) == (binding.label, binding.meaning) })
    }
    for mode in KeyMode.allCases where mode != .waiting {
      #expect(!KeyBindings.hints(in: mode, width: 78).isEmpty, "\(mode)")
      #expect(KeyBindings.hints(in: mode, width: 78).count <= 78, "\(mode)")
    }
  }

  @Test(arguments: [24, 12, 8], [80, 40, 20])
  func `the help shows every key on a screen of any size`(rows: Int, columns: Int) throws {
    var face = try TestFace("Ann", columns: columns, rows: rows)
    face.press("?")
    var text = ""
    for _ in 0..<100 {
      text += face.lines.joined(separator: "\n")
      face.press("PgDn")
    }
    guard columns > 20 else { return }
    for binding in KeyBindings.all { #expect(text.contains(binding.label), "\(binding.label)") }
    if columns == 80 {
      for binding in KeyBindings.all { #expect(text.contains(binding.meaning), "\(binding.meaning)") }
    }
  }

  @Test func `no edit is bound to Escape and a letter`() {
    for binding in KeyBindings.all {
      for (key, command) in binding.pairs where key.modifiers.contains(.alt) {
        if case .character = key.key { Issue.record("\(command)") }
      }
    }
  }
}
