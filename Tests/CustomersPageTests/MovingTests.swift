internal import CustomerFixtures
internal import CustomerStore
internal import CustomersBrowser
internal import Testing

extension PageTests {
  /// Rows are dragged by mouse, finger and keys, and moved by a menu.
  @Suite struct MovingTests {
    private let names = ["Ann", "Bob", "Cid", "Dee", "Eve"]

    @Test func `a handle drags with the mouse, numbers change on the way, and the drop is in the file`()
      async throws
    {
      try await withPage("Ann, Bob, Cid, Dee, Eve") { page in
        try await page.tab.click(page.id("edit"))
        let end = try await page.tab.drag(page.row("Bob", ".handle button"), by: 2 * 48 + 10)
        try await page.hear("Row 4 of 5, above \"Eve\"")
        let numbers = try await page.tab.value(
          "['Cid', 'Dee', 'Bob'].map((n) => [...document.querySelectorAll('.row')].find((e) => "
            + "e.querySelector('b').textContent === n).querySelector('.number').textContent)",
          as: [String].self)
        #expect(numbers == ["2", "3", "4"])
        #expect(try page.stored() == [names])
        try await page.tab.mouse(.up, end)
        try await page.expect(["Ann", "Cid", "Dee", "Bob", "Eve"])
      }
    }

    @Test func `Escape cancels what the mouse holds`() async throws {
      try await withPage("Ann, Bob, Cid") { page in
        try await page.tab.click(page.id("edit"))
        let end = try await page.tab.drag(page.row("Ann", ".handle button"), by: 100)
        try await page.tab.keys("Escape")
        try await page.hear("Canceled")
        try await page.tab.mouse(.up, end)
        try await page.expect(["Ann", "Bob", "Cid"])
        #expect(try await page.isOpen("form") == false)
      }
    }

    @Test func `a wheel moves the list below what the mouse holds`() async throws {
      let names = (1...60).map { "N\($0)" }
      try await withPage(.init(names.joined(separator: ", "))) { page in
        try await page.tab.click(page.id("edit"))
        let end = try await page.tab.drag(page.row("N2", ".handle button"), by: 2 * 48 + 10)
        try await page.tab.run("document.getElementById('list').scrollTop = 480")
        try await page.tab.wait(until: "document.querySelector('.held')?.row === 13")
        try await page.tab.mouse(.up, end)
        try await page.hear("Moved")
        #expect(try page.stored() == [[names[0]] + names[2..<14] + [names[1]] + names[14...]])
      }
    }

    @Test func `the key that was to drop a row opens nothing when others took it from the hand`() async throws
    {
      try await withPage("Ann, Bob, Cid") { page in
        try await page.tab.keys("Home", "m", "ArrowDown")
        try page.edit { list in try list.delete([list.customer(named: "Ann").id]) }
        try await page.hear("already deleted")
        try await page.tab.keys("Enter")
        #expect(try await page.isOpen("form") == false)
        try await page.tab.keys("Enter")
        try await page.tab.wait(until: "document.getElementById('form').open")
      }
    }

    @Test func `a finger drags by the handle, and by a long press on the row`() async throws {
      try await withPage("Ann, Bob, Cid, Dee, Eve", .phone) { page in
        try await page.tab.swipe(page.row("Ann", ".name"), y: 130, until: "document.querySelector('.held')")
        try await page.expect(["Bob", "Cid", "Ann", "Dee", "Eve"])
        try await page.tab.tap(page.id("edit"))
        try await page.tab.wait(until: "document.body.classList.contains('editing')")
        try await page.tab.swipe(page.row("Dee", ".handle button"), y: -190)
        try await page.expect(["Dee", "Bob", "Cid", "Ann", "Eve"])
      }
    }

    @Test func `over the last line is the end of the list, and rows in the hand are whole there`()
      async throws
    {
      let names = (1...30).map { "N\($0)" }
      try await withPage(.init(names.joined(separator: ", ")), .phone) { page in
        let list = "document.getElementById('list')"
        try await page.tab.run("\(list).scrollTop = 1e6")
        try await page.tab.wait(until: page.row("N30"))
        // No further than the upper part of the last row.
        let (start, last) = (
          try await page.tab.spot(page.row("N25", ".name")), try await page.tab.spot(page.row("N30", ".name"))
        )
        try await page.tab.swipe(
          page.row("N25", ".name"), y: last.y - start.y - 20, until: "document.querySelector('.held')")
        let moved = names.filter { $0 != "N25" } + ["N25"]
        try await page.tab.wait(until: page.row("N25"))
        try await page.hear("Moved")
        #expect(try page.stored() == [moved])
        try await page.tab.tap(page.id("edit"))
        for name in ["N27", "N28", "N29"] { try await page.tab.tap(page.row(name, ".name")) }
        try await page.tab.wait(until: "document.querySelectorAll('.marked').length === 3")
        let end = try await page.tab.swipe(page.row("N27", ".handle button"), y: 250, stays: true)
        try await page.tab.wait(
          until: """
            [...document.querySelectorAll('.held')].filter((e) => e.getBoundingClientRect().bottom
              <= \(list).getBoundingClientRect().bottom).length === 3
            """)
        try await page.tab.touch(.up, end)
        try await page.hear("Moved 3 customers")
        #expect(try page.stored().joined().suffix(3) == ["N27", "N28", "N29"])
      }
    }

    @Test func `a list that has shown where a row was dropped stays as it is when it was read again`()
      async throws
    {
      try await withPage(.init((1...30).map { "N\($0)" }.joined(separator: ", ")), .phone) { page in
        let list = "document.getElementById('list')"
        try await page.tab.run("\(list).scrollTop = 1e6")
        let last = try await page.tab.spot(page.row("N30", ".name"))
        let start = try await page.tab.spot(page.row("N25", ".name"))
        try await page.tab.run(
          """
          (real => self.fetch = async (path, ...more) => {
            if (path.startsWith('/v1/rows')) await new Promise(go => self.release = go), self.fetch = real
            return real(path, ...more)
          })(self.fetch)
          """)
        try await page.tab.swipe(
          page.row("N25", ".name"), y: last.y - start.y - 20, until: "document.querySelector('.held')")
        try await page.hear("Moved")
        // The list is longer in this mode.
        try await page.tab.tap(page.id("edit"))
        try await page.tab.wait(until: "document.body.classList.contains('editing') && self.release")
        let place = try await page.tab.value("\(list).scrollTop", as: Double.self)
        try await page.tab.run("self.release()")
        try await page.settle()
        #expect(try await page.tab.value("\(list).scrollTop", as: Double.self) == place)
      }
    }

    @Test func `a finger that moves before the time of a long press picks nothing up`() async throws {
      try await withPage("Ann, Bob, Cid, Dee, Eve", .phone) { page in
        // The time is up when the test says so, unless the page has stopped its timer.
        try await page.tab.run(
          """
          ((start, stop) => {
            self.setTimeout = (work, time) => time === 400 ? (self.timeIsUp = work, -400) : start(work, time)
            self.clearTimeout = (id) => id === -400 ? self.timeIsUp = null : stop(id)
          })(self.setTimeout, self.clearTimeout)
          """)
        let end = try await page.tab.swipe(
          page.row("Ann", ".name"), x: -30, y: 2, until: "self.timeIsUp", stays: true)
        try await page.tab.wait(until: "document.querySelector('.swiped')")
        try await page.tab.run("self.timeIsUp?.()")
        #expect(try await page.tab.value("!document.querySelector('.held')", as: Bool.self))
        try await page.tab.touch(.up, end)
      }
    }

    @Test func `what was dropped by a key does not follow the mouse while it is saved`() async throws {
      try await withPage("Ann, Bob, Cid, Dee, Eve") { page in
        try await page.tab.click(page.id("edit"))
        try await page.freezeTimers(of: 1500)
        let other = try LockingClient(page.list.path)
        let end = try await page.tab.drag(page.row("Ann", ".handle button"), by: 58)
        try await page.tab.run("document.getElementById('list').focus()")
        try await page.tab.keys("Enter")
        let dropped = try await page.tab.value(TestPage.names, as: [String].self)
        #expect(dropped == ["Bob", "Ann", "Cid", "Dee", "Eve"])
        try await page.tab.mouse(.move(isDown: true), end.moved(0, 100))
        #expect(try await page.tab.value(TestPage.names, as: [String].self) == dropped)
        try await page.tab.mouse(.up, end.moved(0, 100))
        try other.end()
        try await page.expect(dropped)
      }
    }

    @Test func `keys wait while what was dropped is saved, and mean what they mean after it`() async throws {
      try await withPage("Ann, Bob, Cid, Dee, Eve") { page in
        try await page.freezeTimers(of: 1500)
        let other = try LockingClient(page.list.path)
        try await page.tab.keys("Home", "m", "ArrowDown", "Enter")
        try await page.tab.keys("ArrowDown", "m", "ArrowDown", "Enter")
        try other.end()
        try await page.expect(["Bob", "Ann", "Dee", "Cid", "Eve"])
        #expect(try await page.isOpen("form") == false)
      }
    }

    @Test func `what is put back is shown, and a row that others delete leaves the hand and a cursor`()
      async throws
    {
      let names = (1...300).map { "N\($0)" }
      try await withPage(.init(names.joined(separator: ", "))) { page in
        let isSeen = { (name: String) in
          "((e) => e?.matches('.cursor') && e.getBoundingClientRect().top > 0 && e.getBoundingClientRect().bottom < innerHeight)(\(page.row(name)))"
        }
        try await page.tab.keys("Home", "m", "End")
        try await page.hear("Row 300 of 300")
        try await page.tab.keys("Escape")
        try await page.tab.wait(until: isSeen("N1"))
        try await page.tab.keys("m", "End")
        try await page.hear("Row 300 of 300")
        try page.edit { try $0.delete([$0.customer(named: "N1").id]) }
        try await page.hear("The row is already deleted.")
        try await page.tab.wait(until: isSeen("N300"))
        #expect(
          try await page.tab.value(
            "!document.querySelector('.holding') && document.getElementById('list').hasAttribute('aria-activedescendant')",
            as: Bool.self))
      }
    }

    @Test func `keys pick up, move, drop, and cancel; Alt with an arrow moves at once`() async throws {
      try await withPage("Ann, Bob, Cid, Dee, Eve") { page in
        try await page.tab.keys("Home", "ArrowDown", "m", "ArrowDown", "ArrowDown")
        try await page.hear("Row 4 of 5")
        try await page.tab.keys("Enter")
        try await page.expect(["Ann", "Cid", "Dee", "Bob", "Eve"])
        try await page.tab.keys("Alt+ArrowUp")
        try await page.settle()
        try await page.tab.keys("Alt+ArrowUp")
        try await page.expect(["Ann", "Bob", "Cid", "Dee", "Eve"])
        try await page.tab.keys("m", "End")
        try await page.hear("Row 5 of 5, at the end")
        try await page.tab.keys("Escape")
        try await page.hear("Canceled")
        try await page.tab.keys("m", "Home", "Enter")
        try await page.expect(["Bob", "Ann", "Cid", "Dee", "Eve"])
        #expect(try await page.focus() == "list")
      }
    }

    @Test func `several marked rows move as a block, into another section, too`() async throws {
      try await withPage("Ann, Bob, Cid, Dee | Leads: Eve, Fay") { page in
        try await page.tab.click(page.row("Ann", ".name"), holding: "Control")
        try await page.tab.click(page.row("Cid", ".name"), holding: "Control")
        try await page.tab.keys("m", "ArrowDown", "ArrowDown", "ArrowDown")
        try await page.hear("above \"Fay\"")
        try await page.tab.keys("Enter")
        try await page.expect(["Bob", "Dee", "Eve", "Ann", "Cid", "Fay"])
        #expect(try page.stored() == [["Bob", "Dee"], ["Eve", "Ann", "Cid", "Fay"]])
      }
    }

    @Test func `marked rows are gathered at the row with the focus, which stays where it is`() async throws {
      let names = (1...60).map { "N\($0)" }
      try await withPage(.init(names.joined(separator: ", "))) { page in
        try await page.tab.keys(
          "Home", "Space", "ArrowDown", "Space", "End", "ArrowUp", "ArrowUp", "Space", "ArrowUp")
        try await page.tab.wait(until: "\(page.row("N58"))?.matches('.cursor.marked')")
        let y = "\(page.row("N58")).getBoundingClientRect().top"
        let before = try await page.tab.value(y, as: Double.self)
        try await page.tab.keys("m")
        try await page.hear("Row 56 of 60, above \"N59\"")
        #expect(try await page.tab.value(y, as: Double.self) == before)
        #expect(
          try await page.tab.value("\(page.row("N58", ".number")).textContent", as: String.self) == "58")
        try await page.tab.keys("Enter")
        let block = ["N1", "N3", "N58"]
        let rest = names.filter { !block.contains($0) }
        let gathered = Array(rest[..<55]) + block + Array(rest[55...])
        try await page.settle()
        try await page.expectScreen(gathered)
        #expect(try page.stored() == [gathered])
        try await page.tab.wait(until: "\(page.row("N58"))?.matches('.cursor')")
      }
    }

    @Test func `marked rows of an earlier section are gathered in a later one`() async throws {
      try await withPage("Ann, Bob | Leads: Cid, Dee, Eve") { page in
        try await page.tab.click(page.row("Ann", ".name"), holding: "Control")
        try await page.tab.click(page.row("Dee", ".name"), holding: "Control")
        try await page.tab.keys("m")
        try await page.hear("above \"Eve\"")
        try await page.tab.keys("Enter")
        try await page.expect(["Bob", "Cid", "Ann", "Dee", "Eve"])
        #expect(try page.stored() == [["Bob"], ["Cid", "Ann", "Dee", "Eve"]])
      }
    }

    @Test func `a row is dragged over the border of a section`() async throws {
      try await withPage("One: Ann, Bob | Two: Cid, Dee | Three: Eve") { page in
        try await page.tab.click(page.id("edit"))
        try await page.tab.drop(page.row("Ann", ".handle button"), by: 3 * 48 + 30)
        try await page.settle()
        #expect(try page.stored() == [["Bob"], ["Ann", "Cid", "Dee"], ["Eve"]])
        try await page.tab.drop(page.row("Eve", ".handle button"), by: -80)
        try await page.settle()
        #expect(try page.stored() == [["Bob"], ["Ann", "Cid", "Dee", "Eve"], []])
      }
    }

    @Test func `the list scrolls while a row is held at the edge`() async throws {
      let names = (1...60).map { "N\($0)" }
      try await withPage(.init(names.joined(separator: ", "))) { page in
        try await page.tab.click(page.id("edit"))
        let end = try await page.tab.drag(page.row("N1", ".handle button"), by: 560)
        try await page.tab.wait(until: "document.getElementById('news').textContent.includes('at the end')")
        try await page.tab.mouse(.up, end)
        try await page.settle()
        #expect(try page.stored() == [Array(names.dropFirst()) + ["N1"]])
      }
    }

    @Test func `the menu of the handle moves without dragging`() async throws {
      try await withPage("One: Ann, Bob, Cid, Dee | Two: Eve") { page in
        func choose(_ name: String, _ item: String) async throws {
          try await page.settle()
          try await page.tab.click(page.row(name, ".handle button"))
          try await page.tab.wait(until: "document.getElementById('menu').matches(':popover-open')")
          try await page.tab.click(
            "[...document.querySelectorAll('#menu button')].find((b) => b.textContent === '\(item)')")
        }
        try await page.tab.click(page.id("edit"))
        try await choose("Ann", "Move down")
        try await page.expect(["Bob", "Ann", "Cid", "Dee", "Eve"])
        try await choose("Dee", "To the top of One")
        try await page.expect(["Dee", "Bob", "Ann", "Cid", "Eve"])
        try await choose("Dee", "To the end of One")
        try await page.expect(["Bob", "Ann", "Cid", "Dee", "Eve"])
        try await choose("Cid", "Move up")
        try await page.expect(["Bob", "Cid", "Ann", "Dee", "Eve"])
        try await choose("Bob", "To section Two")
        try await page.expect(["Cid", "Ann", "Dee", "Eve", "Bob"])
        #expect(try page.stored() == [["Cid", "Ann", "Dee"], ["Eve", "Bob"]])
        try await choose("Dee", "To a new section…")
        try await page.tab.wait(until: "document.getElementById('ask').open")
        try await page.tab.type("Three")
        try await page.tab.keys("Enter")
        try await page.hear("Moved \"Dee\"")
        #expect(try page.stored().last == ["Dee"])
        try await page.tab.keys("Control+z", "Control+z")
        try await choose("Dee", "To row…")
        try await page.tab.type("2")
        try await page.tab.keys("Enter")
        try await page.expect(["Cid", "Dee", "Ann", "Eve", "Bob"])
        #expect(try await page.focus() == "list")
      }
    }

    @Test func `one of many sections is chosen in a dialog`() async throws {
      let sections = (1...8).map { "S\($0): N\($0)" }
      try await withPage(.init(sections.joined(separator: " | "))) { page in
        try await page.tab.keys("Home", "Shift+F10")
        try await page.choose("Move to…")
        #expect(
          try await page.tab.value("document.getElementById('menu').children.length", as: Int.self) == 7)
        try await page.tab.keys("End", "ArrowUp", "Enter")
        try await page.tab.wait(until: "document.activeElement.matches('#ask select')")
        try await page.tab.keys("ArrowDown")
        try await page.tab.click(page.id("yes"))
        try await page.expect(["N2", "N3", "N1"] + (4...8).map { "N\($0)" })
        #expect(try page.stored()[...2] == [[], ["N2"], ["N3", "N1"]])
        #expect(try await page.focus() == "list")
      }
    }

    @Test func `a protected row has no handle and is not moved by keys`() async throws {
      try await withPage(
        "Ann, Bob", prepare: { try $0.protect($0.customer(named: "Ann").id, canEdit: false, canMove: false) }
      ) {
        page in
        try await page.tab.click(page.id("edit"))
        for part in [".handle button", ".minus button"] {
          #expect(
            try await page.tab.value("\(page.row("Ann", part)).getClientRects().length", as: Int.self) == 0)
          #expect(
            try await page.tab.value("\(page.row("Bob", part)).getClientRects().length", as: Int.self) == 1)
        }
        try await page.tab.run("document.getElementById('list').focus()")
        try await page.tab.keys("Home", "m")
        try await page.hear("\"Ann\" is protected against moving.")
        try await page.tab.keys("Delete")
        try await page.hear("\"Ann\" is protected against editing and deleting.")
        #expect(try page.stored() == [["Ann", "Bob"]])
      }
    }

    @Test func `a drop is refused only if that row was moved by someone else`() async throws {
      try await withPage("Ann, Bob, Cid, Dee, Eve") { page in
        try await page.tab.keys("Home", "m", "ArrowDown")
        try await page.hear("Row 2 of 5")
        try page.edit { list in try list.move([list.customer(named: "Eve").id], to: .first) }
        try await page.hear("Moved \"Eve\"")
        try await page.tab.keys("Enter")
        try await page.expect(["Eve", "Bob", "Ann", "Cid", "Dee"])
        try await page.tab.keys("m", "ArrowDown")
        try await page.hear("Row 4 of 5")
        try page.edit { list in try list.move([list.customer(named: "Ann").id], to: .first) }
        try await page.hear("Moved \"Ann\"")
        try await page.tab.keys("Enter")
        try await page.hear("Nothing was changed")
        try await page.expect(["Ann", "Eve", "Bob", "Cid", "Dee"])
      }
    }
  }
}
