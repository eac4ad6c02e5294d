internal import CustomerFixtures
internal import CustomerStore
internal import CustomersBrowser
internal import CustomersTestSupport
internal import Testing

extension PageTests {
  /// Fields that are edited in their cells.
  @Suite struct CellTests {
    private static let prepare: @Sendable (inout CustomerList) throws -> Void = { list in
      try list.update(list.customer(named: "Ann Lee").id) { ($0.company, $0.phone) = ("Acme", "111") }
      try list.update(list.customer(named: "Bob").id) { $0.company = "Zeta" }
    }

    private let field = "document.querySelector('#rows .field')"

    private func withCells(
      _ sample: SampleList = "Ann Lee, Bob, Cid",
      prepare: @escaping @Sendable (inout CustomerList) throws -> Void = { _ in },
      _ body: (TestPage) async throws -> Void
    ) async throws {
      try await withPage(
        sample,
        prepare: {
          try Self.prepare(&$0)
          try prepare(&$0)
        }
      ) { page in
        try await page.tab.wait(until: page.row("Ann Lee", ".phone"))
        // On a busy machine the second click comes late: the page waits for it as long as it takes.
        try await page.tab.run(
          "(wait => setTimeout = (then, time, ...rest) => wait(then, time === 300 ? 60000 : time, ...rest))(setTimeout)"
        )
        try await body(page)
      }
    }

    private func waitForFocus(_ page: TestPage, _ name: String) async throws {
      try await page.tab.wait(until: "document.activeElement.name === '\(name)'")
    }

    /// Waits for the focus on the field of a customer, which its label names.
    private func waitForFocus(_ page: TestPage, label: String) async throws {
      try await page.tab.wait(until: "document.activeElement.labels?.[0]?.textContent === '\(label)'")
    }

    private func ann(_ page: TestPage, _ name: String = "Ann Lee") throws -> [String] {
      try page.list.store.read { list in
        let fields = try list.customer(named: name).fields
        return [fields.company, fields.phone]
      }
    }

    private func steps(_ page: TestPage) throws -> Int {
      try page.list.store.read { try $0.history(limit: 100).count }
    }

    private func paste(_ page: TestPage, _ text: String) async throws -> Bool {
      try await page.tab.value(
        """
        (() => { const event = new Event('paste', {bubbles: true, cancelable: true})
          Object.defineProperty(event, 'clipboardData', {value: {getData: (type) => type === 'text/plain' ? \(text) : ''}})
          document.activeElement.dispatchEvent(event)
          return event.defaultPrevented })()
        """)
    }

    @Test
    func `what is typed into a cell that can't be read goes over no value that others have written since`()
      async throws
    {
      try await withCells { page in
        try await page.tab.keys("Home")
        try await page.tab.run(
          """
          (real => self.fetch = async (path, ...more) => {
            if (path.startsWith('/v1/form') && !self.isBack) self.isAsked = true, await Promise.reject(new TypeError('off'))
            return real(path, ...more)
          })(self.fetch)
          """)
        try await page.tab.keys("F2", "Z", "Enter")
        try await page.tab.wait(until: "self.isAsked")
        try page.edit { list in try list.update(list.customer(named: "Ann Lee").id) { $0.firstName = "Anna" }
        }
        try await page.tab.run("self.isBack = true")
        try await page.hear("left out")
        try await page.tab.wait(until: "document.activeElement.value === 'Anna'")
        try await page.settle()
        #expect(try page.stored() == [["Anna Lee", "Bob", "Cid"]])
      }
    }

    @Test func `cells go over the cells to the right and below, after a preview, as one step`() async throws {
      try await withCells("Ann Lee, Bob, Cid, Dee") { page in
        let before = try steps(page), end = "'\\t333\\nNeo\\t444\\nAcme\\t\\n'"
        for answer in ["no", "yes"] {
          try await page.tab.doubleClick(page.row("Ann Lee", ".company"))
          try await waitForFocus(page, "company")
          #expect(try await paste(page, "'Acme' + \(end)"))
          try await page.tab.wait(until: "document.getElementById('ask').open")
          let cells = try await page.tab.value(
            "[...document.querySelectorAll('.sheet tr')].map((e) => [...e.children].map((e) => e.textContent).join('|'))",
            as: [String].self)
          #expect(cells == ["Company|Phone", "Acme|111 333", "Zeta Neo| 444", " Acme|"])
          #expect(
            try await page.tab.value("document.getElementById('asked').textContent", as: String.self)
              == "Overwrite 4 cells?")
          #expect(try steps(page) == before)
          try await page.tab.click(page.id(answer))
          try await page.tab.wait(until: "!document.querySelector('#ask').open")
        }
        try await page.tab.wait(until: "\(page.row("Cid", ".company")).textContent === 'Acme'")
        #expect(try ann(page) == ["Acme", "333"] && ann(page, "Bob") == ["Neo", "444"])
        #expect(try ann(page, "Cid") == ["Acme", ""] && ann(page, "Dee") == ["", ""])
        #expect(try steps(page) == before + 1)
        try await page.tab.click(page.id("undo"))
        try await page.tab.wait(until: "\(page.row("Bob", ".company")).textContent === 'Zeta'")
        #expect(try ann(page) == ["Acme", "111"])
      }
    }

    @Test func `one value is text of the field, and cells that have no place are refused`() async throws {
      try await withCells("Ann Lee, Bob, Cid") { page in
        try await page.tab.doubleClick(page.row("Cid", ".phone"))
        try await waitForFocus(page, "phone")
        #expect(try await paste(page, "'1'") == false)
        #expect(try await paste(page, "'1\\t2'"))
        try await page.hear("2 columns were copied")
        try await page.tab.doubleClick(page.row("Cid", ".phone"))
        try await waitForFocus(page, "phone")
        #expect(try await paste(page, "'1\\n2\\n3'"))
        try await page.tab.wait(
          until: "document.getElementById('asked').textContent.includes('The last 2 rows are left out.')")
        // Others change the cell while it asks.
        try page.edit { list in try list.update(list.customer(named: "Cid").id) { $0.phone = "9" } }
        try await page.tab.click(page.id("yes"))
        try await page.hear("Copy and paste again.")
        #expect(try ann(page, "Cid") == ["", "9"])
      }
    }

    @Test func `a double click edits a cell, Enter saves it as one step, and opens no form`() async throws {
      try await withCells { page in
        let before = try steps(page)
        try await page.tab.doubleClick(page.row("Ann Lee", ".phone"))
        try await waitForFocus(page, "phone")
        #expect(
          try await page.tab.value("document.querySelector('#rows label').textContent", as: String.self)
            == "Phone of \"Ann Lee\"")
        try await page.tab.type("222")
        try await page.tab.keys("Enter")
        try await page.tab.wait(until: "!\(field) && \(page.row("Ann Lee", ".phone")).textContent === '222'")
        #expect(try ann(page) == ["Acme", "222"])
        #expect(try steps(page) == before + 1)
        #expect(try await page.focus() == "list")
        #expect(try await page.isOpen("form") == false)
      }
    }

    @Test func `Tab saves and goes on, Shift+Tab goes back, and each field is a step of its own`()
      async throws
    {
      try await withCells { page in
        let before = try steps(page)
        try await page.tab.keys("Home", "F2")
        try await waitForFocus(page, "first_name")
        try await page.tab.type("Anna")
        try await page.tab.keys("Tab")
        try await waitForFocus(page, "last_name")
        try await page.tab.keys("Tab")
        try await waitForFocus(page, "company")
        try await page.tab.type("Best")
        try await page.tab.keys("Shift+Tab")
        try await waitForFocus(page, "last_name")
        try await page.tab.keys("Tab", "Tab")
        try await waitForFocus(page, "phone")
        try await page.tab.keys("Enter")
        try await page.tab.wait(until: "!\(field) && document.activeElement.id === 'list'")
        try await page.settle()
        #expect(try ann(page, "Anna Lee") == ["Best", "111"])
        #expect(try steps(page) == before + 2)
        // The next row begins with the field that was edited last.
        try await page.tab.keys("ArrowDown", "F2")
        try await waitForFocus(page, "phone")
      }
    }

    @Test func `Tab goes on in the next row that can be edited, and after the last one saves and stays`()
      async throws
    {
      try await withCells(
        prepare: { try $0.protect($0.customer(named: "Bob").id, canEdit: false, canMove: false) }
      ) { page in
        try await page.tab.doubleClick(page.row("Ann Lee", ".phone"))
        try await waitForFocus(page, "phone")
        try await page.tab.type("222")
        // What is typed at once is for the next row.
        try await page.tab.keys("Tab", "d", "x")
        try await waitForFocus(page, label: "First name of \"Cid\"")
        try await page.tab.wait(until: "document.activeElement.value === 'dx'")
        #expect(
          try await page.tab.value("document.querySelector('.cursor b').textContent", as: String.self)
            == "Cid")
        try await page.tab.keys("Shift+Tab")
        try await waitForFocus(page, label: "Phone of \"Ann Lee\"")
        #expect(try page.stored() == [["Ann Lee", "Bob", "dx"]] && ann(page) == ["Acme", "222"])
        try await page.tab.keys("Tab")
        try await waitForFocus(page, label: "First name of \"dx\"")
        try await page.tab.keys("Tab", "Tab", "Tab")
        try await waitForFocus(page, label: "Phone of \"dx\"")
        try await page.tab.type("333")
        try await page.tab.keys("Tab")
        try await page.tab.wait(until: "document.getElementById('news').textContent.includes('phone')")
        try await page.settle()
        #expect(try ann(page, "dx") == ["", "333"])
        try await page.tab.keys("Tab", "d", "Delete", "d")
        try await page.tab.wait(until: "document.activeElement.value.endsWith('dd')")
        try await page.tab.keys("Enter")
        try await page.tab.wait(until: "!\(field)")
        #expect(try page.stored() == [["Ann Lee", "Bob", "dx"]])
      }
    }

    @Test func `keys that are pressed while a row is saved are for the next row, each in its field`()
      async throws
    {
      try await withCells { page in
        try await page.tab.doubleClick(page.row("Ann Lee", ".phone"))
        try await waitForFocus(page, "phone")
        try await page.tab.type("222")
        let other = try LockingClient(page.list.path)
        try await page.tab.keys("Tab", "B", "o", "p", "Tab", "L", "e", "e", "Tab", "N", "o", "x", "Backspace")
        try await page.tab.wait(
          until: "document.getElementById('trouble').textContent.startsWith('Waiting: ')")
        try other.end()
        try await waitForFocus(page, "company")
        try await page.tab.wait(until: "document.activeElement.value === 'No'")
        try await page.tab.keys("Enter")
        try await page.expect(["Ann Lee", "Bop Lee", "Cid"])
        try await page.settle()
        #expect(try ann(page) == ["Acme", "222"] && ann(page, "Bop Lee") == ["No", ""])
      }
    }

    @Test func `a name is edited in two fields that say what they are, as one step`() async throws {
      try await withCells { page in
        let before = try steps(page)
        try await page.tab.doubleClick(page.row("Ann Lee", ".name"))
        try await waitForFocus(page, "first_name")
        #expect(
          try await page.tab.value(
            "[...document.querySelectorAll('#rows .field')].map((e) => getComputedStyle(e, '::before').content !== 'none' && `${e.dataset.label}: ${e.querySelector('input').value}`)",
            as: [String].self) == ["First name: Ann", "Last name: Lee"])
        try await page.tab.type("Ada")
        try await page.tab.keys("Tab")
        try await waitForFocus(page, "last_name")
        try await page.tab.type("Lovelace")
        try await page.tab.keys("Enter")
        try await page.tab.wait(until: "!\(field) && \(page.row("Ada Lovelace"))")
        #expect(try page.stored() == [["Ada Lovelace", "Bob", "Cid"]])
        #expect(try steps(page) == before + 1)
        // What is left undone is so in both.
        try await page.tab.keys("F2")
        try await waitForFocus(page, "last_name")
        try await page.tab.type("Byron")
        try await page.tab.keys("Escape")
        try await page.tab.wait(until: "!\(field)")
        #expect(try page.stored() == [["Ada Lovelace", "Bob", "Cid"]])
      }
    }

    @Test func `Esc restores, and a click elsewhere saves and does only that`() async throws {
      try await withCells { page in
        try await page.tab.doubleClick(page.row("Ann Lee", ".company"))
        try await waitForFocus(page, "company")
        try await page.tab.type("Best")
        try await page.tab.keys("Escape")
        try await page.tab.wait(until: "!\(field)")
        #expect(try await page.focus() == "list")
        try await page.tab.doubleClick(page.row("Ann Lee", ".phone"))
        try await waitForFocus(page, "phone")
        try await page.tab.type("333")
        try await page.tab.click(page.row("Cid", ".name"))
        try await page.tab.wait(until: "!\(field) && \(page.row("Cid")).matches('.cursor')")
        try await page.settle()
        #expect(try ann(page) == ["Acme", "333"])
        #expect(try await page.isOpen("form") == false)
      }
    }

    @Test func `keys of an input method and Ctrl+Z are those of the field`() async throws {
      try await withCells { page in
        try await page.tab.doubleClick(page.row("Ann Lee", ".phone"))
        try await waitForFocus(page, "phone")
        let before = try steps(page)
        try await page.tab.run(
          """
          ['Enter', 'Escape', 'Tab'].forEach((key) => document.activeElement.dispatchEvent(
            new KeyboardEvent('keydown', {key, isComposing: true, bubbles: true, cancelable: true})))
          """)
        let isLeft = """
          document.activeElement.dispatchEvent(
            new KeyboardEvent('keydown', {key: 'z', ctrlKey: true, bubbles: true, cancelable: true}))
          """
        #expect(try await page.tab.value(isLeft, as: Bool.self))
        try await page.tab.keys("j", "x")
        try await page.settle()
        #expect(try await page.tab.value("document.activeElement.name", as: String.self) == "phone")
        #expect(try await page.tab.value("document.activeElement.value", as: String.self).contains("jx"))
        #expect(try steps(page) == before)
      }
    }

    @Test func `what others change is shown beside what was typed`() async throws {
      try await withCells { page in
        try await page.tab.doubleClick(page.row("Ann Lee", ".phone"))
        try await waitForFocus(page, "phone")
        try await page.tab.type("mine")
        try page.edit { list in
          try list.update(list.customer(named: "Ann Lee").id) { ($0.company, $0.phone) = ("Best", "theirs") }
        }
        let problem = "document.querySelector('#rows .bad').textContent.includes('theirs')"
        try await page.tab.wait(until: "\(problem) && document.activeElement.ariaInvalid === 'true'")
        #expect(
          try await page.tab.value(
            "document.getElementById(document.activeElement.getAttribute('aria-describedby')).matches('.bad')",
            as: Bool.self))
        try await page.tab.keys("Enter")
        try await page.hear("Not saved")
        #expect(try ann(page) == ["Best", "theirs"])
        try await page.tab.wait(until: "document.activeElement.name === 'phone' && \(problem)")
        // A click elsewhere may have been on its way, and is no second word.
        for _ in 0..<2 {
          try await page.tab.click(page.row("Bob", ".name"))
          try await page.tab.doubleClick(page.row("Bob", ".company"))
          try await page.settle()
          #expect(try ann(page) == ["Best", "theirs"])
          try await page.tab.wait(until: "document.activeElement.name === 'phone' && \(problem)")
        }
        try await page.tab.keys("Enter")
        try await page.tab.wait(until: "!\(field)")
        #expect(try ann(page) == ["Best", "mine"])
      }
    }

    @Test func `a customer that others delete is added again by the form, with what was typed`()
      async throws
    {
      try await withCells { page in
        try await page.tab.doubleClick(page.row("Ann Lee", ".phone"))
        try await waitForFocus(page, "phone")
        try await page.tab.type("mine")
        try page.edit { try $0.delete($0.customer(named: "Ann Lee").id) }
        try await page.tab.wait(
          until: "document.getElementById('form').open && document.getElementById('message').textContent")
        // What is typed goes on where it was.
        try await page.tab.type("Two")
        try await page.tab.click(page.id("save"))
        try await page.expect(["Bob", "Cid", "Ann Lee"])
        #expect(try ann(page) == ["Acme", "mineTwo"])
      }
    }

    @Test func `a field keeps the focus while others move its row, and what is wrong stays in it`()
      async throws
    {
      let prepare: @Sendable (inout CustomerList) throws -> Void = { list in
        try list.declareColumn("Due", kind: .date)
        try list.update(list.customer(named: "Bob").id) {
          $0.extraColumns.set([("Due", .text("2026-01-02"))])
        }
        try list.declareColumn("Size", kind: .number)
        try list.update(list.customer(named: "Bob").id) { $0.extraColumns.set([("Size", .text("7"))]) }
      }
      try await withCells(prepare: prepare) { page in
        try await page.tab.keys("c")
        for title in ["Due", "Size"] {
          try await page.tab.click(
            "[...document.querySelectorAll('#answer p')].find((e) => e.textContent.startsWith('\(title)')).querySelector('input')"
          )
        }
        try await page.tab.click(page.id("yes"))
        let cell = { (name: String, column: Int) in
          "\(page.row(name)).querySelectorAll('.column')[\(column)]"
        }
        try await page.tab.wait(until: "\(cell("Bob", 2))?.textContent.includes('2026')")
        try await page.tab.doubleClick(cell("Bob", 2))
        try await waitForFocus(page, "extra.Due")
        #expect(try await page.tab.value("document.activeElement.type", as: String.self) == "date")
        try await page.tab.keys("Tab")
        try await waitForFocus(page, "extra.Size")
        #expect(try await page.tab.value("document.activeElement.inputMode", as: String.self) == "decimal")
        try page.edit { try $0.move([$0.customer(named: "Ann Lee").id], to: .last) }
        try await page.tab.wait(until: "\(page.row("Ann Lee")).row === 2")
        try await waitForFocus(page, "extra.Size")
        try await page.tab.keys("Escape")
        // No one is without a name.
        try await page.tab.doubleClick(page.row("Cid", ".name"))
        try await waitForFocus(page, "first_name")
        try await page.tab.keys("Delete", "Enter")
        try await page.tab.wait(
          until: "document.activeElement.ariaInvalid === 'true' && document.activeElement.value === ''")
        try await page.tab.keys("Escape")
        try await page.tab.wait(until: "!\(field)")
        #expect(try page.stored() == [["Bob", "Cid", "Ann Lee"]])
      }
    }

    @Test func `a protected row is not edited in its cells, and a narrow page opens the form`() async throws {
      try await withCells(
        prepare: { try $0.protect($0.customer(named: "Bob").id, canEdit: false, canMove: false) }
      ) { page in
        try await page.tab.doubleClick(page.row("Bob", ".name"))
        try await page.hear("protected")
        try await page.tab.resize(width: 390, height: 844)
        try await page.tab.keys("Home", "F2")
        try await page.tab.wait(until: "document.getElementById('form').open")
      }
    }

    @Test(arguments: [true, false])
    func `what is typed into a cell is for its column, or kept if that is gone`(isRenamed: Bool) async throws
    {
      // Firefox does not tell of a field that goes while it has the focus.
      guard Tab.tellsOfFingers else { return }
      try await withCells(prepare: { try $0.declareColumn("Room") }) { page in
        try await page.tab.keys("C")
        try await page.tab.wait(until: "document.querySelector('#menu:popover-open')")
        try await page.choose("Show Room")
        let cell = "[data-column=\"extra.Room\"]"
        try await page.tab.wait(until: page.row("Bob", cell))
        try await page.tab.doubleClick(page.row("Bob", cell))
        try await waitForFocus(page, "extra.Room")
        try await page.tab.type("303")
        try page.edit { list in
          _ = try isRenamed ? list.renameColumn("Room", to: "Suite") : list.dropColumn("Room")
        }
        if isRenamed {
          // The columns are drawn again, and the cell is left as by a click elsewhere, which saves it.
          try await page.tab.wait(
            until: "\(page.row("Bob", "[data-column=\"extra.Suite\"]"))?.textContent === '303'")
        } else {
          try await page.tab.wait(
            until: "document.querySelector('#rows .bad').textContent.includes('no longer')")
          try await page.tab.keys("Enter")
          try await page.hear("the list no longer has this column")
          try await page.tab.click(page.id("act"))
          try await page.tab.wait(
            until: "document.querySelector('#fields [name=\"extra.Room\"]')?.value === '303'")
        }
        try await page.settle()
        let columns = try await page.list.store.read {
          try $0.customer(named: "Bob").fields.extraColumns.names
        }
        #expect(columns == (isRenamed ? ["Suite"] : []))
      }
    }

    @Test func `a double click on an empty cell edits it`() async throws {
      try await withCells { page in
        try await page.tab.doubleClick(page.row("Cid", ".phone"))
        try await waitForFocus(page, "phone")
        #expect(try await page.isOpen("form") == false)
      }
    }
  }
}
