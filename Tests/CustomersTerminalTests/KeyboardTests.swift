@testable import CustomersTerminal
import CustomersSystem
import CustomersTestSupport
import Testing

/// Keys that are pressed while a command runs.
@Suite(.onThreads) struct KeyboardTests {
  @Test func `only Esc and Ctrl-C stop a command, and the other keys stay`() throws {
    var ends: [Int32] = [-1, -1]
    try #require(unsafe pipe(&ends) == 0)
    let keyboard = Keyboard(ends[0])
    func press(_ keys: String) { _ = unsafe write(ends[1], keys, keys.utf8.count) }
    #expect(!keyboard.hasKeys && !keyboard.takeStop())
    press("jk\u{1B}[A")
    #expect(keyboard.hasKeys && !keyboard.takeStop() && keyboard.hasKeys)
    press("\u{1B}")
    // An arrow key begins with the same byte, so it takes a moment.
    while !keyboard.takeStop() {}
    #expect(!keyboard.takeStop() && keyboard.hasEarlyKeys)
    #expect(keyboard.read() == Array("jk\u{1B}[A".utf8) && !keyboard.hasKeys)
    press("a\u{3}b")
    #expect(keyboard.takeStop() && !keyboard.takeStop())
    #expect(keyboard.read() == Array("ab".utf8))
    press("c")
    #expect(keyboard.read() == Array("c".utf8))
    close(ends[1])
    #expect(!keyboard.takeStop() && keyboard.read() == nil)
    close(ends[0])
  }
}
