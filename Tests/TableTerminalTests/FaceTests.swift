import CustomerFixtures
import CustomerStore
import CustomerTable
import TableTerminal
import Testing

/// The screen as a person sees it.
@Suite struct FaceTests {
  @Test func `the list is on the screen, and the arrows move the cursor`() throws {
    let session = TableSession(try CustomerStore.inMemory("Ann, Bob"))
    var face = TableFace(session, options: .init(fileName: "customers.sqlite"))
    face.tick(at: .now)
    _ = face.handle([.key(KeyPress(.down))], at: .now)
    let screen = face.draw()
    #expect((0..<screen.rows).map(screen.text(row:)).contains("   2  Bob"))
  }
}
