internal import CustomerFixtures
internal import CustomerStore
internal import CustomersBrowser
internal import CustomersTestSupport
internal import Testing

extension PageTests {
  /// What is in the hand or marked is known as a whole, wherever the rows are that the page has read.
  @Suite struct CarryingTests {
    private static let count = 20_000
    private static let isHeld = "document.querySelector('.held')"

    /// The row in the list, from 1, that a person sees at the row in the hand.
    private func heldRow(_ tab: Tab) async throws -> Int {
      try await tab.value(
        "+document.querySelector('.held .number').textContent.replaceAll(',', '')", as: Int.self)
    }

    private func expectCursor(_ page: TestPage, at row: Int) async throws {
      try await page.tab.wait(
        until: """
          document.querySelector('.cursor .number')?.textContent === '\(row)'.replace(/\\B(?=(\\d{3})+$)/g, ',')
            && document.querySelector('.cursor').getBoundingClientRect().bottom
              <= document.getElementById('list').getBoundingClientRect().bottom
            && document.activeElement.id === 'list'
            && document.getElementById('list').getAttribute('aria-activedescendant') === document.querySelector('.cursor').id
          """)
    }

    @Test func `keys carry a row over the whole list, and it is where it was dropped`() async throws {
      try await withPage(.generated(Self.count)) { page in
        var ids = try page.ids()
        func carry(_ keys: [String], to row: Int) async throws {
          let id = ids.removeFirst()
          ids.insert(id, at: row - 1)
          try await page.tab.keys("Home", "m")
          try await page.tab.wait(until: Self.isHeld)
          for key in keys { try await page.tab.keys(key) }
          #expect(try await heldRow(page.tab) == row)
          try await page.tab.keys("Enter")
          try await page.settle()
          #expect(try page.ids() == ids)
          try await expectCursor(page, at: row)
        }
        try await carry(["End"], to: Self.count)
        try await carry(["1", "2", "0", "0", "0", "G"], to: 12_000)
        try await page.tab.keys("Home", "m")
        try await page.tab.wait(until: Self.isHeld)
        for _ in 1...12 { try await page.tab.keys("PageDown") }
        let row = try await heldRow(page.tab)
        #expect(row > 100)
        try await page.tab.keys("Escape")
        try await carry(Array(repeating: "PageDown", count: 12), to: row)
      }
    }

    @Test
    func `a mouse at the edge carries a row to the end within seconds, and the keys are heard after it`()
      async throws
    {
      try await withPage(.generated(Self.count)) { page in
        var ids = try page.ids()
        try await page.tab.click(page.id("edit"))
        let end = try await page.tab.drag("document.querySelector('.row .handle button')", by: 560)
        try await page.hear("Row 20,000 of 20,000, at the end")
        try await page.tab.mouse(.up, end)
        try await page.settle()
        ids.append(ids.removeFirst())
        #expect(try page.ids() == ids)
        try await expectCursor(page, at: Self.count)
        try await page.tab.keys("ArrowUp")
        try await expectCursor(page, at: Self.count - 1)
        try await page.tab.keys("/")
        try await page.tab.wait(until: "document.activeElement.id === 'text'")
        try await page.tab.keys("Escape", "?")
        try await page.tab.wait(until: "document.getElementById('help').matches(':popover-open')")
        try await page.tab.keys("Escape", "Delete")
        try await page.tab.wait(until: "document.querySelector('.delete')")
        // Another program moves the row that the question is about: the keys are heard all the same.
        let asked = ids[Self.count - 2]
        try page.edit { list in try list.move([CustomerID(rawValue: Int64(asked))], to: .first) }
        try await page.hear("Moved")
        try await page.tab.keys("Escape")
        try await page.tab.wait(until: "!document.querySelector('.delete')")
        #expect(try await page.focus() == "list")
      }
    }

    @Test func `a row number is read as people write it, and anything else is refused with the range`()
      async throws
    {
      try await withPage(.generated(13_000)) { page in
        var ids = try page.ids()
        let problem = "document.querySelector('#ask [role=alert]')?.textContent ?? ''"
        for (text, row) in [("12,000", 12_000), ("11.000", 11_000), ("10 000", 10_000), ("17", 17)] {
          try await page.tab.keys("Home", "Shift+F10")
          for item in ["Move to…", "To row…"] { try await page.choose(item) }
          for wrong in ["abc", "0", "13001", "1,2"] {
            try await page.tab.wait(until: "document.activeElement.matches('#answer input')")
            try await page.tab.run("document.activeElement.value = ''")
            try await page.tab.type(wrong)
            try await page.tab.keys("Enter")
            try await page.tab.wait(until: "(\(problem)) === 'Type a number from 1 to 13,000.'")
          }
          try await page.tab.run("document.activeElement.value = ''")
          try await page.tab.type(text)
          try await page.tab.keys("Enter")
          try await page.hear("→ \(row).")
          try await page.settle()
          ids.insert(ids.removeFirst(), at: row - 1)
          #expect(try page.ids() == ids)
          try await expectCursor(page, at: row)
        }
      }
    }

    @Test func `Shift marks rows that were never read, and an edit is about those who were marked`()
      async throws
    {
      try await withPage(.generated(Self.count)) { page in
        let (ids, before) = (try page.ids(), try favorites(page))
        try await page.tab.keys("Home")
        try await page.tab.run("document.getElementById('list').scrollTop = 48 * 395")
        try await page.tab.wait(until: page.tab.rowOf(403))
        try await page.tab.click("\(page.tab.rowOf(403)).querySelector('.name')", holding: "Shift")
        try await page.tab.wait(until: "document.getElementById('marks').textContent.includes('403 marked')")
        try await page.tab.keys("f")
        try await page.hear("Edited")
        try await page.settle()
        let changed = try favorites(page).symmetricDifference(before)
        let (last, marked) = (before.contains(ids[402]), Set(ids[..<403]))
        #expect(changed == (last ? before.intersection(marked) : marked.subtracting(before)))
        // Others add rows among them, move one away, and delete one.
        let (away, gone) = (CustomerID(rawValue: Int64(ids[100])), CustomerID(rawValue: Int64(ids[200])))
        try page.edit { list in
          try list.insert(CustomerFields(firstName: "New"), at: .first)
          try list.move([away], to: .last)
          try list.delete([gone])
        }
        try await page.tab.wait(until: "document.getElementById('count').textContent === '20,000 customers'")
        try await page.hear("New")
        try await page.tab.click(page.id("removeMarked"))
        try await page.tab.click(page.id("yes"))
        try await page.hear("1 of the rows had been deleted.")
        #expect(try page.ids() == [Self.count + 1] + ids[403...])
      }
    }

    @Test func `the page comes as one document, and the rows with one request`() async throws {
      try await withPage(.generated(300)) { page in
        let asked = try await page.tab.value(
          "performance.getEntriesByType('resource').map((e) => new URL(e.name).pathname)", as: [String].self)
        // Firefox gets the icon for a home screen at once.
        #expect(asked.filter { !["/v1/events", "/icon.png"].contains($0) } == ["/v1/rows"])
        #expect(
          try await page.tab.value("document.querySelector('link[rel=icon]').href", as: String.self)
            .hasPrefix("data:image/svg+xml"))
        try await page.tab.wait(until: "\(page.id("today")).textContent === 'Today 300'")
      }
    }

    @Test func `columns have headers and rows have cells, and how many there are is said`() async throws {
      try await withPage(
        "One: Ann, Bob",
        prepare: { list in
          try list.update(list.customer(named: "Ann").id) { ($0.company, $0.note) = ("Acme", "typed") }
        }
      ) { page in
        let heads = try await page.tab.value(
          "[...document.querySelectorAll('main [role=grid] [role=columnheader]')].map((e) => e.textContent)",
          as: [String].self)
        #expect(heads == ["Row", "Name", "Details", "Company", "Favorite", "⋯"])
        #expect(
          try await page.tab.value(
            "['aria-rowcount', 'aria-colcount'].map((name) => document.getElementById('list').getAttribute(name))",
            as: [String].self) == ["4", "6"])
        let cells = try await page.tab.value(
          "[...\(page.row("Ann")).querySelectorAll('[role$=cell], [role=rowheader]')].map((e) => e.textContent)",
          as: [String].self)
        #expect(cells == ["", "1", "Ann", "typed", "Acme", "", ""])
        try await page.tab.run("document.querySelector('#heads .company button').click()")
        try await page.tab.wait(until: "document.querySelector('#heads .company').ariaSort === 'ascending'")
      }
    }

    private func favorites(_ page: TestPage) throws -> Set<Int> {
      try page.list.store.read { list in
        var ids: Set<Int> = []
        try list.forEach { customer in
          if customer.fields.isFavorite { ids.insert(Int(customer.id.rawValue)) }
          return true
        }
        return ids
      }
    }

    private enum Way: CaseIterable { case mouse, finger, keys }

    private func carryByKeys(_ tab: Tab, _ goesFar: Bool, _ count: Int, _ random: inout SplitMix64)
      async throws -> Point
    {
      try await tab.keys(["Home", "End", "PageDown"][random.below(3)], "m")
      try await tab.wait(until: Self.isHeld)
      let keys = ["End", "Home", "PageDown", "PageUp", "ArrowDown", "]", "["]
      for _ in 0...random.below(4) { try await tab.keys(keys[random.below(keys.count)]) }
      if goesFar { for key in String(1 + random.below(count)) + "G" { try await tab.keys(String(key)) } }
      return Point(x: 0, y: 0)
    }

    private func isHeldSoon(_ tab: Tab) async throws -> Bool {
      for _ in 0..<200 {
        if try await tab.value("!!\(Self.isHeld)", as: Bool.self) { return true }
        try await Task.sleep(for: .milliseconds(15))
      }
      return false
    }

    private func carryByPointer(_ tab: Tab, _ way: Way, _ goesFar: Bool, count: Int) async throws -> Point {
      func send(_ event: Tab.PointerEvent, _ point: Point) async throws {
        if way == .mouse { try await tab.mouse(event, point) } else { try await tab.touch(event, point) }
      }
      let list = "document.getElementById('list').getBoundingClientRect()"
      let handle = """
        [...document.querySelectorAll('.row')].filter((e) => {
          const {top, bottom} = e.getBoundingClientRect()
          return top > \(list).top + 60 && bottom < \(list).bottom
        })[2].querySelector('.handle button')
        """
      func press() async throws -> Point? {
        let start = try await tab.spot(handle)
        if way == .mouse { try await send(.move(isDown: false), start) }
        try await send(.down, start)
        try await send(.move(isDown: true), start.moved(0, 10))
        if try await isHeldSoon(tab) { return start }
        try await send(.up, start)
        return nil
      }
      // Rows that others move between a look and a touch may bring something else there; a person would press again.
      var pressed: Point?
      for _ in 0..<10 where pressed == nil { pressed = try await press() }
      let start = try #require(pressed)
      // The line of news may have become shorter, and the list higher.
      let bottom = try await tab.value("\(list).bottom", as: Double.self)
      let edge = Point(x: start.x, y: goesFar ? bottom - 12 : start.y + 150)
      for step in 1...6 {
        try await send(.move(isDown: true), start.moved(0, (edge.y - start.y) * Double(step) / 6))
      }
      guard goesFar else { return edge }
      let wanted = min(count, try await heldRow(tab) + 1_100)
      try await tab.wait(until: "\(Self.isHeld).row + 1 >= \(wanted)")
      let end = edge.moved(0, -250)
      try await send(.move(isDown: true), end)
      return end
    }

    @Test(arguments: isLong ? [(3_000, 1_900), (1_000_000, 100)] : [(3_000, 12)])
    func `rows are carried by mouse, finger and keys beside another page and another program`(
      count: Int, carries: Int
    ) async throws {
      try await withPage(.generated(count, sections: 2)) { page in
        let phone = try await Tab(page.server.url, .phone)
        try await phone.wait(until: "document.querySelector('.row b')")
        try await page.tab.click(page.id("edit"))
        try await phone.tap(page.id("edit"))
        var random = SplitMix64(seed: 56)
        for carry in 0..<carries {
          let before = try page.ids()
          let (way, goesFar) = (Way.allCases[carry % 3], random.oneIn(2))
          let tab = way == .finger ? phone : page.tab
          let end =
            if way == .keys { try await carryByKeys(tab, goesFar, count, &random) } else {
              try await carryByPointer(tab, way, goesFar, count: count)
            }
          // The row above which it is seen; null at the end of the list. Both at one moment: others edit.
          try await tab.wait(
            until: """
              (({row, customer}) => {
                const below = [...document.querySelectorAll('.row')].find((e) => e.row === row + 1)?.customer?.id
                self.seen = [customer.id, below ?? null]
                return below || row === \(count - 1)
              })(\(Self.isHeld))
              """)
          let held = try await tab.value("self.seen[0]", as: Int.self)
          let next = try await tab.value("self.seen[1]", as: Int?.self)
          // Another program moves a row of its own before it is dropped.
          let other = before[random.below(count)]
          if other != held, other != next {
            try page.edit { try $0.move([CustomerID(rawValue: Int64(other))], to: .first) }
          }
          switch way {
          case .mouse: try await tab.mouse(.up, end)
          case .finger: try await tab.touch(.up, end)
          case .keys: try await tab.keys("Enter")
          }
          try await tab.wait(until: "!document.body.matches('.waiting') && !\(Self.isHeld)")
          let after = try page.ids()
          let place = try #require(after.firstIndex(of: held))
          #expect(after.dropFirst(place + 1).first == next, "carry \(carry) of \(held) by \(way)")
          let rest = { (ids: [Int]) in ids.filter { $0 != held && $0 != other } }
          #expect(rest(after) == rest(before) && after.count == count)
          #expect(try await tab.value("document.activeElement.id", as: String.self) == "list")
        }
        // Of a million, only the ids are compared.
        let stored = try count > 10_000 ? [] : page.stored().flatMap(\.self)
        for tab in count > 10_000 ? [] : [page.tab, phone] {
          try await TestPage(tab: tab, list: page.list, server: page.server).expectScreen(stored)
        }
        #expect(phone.problems == [])
        try await phone.close()
      }
    }
  }
}

extension Tab {
  /// The row of the list with a number, as JavaScript.
  fileprivate func rowOf(_ number: Int) -> String {
    "[...document.querySelectorAll('.row')].find((e) => e.row === \(number - 1) && e.customer)"
  }
}
