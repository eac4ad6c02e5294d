internal import CustomerFixtures
internal import CustomerStore
internal import CustomersBrowser
internal import Testing

extension PageTests {
  /// One action shows the Delete button, another one deletes, and anything else cancels.
  @Suite struct DeletingTests {
    private let asked = "document.querySelectorAll('.delete').length === 1"
    private let notAsked = "document.querySelectorAll('.delete').length === 0"

    @Test
    func `a swipe shows Delete, another touch cancels and does only that, the button deletes, Undo restores`()
      async throws
    {
      try await withPage("Ann, Bob, Cid", .phone) { page in
        try await page.freezeTimers(of: 400)
        try await page.tab.swipe(page.row("Bob", ".name"), x: -120)
        try await page.tab.wait(until: asked)
        try await page.hear("Delete \"Bob\"? Tap Delete;")
        #expect(try page.stored() == [["Ann", "Bob", "Cid"]])
        try await page.tab.tap(page.row("Ann", ".name"))
        try await page.tab.wait(until: notAsked)
        #expect(try await page.isOpen("form") == false)
        try await page.tab.swipe(page.row("Bob", ".name"), x: -120)
        try await page.tab.tap(page.row("Bob", ".delete button"))
        try await page.expect(["Ann", "Cid"])
        try await page.tab.tap(page.id("act"))
        try await page.expect(["Ann", "Bob", "Cid"])
        #expect(
          try await page.tab.value("document.body.classList.contains('editing')", as: Bool.self) == false)
      }
    }

    @Test func `a key that is held deletes no row`() async throws {
      try await withPage("Ann, Bob, Cid") { page in
        try await page.tab.keys("Home", "Delete")
        try await page.tab.wait(until: asked)
        for key in ["Delete", "Enter", "y"] {
          try await page.tab.run(
            """
            document.getElementById('list').dispatchEvent(
              new KeyboardEvent('keydown', {key: '\(key)', repeat: true, bubbles: true, cancelable: true}))
            """)
        }
        #expect(try await page.tab.value(asked, as: Bool.self))
        try await page.settle()
        #expect(try page.stored() == [["Ann", "Bob", "Cid"]])
        try await page.tab.keys("Delete")
        try await page.expect(["Bob", "Cid"])
      }
    }

    /// Presses keys in the list, before anything else can happen.
    private func press(_ page: TestPage, _ keys: String...) async throws {
      try await page.tab.run(
        """
        \(keys).forEach((key) => document.activeElement.dispatchEvent(
          new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true})))
        """)
    }

    @Test func `what is typed while a form is on its way does nothing to the list`() async throws {
      try await withPage("Ann, Bob, Cid") { page in
        try await page.tab.keys("Home")
        try await page.tab.run(
          "self.fetch = ((fetch) => async (...call) => { await self.answered; return fetch(...call) })(self.fetch)"
        )
        try await page.tab.run("self.answered = new Promise((answer) => self.answer = answer)")
        try await press(page, "Enter", "d", "x", "/", "f", "Delete", "Delete")
        try await page.tab.run("self.answer()")
        try await page.tab.wait(until: "document.getElementById('form').open")
        #expect(try await page.tab.value("document.getElementById('search').hidden", as: Bool.self))
        #expect(try await page.tab.value(asked, as: Bool.self) == false)
        try await page.settle()
        #expect(try page.stored() == [["Ann", "Bob", "Cid"]])
        #expect(try await page.tab.value("!document.querySelector('.cut')", as: Bool.self))
      }
    }

    @Test func `a form that opens takes the question away`() async throws {
      try await withPage("Ann, Bob, Cid") { page in
        try await page.tab.keys("Home", "Delete")
        try await page.tab.wait(until: asked)
        try await page.tab.run("location.hash = '/customer/\(try page.ids()[1])'")
        try await page.tab.wait(until: "document.getElementById('form').open")
        #expect(try await page.tab.value(asked, as: Bool.self) == false)
      }
    }

    @Test func `Delete pressed once more asks nothing about a row that is going`() async throws {
      try await withPage("Ann, Bob, Cid") { page in
        try await page.tab.keys("Home", "Delete")
        try await page.tab.wait(until: asked)
        try await press(page, "Delete", "Delete", "Delete")
        try await page.hear("Deleted \"Ann\"")
        try await page.expect(["Bob", "Cid"])
        #expect(
          try await page.tab.value("document.querySelector('footer p').textContent", as: String.self)
            .contains("Deleted"))
      }
    }

    @Test func `the second click of two on a menu or a dialog is not for the row below it`() async throws {
      try await withPage("Ann, Bob, Cid, Dee, Eve, Fay, Gus, Hal, Ida") { page in
        let item =
          "[...document.querySelectorAll('#menu button')].find((e) => e.textContent.startsWith('Insert below'))"
        try await page.tab.rightClick(page.row("Ann", ".name"))
        try await page.tab.wait(until: "!!\(item)")
        try await page.tab.doubleClick(item)
        try await page.tab.wait(until: "document.getElementById('title').textContent === 'New customer'")
        #expect(try await page.tab.value("document.querySelectorAll('.row input').length", as: Int.self) == 0)
        // Two clicks one after the other, as a finger taps.
        try await page.tab.keys("Escape")
        try await page.tab.wait(until: "!document.getElementById('form').open")
        try await page.tab.rightClick(page.row("Ann", ".name"))
        try await page.tab.wait(until: "!!\(item)")
        let point = try await page.tab.value(
          "(({x, y, width, height}) => [x + width / 2, y + height / 2])(\(item).getBoundingClientRect())",
          as: [Double].self)
        try await page.tab.run(
          """
          [1, 2].forEach(() => document.elementFromPoint(\(point[0]), \(point[1])).dispatchEvent(new MouseEvent(
            'click', {clientX: \(point[0]), clientY: \(point[1]), bubbles: true, cancelable: true})))
          """)
        try await page.tab.wait(until: "document.getElementById('form').open")
        try await page.settle()
        #expect(
          try await page.tab.value("document.getElementById('title').textContent", as: String.self)
            == "New customer")
      }
    }

    @Test func `the second click of two presses no button that the first one has brought`() async throws {
      try await withPage("Ann, Bob, Cid") { page in
        try await page.tab.keys("Home", "Alt+ArrowDown")
        try await page.expect(["Bob", "Ann", "Cid"])
        try await page.tab.keys("Alt+ArrowDown")
        try await page.expect(["Bob", "Cid", "Ann"])
        try await page.hear("Moved \"Ann\" 2 → 3.")
        try await page.tab.doubleClick(page.id("act"))
        try await page.expect(["Bob", "Ann", "Cid"])
        try await page.settle()
        #expect(try page.stored() == [["Bob", "Ann", "Cid"]])
      }
    }

    @Test func `Undo beside an edit is about that edit, whatever came after it`() async throws {
      try await withPage("Ann, Bob, Cid") { page in
        try await page.tab.keys("Home", "f")
        try await page.hear("\"Ann\"")
        try await page.tab.run("self.undo = document.getElementById('act').onclick")
        try await page.tab.keys("End", "f")
        try await page.hear("\"Cid\"")
        try await page.tab.run("undo({})")
        try await page.tab.wait(until: "!\(page.row("Ann")).querySelector('[aria-label=favorite]')")
        let favorites = try await page.list.store.read { list in
          try ["Ann", "Bob", "Cid"].filter { try list.customer(named: $0).fields.isFavorite }
        }
        #expect(favorites == ["Cid"])
      }
    }

    @Test func `the minus of edit mode shows Delete, the same minus takes it away, edit mode stays`()
      async throws
    {
      try await withPage("Ann, Bob, Cid") { page in
        try await page.tab.click(page.id("edit"))
        try await page.tab.click(page.row("Bob", ".minus button"))
        try await page.tab.wait(until: asked)
        #expect(
          try await page.tab.value("\(page.row("Bob", ".delete")).textContent", as: String.self) == "Delete")
        let dimmed =
          "getComputedStyle(\(page.row("Ann"))).opacity < 0.5 && getComputedStyle(\(page.row("Bob"))).opacity"
        #expect(try await page.tab.value(dimmed, as: String.self) == "1")
        try await page.tab.click(page.row("Bob", ".minus button"))
        try await page.tab.wait(until: notAsked)
        try await page.tab.click(page.row("Ann", ".minus button"))
        try await page.tab.wait(until: asked)
        try await page.tab.click(page.row("Cid", ".minus button"))
        try await page.tab.wait(until: notAsked)
        #expect(try page.stored() == [["Ann", "Bob", "Cid"]])
        try await page.tab.click(page.row("Cid", ".minus button"))
        try await page.tab.click(page.row("Cid", ".delete button"))
        try await page.expect(["Ann", "Bob"])
        #expect(try await page.tab.value("document.body.classList.contains('editing')", as: Bool.self))
        #expect(try await page.focus() == "list")
      }
    }

    @Test func `the Delete key asks and deletes, Escape and any other key cancel, focus stays in the list`()
      async throws
    {
      try await withPage("Ann, Bob, Cid") { page in
        for key in ["Escape", "ArrowDown", "x"] {
          try await page.tab.keys("Home", "Delete")
          try await page.tab.wait(until: asked)
          #expect(try await page.focus() == "list")
          try await page.tab.keys(key)
          try await page.tab.wait(until: notAsked)
          #expect(try await page.focus() == "list")
        }
        try await page.tab.keys("Home", "Delete", "Delete", "Delete")
        try await page.expect(["Bob", "Cid"])
        try await page.tab.keys("Escape", "Escape")
        try await page.tab.keys("Control+z")
        try await page.expect(["Ann", "Bob", "Cid"])
        try await page.tab.keys("Control+Shift+z")
        try await page.expect(["Bob", "Cid"])
      }
    }

    @Test func `the question goes on when others edit, and names what they did to its rows`() async throws {
      try await withPage("Ann, Bob, Cid, Dee") { page in
        try await page.tab.keys("Home", "Space", "Space", "ArrowUp", "Delete")
        try await page.hear("Delete 2 customers? Press Enter, Delete, or y; anything else cancels.")
        func change(_ name: String) throws {
          try page.edit { list in try list.update(list.customer(named: name).id) { $0.note = name } }
        }
        try change("Dee")
        try await page.hear("note. Delete 2 customers? Press Enter, Delete, or y; anything else cancels.")
        try change("Bob")
        try await page.hear(
          "note. Delete 2 customers nevertheless? Press Enter, Delete, or y; anything else cancels.")
        try await page.tab.keys("Delete")
        try await page.expect(["Cid", "Dee"])
      }
    }

    @Test func `the row of the question, and the cursor after it, are seen`() async throws {
      try await withPage(.generated(300)) { page in
        let isSeen = { (selector: String) in
          """
          (([e]) => e && e.getBoundingClientRect().top > 0 && e.getBoundingClientRect().bottom < innerHeight)(
            document.querySelectorAll('\(selector)'))
          """
        }
        try await page.tab.keys("Home", "v")
        try await page.tab.keys("End", "PageUp")
        try await page.tab.wait(
          until: "(n => n > 200 && n < 300)(parseInt(document.querySelector('#marks span').textContent))")
        try await page.tab.keys("v")
        try await page.tab.run("document.getElementById('list').scrollTop = 0")
        try await page.tab.wait(until: "!(\(isSeen(".cursor")))")
        try await page.tab.keys("d")
        try await page.tab.wait(until: isSeen(".asked .delete"))
        try await page.tab.keys("Enter")
        try await page.tab.wait(until: "document.getElementById('list').ariaRowCount < 100")
        try await page.tab.wait(until: isSeen(".cursor"))
      }
    }

    @Test func `what an undo brings back is shown and lit up, wherever it is`() async throws {
      let names = (1...300).map { "N\($0)" }.joined(separator: ", ")
      try await withPage(.init(names)) { page in
        try await page.tab.keys("Home", "Delete", "Delete")
        try await page.hear("Deleted \"N1\"")
        try await page.tab.keys("End")
        try await page.tab.wait(until: page.row("N300"))
        // The row is lit up until then.
        try await page.freezeTimers(of: 1000)
        try await page.tab.keys("Control+z")
        try await page.tab.wait(until: "\(page.row("N1"))?.matches('.flash.cursor')")
        #expect(
          try await page.tab.value("\(page.row("N1")).getBoundingClientRect().top > 0", as: Bool.self))
        #expect(try await page.focus() == "list")
      }
    }

    @Test func `focus goes to the list when the button that had it has nothing more to do`() async throws {
      try await withPage("Ann, Bob, Cid") { page in
        try await page.tab.keys("Home", "Delete", "Delete")
        try await page.expect(["Bob", "Cid"])
        try await page.tab.click(page.id("act"))
        try await page.expect(["Ann", "Bob", "Cid"])
        try await page.tab.wait(until: "document.activeElement.id === 'list'")
        try await page.tab.click(page.id("redo"))
        try await page.expect(["Bob", "Cid"])
        try await page.tab.wait(until: "\(page.id("redo")).disabled && document.activeElement.id === 'list'")
      }
    }

    @Test func `a swipe on a protected row says why nothing comes`() async throws {
      try await withPage(
        "Ann, Bob", .phone, prepare: { try $0.protect($0.customer(named: "Bob").id, canEdit: false) }
      ) { page in
        try await page.freezeTimers(of: 400)
        try await page.tab.swipe(page.row("Bob", ".name"), x: -120)
        try await page.hear("\"Bob\" is protected.")
      }
    }

    @Test func `of many rows, those that are protected stay, and the others are offered`() async throws {
      try await withPage(
        "Ann, Bob, Cid, Dee, Eve",
        prepare: { list in
          for name in ["Bob", "Dee"] { try list.protect(list.customer(named: name).id, canEdit: false) }
        }
      ) { page in
        try await page.tab.keys("Home", "v", "j", "j", "v", "Delete", "Delete")
        try await page.tab.wait(
          until: "\(page.id("asked")).textContent === '\"Bob\" is protected. Delete the other 2 customers?'")
        try await page.tab.click(page.id("no"))
        try await page.tab.wait(until: "!\(page.id("ask")).open")
        #expect(try page.stored() == [["Ann", "Bob", "Cid", "Dee", "Eve"]])
        try await page.tab.keys("Control+a")
        try await page.tab.wait(until: "document.querySelector('#marks span').textContent === '5 marked'")
        try await page.tab.click(page.id("removeMarked"))
        try await page.tab.wait(until: "\(page.id("asked")).textContent === 'Delete 5 customers?'")
        try await page.tab.click(page.id("yes"))
        try await page.tab.wait(
          until:
            "\(page.id("asked")).textContent === '2 customers are protected. Delete the other 3 customers?'")
        try await page.tab.click(page.id("yes"))
        try await page.expect(["Bob", "Dee"])
        try await page.tab.keys("Control+z")
        try await page.expect(["Ann", "Bob", "Cid", "Dee", "Eve"])
      }
    }

    @Test func `Edit closes a half-swiped row and begins edit mode`() async throws {
      try await withPage("Ann, Bob", .phone) { page in
        try await page.freezeTimers(of: 400)
        try await page.tab.swipe(page.row("Bob", ".name"), x: -120)
        try await page.tab.wait(until: asked)
        try await page.tab.tap(page.id("edit"))
        try await page.tab.wait(until: "document.querySelector('.add') && \(notAsked)")
        try await page.tab.tap(page.id("edit"))
        try await page.tab.wait(until: "!document.querySelector('.add')")
        #expect(try page.stored() == [["Ann", "Bob"]])
      }
    }

    @Test func `several are deleted with one question`() async throws {
      try await withPage("Ann, Bob, Cid, Dee") { page in
        try await page.tab.click(page.id("edit"))
        try await page.tab.click(page.row("Ann", ".name"))
        try await page.tab.click(page.row("Cid", ".name"))
        let red = "getComputedStyle(document.getElementById('trouble')).color"
        #expect(
          try await page.tab.value(
            "getComputedStyle(\(page.id("removeMarked"))).color === \(red)", as: Bool.self))
        try await page.tab.click(page.id("removeMarked"))
        try await page.tab.click(page.id("no"))
        #expect(try page.stored().first?.count == 4)
        try await page.tab.click(page.id("removeMarked"))
        try await page.tab.click(page.id("yes"))
        try await page.expect(["Bob", "Dee"])
      }
    }

    @Test func `the row that is deleted is the one that was asked about, wherever it is then`() async throws {
      try await withPage("Ann, Bob, Bob, Cid") { page in
        try await page.tab.keys("Home", "ArrowDown", "ArrowDown", "Delete")
        try await page.tab.wait(until: asked)
        try page.edit { try $0.move([$0.customer(named: "Cid").id], to: .first) }
        try await page.hear("Cid")
        try await page.tab.keys("Delete")
        try await page.expect(["Cid", "Ann", "Bob"])
        #expect(try page.ids() == [4, 1, 2])
      }
    }

    @Test func `another program's step is undone only after a question that names it`() async throws {
      try await withPage("Ann, Bob") { page in
        try page.edit { try $0.move([$0.customer(named: "Bob").id], to: .first) }
        try await page.expect(["Bob", "Ann"])
        try await page.tab.click(page.id("undo"))
        try await page.tab.wait(until: "document.getElementById('ask').open")
        #expect(
          try await page.tab.value(
            "document.getElementById('asked').textContent.includes('Bob')", as: Bool.self))
        try await page.tab.click(page.id("no"))
        try await page.hear("Nothing was changed")
        #expect(try page.stored() == [["Bob", "Ann"]])
        try await page.tab.click(page.id("undo"))
        try await page.tab.click(page.id("yes"))
        try await page.expect(["Ann", "Bob"])
      }
    }
  }
}
