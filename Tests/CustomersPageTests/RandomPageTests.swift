internal import CustomerFixtures
internal import CustomerStore
internal import CustomersBrowser
internal import CustomersSQLite
internal import CustomersTestSupport
internal import Testing

extension PageTests {
  /// Gestures in two browsers beside two other programs.
  @Suite struct RandomPageTests {
    @Test func `the pages show the file, no edit is lost or done twice, and each outcome is true`()
      async throws
    {
      let names = (1...12).map { "N\($0)" }
      try await withPage(.init("One: \(names.joined(separator: ", ")) | Two: Z1, Z2")) { page in
        let other = try await Tab(page.server.url)
        try await other.wait(until: "document.querySelector('.row b')")
        let client = try Connection(path: page.list.path)
        var random = SplitMix64(seed: 7)
        var added = 0
        for _ in 1...(isLong ? 2000 : 50) {
          let tab = random.oneIn(2) ? other : page.tab
          switch random.below(12) {
          case 0:
            added += 1
            let name = "A\(added)"
            try page.edit { try $0.insert(CustomerFields(firstName: name), at: .first) }
          case 1:
            try client.execute(
              "UPDATE customers SET \"order\" = 1 WHERE id = (SELECT max(id) FROM customers)")
          case 2:
            try await tab.keys("Home", "m", "ArrowDown", "ArrowDown", "Enter", "Escape")
          case 3:
            try await tab.keys("ArrowDown", "m", "End", "ArrowUp", "Enter", "Escape")
          case 4:
            try await tab.keys("Home", "m", "ArrowDown", "Escape")
          case 5:
            try await tab.keys("End", "Delete", "Escape", "Home", "ArrowDown", "ArrowDown", "Alt+ArrowUp")
          case 6:
            try await tab.keys("ArrowDown", "ArrowDown", "Alt+ArrowDown", "Alt+ArrowDown")
          case 7:
            try await tab.keys("/")
            try await tab.type(["n1", "name~n", "a", "1"][random.below(4)])
            try await tab.keys("ArrowDown", "ArrowDown", "Space", "m", "Delete", "Escape", "Escape", "Escape")
          case 8:
            try await tab.keys("/")
            try await tab.type("n1")
            try await tab.keys("Enter", "&", "n", "Alt+ArrowUp", "Shift+n", "Escape", "Escape")
          case 9:
            try await tab.run("document.querySelector('#heads .name button').click()")
            try await tab.run("document.getElementById('list').focus()")
            try await tab.keys("ArrowDown", "m", "Alt+ArrowDown", "Escape")
          case 10:
            try page.edit { list in
              let sections = try list.sections()
              if sections[0].title == "One" || sections[1].title == "One" {
                try list.moveSection(sections[0].id, to: 2)
              }
            }
          default:
            try await tab.keys(
              "Home", "Space", "ArrowDown", "Space", "ArrowUp", "m", "ArrowDown", "Enter", "Escape", "Escape")
          }
        }
        let pages = [page, TestPage(tab: other, list: page.list, server: page.server)]
        for page in pages {
          // A row that was picked up before a view was sorted, or a form, took the key that ends sorting.
          try await page.tab.keys("Escape", "Escape", "Escape", "Escape")
          try await page.settle()
          try await page.tab.open(page.server.url)
        }
        let stored = try page.stored().flatMap(\.self)
        for page in pages { try await page.expectScreen(stored) }
        #expect(stored.sorted() == (names + ["Z1", "Z2"] + (0..<added).map { "A\($0 + 1)" }).sorted())
        #expect(try client.fetchOne("SELECT count(*) FROM customers") { $0.int(0) } == stored.count)
        #expect(other.problems == [])
        try await other.close()
      }
    }
  }
}
