internal import CustomerFixtures
internal import CustomerStore
internal import CustomersBrowser
internal import CustomersTestSupport
internal import Testing

extension PageTests {
  /// The form: what was typed is neither lost nor written over what others did.
  @Suite struct FormTests {
    private func field(_ name: String) -> String { "document.querySelector('#fields [name=\(name)]')" }

    private func open(_ page: TestPage, _ name: String) async throws {
      try await page.tab.click(page.row(name, ".name"))
      try await page.tab.wait(until: "document.getElementById('form').open")
    }

    private func phone(_ page: TestPage) throws -> [String] {
      try page.list.store.read { list in
        let fields = try list.customer(named: "Ann").fields
        return [fields.phone, fields.note]
      }
    }

    @Test func `a customer is added, with a message for what is missing`() async throws {
      try await withPage("Ann") { page in
        try await page.tab.click(page.id("edit"))
        try await page.tab.click("document.querySelector('.add')")
        try await page.tab.wait(until: "document.getElementById('form').open")
        #expect(try await page.tab.value("document.activeElement.name", as: String.self) == "first_name")
        #expect(try await page.tab.value("\(field("first_name")).placeholder", as: String.self) != "")
        try await page.tab.click(page.id("save"))
        try await page.tab.wait(until: "document.querySelector('#fields .bad:not(:empty)')")
        #expect(try page.stored() == [["Ann"]])
        try await page.tab.type("Bob")
        try await page.tab.keys("Enter")
        #expect(try await page.tab.value("document.activeElement.name", as: String.self) == "last_name")
        try await page.tab.click(page.id("save"))
        try await page.expect(["Ann", "Bob"])
        try await page.tab.wait(until: "!document.getElementById('form').open")
        #expect(try await page.focus() == "list")
      }
    }

    @Test func `Delete in the form asks, No leaves what was typed, Yes deletes`() async throws {
      try await withPage("Ann, Bob") { page in
        try await open(page, "Ann")
        try await page.tab.type("a")
        try await page.tab.click(page.id("remove"))
        try await page.tab.click(page.id("no"))
        #expect(try await page.tab.value("\(field("first_name")).value", as: String.self) == "Anna")
        #expect(try page.stored() == [["Ann", "Bob"]])
        try await page.tab.click(page.id("remove"))
        try await page.tab.click(page.id("yes"))
        try await page.expect(["Bob"])
        #expect(try await page.isOpen("form") == false)
      }
    }

    @Test func `an empty list has the row that adds, and its form has no Delete button`() async throws {
      try await withPage("") { page in
        try await page.tab.click(page.id("edit"))
        try await page.tab.click("document.querySelector('.add')")
        try await page.tab.wait(until: "document.getElementById('form').open")
        #expect(try await page.tab.value("document.getElementById('remove').hidden", as: Bool.self))
        try await page.tab.type("Ann")
        try await page.tab.keys("Control+s")
        try await page.expect(["Ann"])
      }
    }

    @Test
    func `on a phone the form fills the screen and scrolls to the field with the focus; Return reads Next`()
      async throws
    {
      try await withPage("Ann", .phone) { page in
        try await page.freezeTimers(of: 400)
        try await page.tab.tap(page.row("Ann", ".name"))
        try await page.tab.wait(until: "document.getElementById('form').open")
        #expect(
          try await page.tab.value(
            "document.getElementById('form').offsetWidth === innerWidth && \(field("first_name")).enterKeyHint === 'next'",
            as: Bool.self))
        try await page.tab.resize(width: 390, height: 400)
        try await page.tab.run("\(field("next")).focus()")
        try await page.tab.wait(
          until: "\(field("next")).getBoundingClientRect().bottom <= document.getElementById('remove')"
            + ".getBoundingClientRect().top")
        try await page.tab.keys("Enter")
        #expect(try await page.tab.value("document.activeElement.name", as: String.self) == "first_name")
      }
    }

    @Test func `the same field changed by both is shown with both values, other fields are merged`()
      async throws
    {
      try await withPage("Ann, Bob") { page in
        try await open(page, "Ann")
        try await page.tab.run("\(field("phone")).focus()")
        try await page.tab.type("111")
        try page.edit { list in
          try list.update(list.customer(named: "Ann").id) { ($0.phone, $0.note) = ("222", "theirs") }
        }
        try await page.tab.wait(
          until: "\(field("note")).value === 'theirs' && document.querySelector('#fields .bad button')")
        try await page.tab.click(page.id("save"))
        try await page.tab.wait(
          until: "document.getElementById('message').textContent.startsWith('Not saved')")
        #expect(try phone(page) == ["222", "theirs"])
        try await page.tab.click(page.id("save"))
        try await page.tab.wait(until: "!document.getElementById('form').open")
        #expect(try phone(page) == ["111", "theirs"])
      }
    }

    @Test func `the next change by another program is not written over either before it was shown`()
      async throws
    {
      try await withPage("Ann, Bob") { page in
        func change(_ phone: String) async throws {
          try page.edit { list in try list.update(list.customer(named: "Ann").id) { $0.phone = phone } }
          try await page.tab.wait(
            until: "document.querySelector('#fields .bad:has(button)')?.textContent.includes('\(phone)')")
        }
        try await open(page, "Ann")
        try await page.tab.run("\(field("phone")).focus()")
        try await page.tab.type("111")
        for theirs in ["222", "333"] {
          try await change(theirs)
          try await page.tab.run("document.getElementById('message').textContent = ''")
          try await page.tab.click(page.id("save"))
          try await page.tab.wait(
            until: "!document.getElementById('form').open || "
              + "document.getElementById('message').textContent.startsWith('Not saved')")
          #expect(try phone(page)[0] == theirs)
        }
        try await page.tab.click(page.id("save"))
        try await page.tab.wait(until: "!document.getElementById('form').open")
        #expect(try phone(page)[0] == "111")
      }
    }

    @Test func `what is taken of another program's change is kept with what was typed`() async throws {
      try await withPage("Ann, Bob") { page in
        try await open(page, "Ann")
        for (name, text) in [("note", "mine"), ("phone", "111")] {
          try await page.tab.run("\(field(name)).focus()")
          try await page.tab.type(text)
        }
        try page.edit { list in try list.update(list.customer(named: "Ann").id) { $0.phone = "222" } }
        try await page.tab.click("document.querySelector('#fields .bad button')")
        try await page.tab.wait(until: "\(field("phone")).value === '222'")
        try await page.tab.run("history.back()")
        try await page.tab.wait(until: "!document.getElementById('form').open")
        try await open(page, "Ann")
        let values = "[\(field("phone")).value, \(field("note")).value]"
        #expect(try await page.tab.value(values, as: [String].self) == ["222", "mine"])
        #expect(try await page.tab.value("!document.querySelector('#fields .bad button')", as: Bool.self))
      }
    }

    @Test func `a customer deleted by another program is added again by saving`() async throws {
      try await withPage("Ann, Bob") { page in
        try await open(page, "Ann")
        try page.edit { try $0.delete($0.customer(named: "Ann").id) }
        try await page.tab.wait(until: "document.getElementById('message').textContent.includes('deleted')")
        try await page.tab.click(page.id("save"))
        try await page.expect(["Bob", "Ann"])
      }
    }

    @Test func `a new customer whose neighbor or section goes comes to the end`() async throws {
      try await withPage("One: Ann, Bob | Two: Cid") { page in
        for (row, key, left) in [
          ("Ann", "o", ["Bob", "New1", "Cid"]), ("Cid", "a", ["Bob", "New1", "New2"]),
        ] {
          try await page.tab.keys(row == "Ann" ? "Home" : "End")
          try await page.tab.wait(until: "document.querySelector('.cursor b').textContent === '\(row)'")
          try await page.tab.keys(key)
          try await page.tab.wait(until: "document.getElementById('form').open")
          try await page.tab.type(row == "Ann" ? "New1" : "New2")
          if row == "Ann" {
            try page.edit { try $0.delete($0.customer(named: "Ann").id) }
          } else {
            try page.edit { list in try list.deleteSection(list.sections()[1].id, withCustomers: true) }
          }
          try await page.tab.keys("Control+s")
          try await page.tab.wait(
            until: "document.getElementById('message').textContent.includes('the place is gone')")
          try await page.tab.keys("Control+s")
          try await page.expect(left)
        }
      }
    }

    @Test func `a date that is half typed is not saved, and an old one stays`() async throws {
      try await withPage(
        "Ann",
        prepare: { list in
          try list.setKind(.date, ofColumn: "Due")
          try list.update(list.customer(named: "Ann").id) { $0.extraColumns["Due"] = "2026-12-24" }
        }
      ) { page in
        try await open(page, "Ann")
        let date = "document.querySelector('[name=\"extra.Due\"]')"
        try await page.tab.run("\(date).focus()")
        try await page.tab.keys("Backspace")
        try await page.tab.wait(until: "\(date).validity.badInput")
        try await page.tab.keys("Control+s")
        try await page.tab.wait(until: "document.getElementById('message').textContent.includes('complete')")
        let due = try await page.list.store.read { list in
          try list.customer(named: "Ann").fields.extraColumns["Due"]?.text
        }
        #expect(due == "2026-12-24")
        #expect(try await page.isOpen("form"))
      }
    }

    @Test(arguments: [("", true), ("7", true), ("", false), ("7", false)])
    func `a column that others rename or delete is not made again by a form`(
      value: String, isRenamed: Bool
    ) async throws {
      try await withPage(
        "Ann",
        prepare: { list in
          try list.setKind(.number, ofColumn: "Room")
          try list.update(list.customer(named: "Ann").id) {
            $0.extraColumns["Room"] = value.isEmpty ? nil : .text(value)
          }
        }
      ) { page in
        try await open(page, "Ann")
        try await page.tab.run("document.querySelector('[name=\"extra.Room\"]').focus()")
        try await page.tab.type("303")
        try page.edit { list in
          _ = try isRenamed ? list.renameColumn("Room", to: "Suite") : list.dropColumn("Room")
        }
        if isRenamed {
          try await page.tab.wait(until: "document.querySelector('[name=\"extra.Suite\"]')")
        } else {
          try await page.tab.wait(
            until:
              "[...document.querySelectorAll('#fields .bad')].some((e) => e.textContent.includes('no longer has'))"
          )
        }
        try await page.tab.run("\(field("note")).focus()")
        try await page.tab.type("said")
        try await page.tab.keys("Control+s")
        if !isRenamed { try await keepLost(page, "\(value)303") }
        try await page.tab.wait(until: "!document.getElementById('form').open")
        let fields = try await page.list.store.read { try $0.customer(named: "Ann").fields }
        let columns = ["Room", "Suite"].map { fields.extraColumns[$0]?.text ?? "" }
        #expect(fields.note == "said" && columns == ["", isRenamed ? "\(value)303" : ""])
      }
    }

    /// What was typed into a column that is gone stays until it is cleared, also after a reload.
    private func keepLost(_ page: TestPage, _ value: String) async throws {
      let lost = "document.querySelector('[name=\"extra.Room\"]')"
      let isRefused =
        "document.getElementById('message').textContent.includes('no longer has the column \"Room\"')"
      try await page.tab.wait(until: "\(isRefused) && \(lost).value === '\(value)'")
      try await page.tab.reload()
      try await page.tab.wait(until: "document.getElementById('form')?.open && \(lost)?.value === '\(value)'")
      try await page.tab.keys("Control+s")
      try await page.tab.wait(until: isRefused)
      try await page.tab.run(
        "(e => { e.value = ''; e.dispatchEvent(new Event('input', {bubbles: true})) })(\(lost))")
      try await page.tab.keys("Control+s")
    }

    @Test func `what is typed of a new customer is for the column that others rename since`() async throws {
      try await withPage("Ann", prepare: { try $0.declareColumn("Room") }) { page in
        try await page.tab.keys("a")
        try await page.tab.wait(until: "document.getElementById('form').open")
        try await page.tab.type("Bob")
        try await page.tab.run("document.querySelector('[name=\"extra.Room\"]').focus()")
        try await page.tab.type("303")
        // What is left is followed, too.
        try await page.tab.run("history.back()")
        try await page.tab.wait(until: "!document.getElementById('form').open")
        try page.edit { _ = try $0.renameColumn("Room", to: "Hall") }
        try await page.hear("Renamed")
        try await page.tab.keys("a")
        try await page.tab.wait(until: "document.querySelector('[name=\"extra.Hall\"]')?.value === '303'")
        try page.edit { _ = try $0.renameColumn("Hall", to: "Suite") }
        try await page.tab.wait(until: "document.querySelector('[name=\"extra.Suite\"]')?.value === '303'")
        try await page.tab.keys("Control+s")
        try await page.expect(["Ann", "Bob"])
        let columns = try await page.list.store.read {
          try $0.customer(named: "Bob").fields.extraColumns.names
        }
        #expect(columns == ["Suite"])
      }
    }

    @Test func `a year that is not typed with four digits is not saved`() async throws {
      try await withPage("Ann", prepare: { try $0.setKind(.date, ofColumn: "Due") }) { page in
        try await open(page, "Ann")
        let date = "document.querySelector('[name=\"extra.Due\"]')"
        // What a browser makes of the keys depends on its language.
        func type(_ value: String) async throws {
          try await page.tab.run(
            "(e => { e.focus(); e.value = '\(value)'; e.dispatchEvent(new Event('input', {bubbles: true})) })(\(date))"
          )
        }
        try await type("0026-12-24")
        try await page.tab.keys("Control+s")
        try await page.tab.wait(
          until: "document.getElementById('message').textContent.includes('four digits')")
        try await type("2026-12-24")
        try await page.tab.keys("Control+s")
        try await page.tab.wait(until: "!document.getElementById('form').open")
        let due = try await page.list.store.read { list in
          try list.customer(named: "Ann").fields.extraColumns["Due"]?.text
        }
        #expect(due == "2026-12-24")
      }
    }

    @Test func `Escape while the form is saved closes it and discards nothing`() async throws {
      try await withPage("Ann, Bob") { page in
        try await open(page, "Ann")
        try await page.tab.run("\(field("phone")).focus()")
        try await page.tab.type("444")
        let other = try LockingClient(page.list.path)
        try await page.tab.keys("Control+s")
        try await page.tab.wait(until: "document.getElementById('message').textContent === 'Saving…'")
        try await page.tab.keys("Escape")
        try await page.tab.wait(
          until: "document.getElementById('ask').open || !document.getElementById('form').open")
        try #require(try await page.isOpen("ask") == false)
        try await page.hear("still being saved")
        try other.end()
        try await page.hear("Edited \"Ann\"")
        #expect(try phone(page) == ["444", ""])
        try await page.tab.wait(
          until: "!Object.keys(localStorage).some((key) => key.includes('draft'))")
      }
    }

    @Test func `a form that is opened before the browser has gone back from another one stays open`()
      async throws
    {
      try await withPage("Ann, Bob") { page in
        try await open(page, "Ann")
        try await page.tab.run("history.back = () => {}")
        try await page.tab.keys("Escape")
        try await page.tab.wait(until: "!document.getElementById('form').open")
        try await open(page, "Bob")
        try await page.tab.run("addEventListener('popstate', () => { self.isBack = true }), history.go(-2)")
        try await page.tab.wait(until: "self.isBack")
        #expect(try await page.isOpen("form"))
      }
    }

    @Test func `a new customer is still there after a reload, and still goes to its place`() async throws {
      try await withPage("Ann, Bob") { page in
        try await page.tab.rightClick(page.row("Ann", ".name"))
        try await page.choose("Insert below")
        try await page.tab.wait(until: "document.getElementById('form').open")
        try await page.tab.type("Zoe")
        try await page.tab.reload()
        try await page.tab.wait(
          until: "document.getElementById('form')?.open && \(field("first_name")).value === 'Zoe'")
        try await page.tab.run("document.getElementById('save').click()")
        try await page.expect(["Ann", "Zoe", "Bob"])
      }
    }

    @Test func `Escape asks before it discards, and what was typed is kept over Back and a reload`()
      async throws
    {
      try await withPage("Ann, Bob") { page in
        try await open(page, "Ann")
        try await page.tab.run("\(field("phone")).focus()")
        try await page.tab.type("333")
        try await page.tab.keys("Escape")
        try await page.tab.wait(until: "document.getElementById('ask').open")
        try await page.tab.click(page.id("no"))
        #expect(try await page.isOpen("form"))
        try await page.tab.run("history.back()")
        try await page.tab.wait(until: "!document.getElementById('form').open")
        try await page.tab.reload()
        try await page.tab.wait(until: "document.querySelector('.row b')")
        try await open(page, "Ann")
        #expect(try await page.tab.value("\(field("phone")).value", as: String.self) == "333")
        #expect(try phone(page) == ["", ""])
        try await page.tab.keys("Escape")
        try await page.tab.click(page.id("yes"))
        try await page.tab.wait(until: "!document.getElementById('form').open")
        try await open(page, "Ann")
        #expect(try await page.tab.value("\(field("phone")).value", as: String.self) == "")
      }
    }

    @Test func `the field in edit stays above the keyboard of a phone`() async throws {
      try await withPage("Ann", .phone) { page in
        try await page.freezeTimers(of: 400)
        try await page.tab.tap(page.row("Ann", ".name"))
        try await page.tab.wait(until: "document.getElementById('form').open")
        try await page.tab.run("document.querySelector('#fields [name=note]').focus()")
        // Browsers that cover the page say so here only.
        try await page.tab.run(
          """
          (Object.defineProperty(visualViewport, 'height', {get: () => 400}), visualViewport.dispatchEvent(new Event('resize')))
          """)
        try await page.tab.wait(
          until: "document.querySelector('#fields [name=note]').getBoundingClientRect().bottom <= 400")
        #expect(
          try await page.tab.value(
            "document.getElementById('form').getBoundingClientRect().bottom <= 400 && document.body.offsetHeight === 400",
            as: Bool.self))
      }
    }

    @Test func `a new form says where its customer goes, and Close is Cancel once something was typed`()
      async throws
    {
      try await withPage("One: Ann, Bob | Two: Cid") { page in
        try await page.tab.keys("Home", "o")
        try await page.tab.wait(
          until: "document.querySelector('#fields .where')?.textContent === 'Below Ann'")
        #expect(try await page.tab.value("\(page.id("cancel")).textContent", as: String.self) == "Close")
        try await page.tab.type("D")
        try await page.tab.wait(until: "\(page.id("cancel")).textContent === 'Cancel'")
        try await page.tab.keys("Escape")
        try await page.tab.wait(until: "\(page.id("no")).textContent === 'Keep editing'")
        try await page.tab.click(page.id("yes"))
        try await page.tab.wait(until: "!document.getElementById('form').open")
        try await page.tab.keys("a")
        try await page.tab.wait(
          until: "document.querySelector('#fields .where')?.textContent === 'At the end of One'")
        // Another section can be chosen.
        try await page.tab.click("document.querySelector('#fields .where')")
        try await page.choose("Two")
        try await page.tab.wait(until: "document.activeElement.name === 'first_name'")
        try await page.tab.type("Eve")
        try await page.tab.keys("Control+s")
        try await page.expect(["Ann", "Bob", "Cid", "Eve"])
        #expect(try page.stored() == [["Ann", "Bob"], ["Cid", "Eve"]])
      }
    }

    @Test func `on a phone, a new customer comes to the section that is seen`() async throws {
      let names = { (letter: String) in (1...30).map { "\(letter)\($0)" }.joined(separator: ", ") }
      try await withPage(.init("One: \(names("A")) | Two: \(names("B"))"), .phone) { page in
        try await page.tab.run("document.getElementById('list').scrollTop = 1e6")
        try await page.tab.wait(until: page.row("B30"))
        try await page.tab.tap(page.id("add"))
        try await page.tab.wait(
          until: "document.querySelector('#fields .where')?.textContent === 'At the end of Two'")
      }
    }

    @Test func `what is left unsaved is said, by Back and by the next customer, and can be gone on with`()
      async throws
    {
      try await withPage("Ann, Bob", .phone) { page in
        func typeInto(_ name: String) async throws {
          try await page.tab.tap(page.row(name, ".name"))
          try await page.tab.wait(until: "document.getElementById('form').open")
          try await page.tab.tap(field("first_name"))
          try await page.tab.type("x")
        }
        try await typeInto("Ann")
        try await page.tab.tap(page.id("after"))
        let text = "Not saved: what you typed about \"Ann\"."
        try await page.tab.wait(until: "document.getElementById('message').textContent === '\(text)'")
        try await page.tab.run("history.back()")
        try await page.tab.wait(until: "!document.getElementById('form').open")
        try await typeInto("Bob")
        try await page.tab.run("history.back()")
        try await page.hear("Not saved: what you typed about \"Bob\".")
        try await page.tab.tap(page.id("act"))
        try await page.tab.wait(
          until:
            "document.getElementById('title').textContent === 'Bob' && document.activeElement.value.includes('x')"
        )
        #expect(try page.stored() == [["Ann", "Bob"]])
      }
    }

    @Test func `a new row is shown and lit up, wherever it is`() async throws {
      let names = (1...300).map { "N\($0)" }.joined(separator: ", ")
      try await withPage(.init(names)) { page in
        try await page.tab.click(page.id("add"))
        try await page.tab.wait(until: "document.activeElement.name === 'first_name'")
        try await page.tab.type("Zoe")
        // The row is lit up until then.
        try await page.freezeTimers(of: 1000)
        try await page.tab.keys("Control+s")
        try await page.tab.wait(until: "\(page.row("Zoe"))?.matches('.flash.cursor')")
        #expect(
          try await page.tab.value(
            "\(page.row("Zoe")).getBoundingClientRect().bottom <= innerHeight", as: Bool.self))
      }
    }
  }
}
