internal import CustomerFixtures
internal import CustomerStore
internal import CustomersBrowser
internal import Testing

extension PageTests {
  /// The columns of a wide page: which, in which order, and the order of the view.
  @Suite struct ColumnsTests {
    private func wait(_ page: TestPage, _ selector: String, _ texts: [String]) async throws {
      let wanted = texts.map { "'\($0)'" }.joined(separator: ",")
      try await page.tab.wait(
        until: """
          JSON.stringify([...document.querySelectorAll('\(selector)')].map((e) => e.textContent))
            === JSON.stringify([\(wanted)])
          """)
    }

    private static let prepare: @Sendable (inout CustomerList) throws -> Void = { list in
      try list.update(list.customer(named: "Ann").id) { ($0.company, $0.tags) = ("Zeta", "vip\nnew") }
      try list.update(list.customer(named: "Bob").id) { ($0.company, $0.extra) = ("Acme", #"{"Age":"30"}"#) }
    }

    @Test func `columns are chosen and ordered, and the browser keeps the choice`() async throws {
      try await withPage("Ann, Bob", prepare: Self.prepare) { page in
        try await wait(page, "#heads .column", ["Company"])
        try await page.tab.keys("c")
        try await page.tab.wait(until: "document.getElementById('ask').open")
        let line = { (title: String) in
          "[...document.querySelectorAll('#answer p')].find((e) => e.textContent.startsWith('\(title)'))"
        }
        try await page.tab.click("\(line("Tags")).querySelector('input')")
        try await page.tab.click("\(line("Age")).querySelector('input')")
        for _ in 1...7 { try await page.tab.run("\(line("Age")).querySelector('button').click()") }
        try await page.tab.click(page.id("yes"))
        try await wait(page, "#heads .column", ["Age", "Company", "Tags"])
        try await wait(page, ".row .column", ["", "Zeta", "vip, new", "30", "Acme", ""])
        #expect(try await page.focus() == "list")
        try await page.tab.keys("c")
        try await page.tab.wait(until: "document.getElementById('ask').open")
        try await page.tab.click("\(line("Tags")).querySelector('input')")
        try await page.tab.click(
          "[...document.querySelectorAll('#answer button')].find((e) => e.textContent.startsWith('Add'))")
        try await page.tab.wait(until: "document.querySelector('#answer select')")
        try await page.tab.keys("Escape")
        try await wait(page, "#heads .column", ["Age", "Company"])
        try await page.tab.reload()
        try await wait(page, "#heads .column", ["Age", "Company"])
        try await wait(page, ".row .column", ["", "Zeta", "30", "Acme"])
      }
    }

    @Test func `a sorted view says so and does not drag, and the list stays in its order`() async throws {
      try await withPage("Ann, Bob, Cid", prepare: Self.prepare) { page in
        let names = ".row b"
        try await page.tab.wait(until: "document.querySelector('#heads .company')")
        try await page.tab.click("document.querySelector('#heads .company button')")
        try await wait(page, "#heads .company", ["Company ↑"])
        try await page.tab.wait(until: "JSON.stringify(\(TestPage.names)) === '[\"Bob\",\"Ann\",\"Cid\"]'")
        try await wait(page, names, ["Bob", "Ann", "Cid"])
        try await wait(page, ".row .number", ["2", "1", "3"])
        try await page.hear("not in the list's order")
        #expect(
          try await page.tab.value(
            "[...document.querySelectorAll('.handle button')].every((e) => e.hidden)", as: Bool.self))
        try await page.tab.run("document.getElementById('list').focus()")
        try await page.tab.keys("m")
        try await page.hear("The rows are sorted, not in the list's order; Esc shows the list")
        try await page.tab.click("document.querySelector('#heads .company button')")
        try await wait(page, names, ["Ann", "Bob", "Cid"])
        try await wait(page, "#heads .company", ["Company ↓"])
        #expect(try page.stored() == [["Ann", "Bob", "Cid"]])
        // What another program adds is sorted in.
        try page.edit { list in
          try list.insert(CustomerFields(firstName: "Dan", company: "Mu"), at: .last)
        }
        try await wait(page, names, ["Ann", "Dan", "Bob", "Cid"])
        try await page.tab.run("document.getElementById('list').focus()")
        try await page.tab.keys("Escape")
        try await wait(page, "#heads .company", ["Company"])
        try await page.tab.wait(until: "document.getElementById('act').hidden")
        try await page.expect(["Ann", "Bob", "Cid", "Dan"])
      }
    }

    @Test func `a column that is not shown is chosen from the menu, which a phone has, too`() async throws {
      try await withPage("Ann, Bob", prepare: Self.prepare) { page in
        try await page.tab.click(page.id("more"))
        try await page.choose("Columns…")
        try await page.tab.wait(until: "document.querySelector('#menu').ariaLabel === 'Columns'")
        try await page.choose("Show Age")
        try await wait(page, "#heads .column", ["Company", "Age"])
      }
      let prepare: @Sendable (inout CustomerList) throws -> Void = { list in
        try Self.prepare(&list)
        try list.update(list.customer(named: "Bob").id) { $0.phone = "555" }
      }
      try await withPage("Ann, Bob", .phone, prepare: prepare) { page in
        try await page.tab.tap(page.id("more"))
        try await page.choose("Columns…")
        try await page.tab.wait(until: "document.querySelector('#menu').ariaLabel === 'Columns'")
        try await page.choose("Show Age")
        try await wait(page, ".row small", ["Zeta", "30 · Acme"])
        try await page.tab.reload()
        try await wait(page, ".row small", ["Zeta", "30 · Acme"])
        // A long value leaves room for the others.
        let address = "Musterstraße 12, 53111 Bonn, Germany"
        try page.edit { list in try list.update(list.customer(named: "Bob").id) { $0.address = address } }
        try await page.tab.tap(page.id("more"))
        try await page.choose("Columns…")
        try await page.tab.wait(until: "document.querySelector('#menu').ariaLabel === 'Columns'")
        try await page.choose("Show Address")
        try await wait(page, ".row small", ["Zeta", "30 · Musterstraße 12, 53111… · Acme"])
        // A new customer, and one that has no value in it, can get one.
        try await page.tab.tap(page.id("add"))
        try await page.tab.wait(until: "document.querySelector('#fields [name=\"extra.Age\"]')")
      }
    }

    @Test func `a column with the name of a part of the address has its own values`() async throws {
      let prepare: @Sendable (inout CustomerList) throws -> Void = { list in
        try list.update(list.customer(named: "Ann").id) { $0.set([.part(.region): "SP"]) }
        _ = try list.declareColumn("Region")
        try list.update(list.customer(named: "Bob").id) { $0.extra = #"{"Region":"North"}"# }
      }
      try await withPage("Ann, Bob", prepare: prepare) { page in
        try await page.tab.keys("C")
        try await page.tab.wait(until: "document.querySelector('#menu:popover-open')")
        try await page.choose("Show Region")
        try await page.tab.wait(
          until: "\(page.row("Bob", "[data-column=\"extra.Region\"]")).textContent === 'North'")
        #expect(
          try await page.tab.value(
            "\(page.row("Ann", "[data-column=\"extra.Region\"]")).textContent", as: String.self)
            == "")
        try await page.tab.click("document.querySelector('#heads [data-column=\"extra.Region\"] button')")
        try await page.tab.wait(until: "JSON.stringify(\(TestPage.names)) === '[\"Bob\",\"Ann\"]'")
      }
    }

    @Test func `a chosen column that others rename or delete is followed`() async throws {
      try await withPage("Ann, Bob", prepare: Self.prepare) { page in
        try await page.tab.keys("C")
        try await page.tab.wait(until: "document.querySelector('#menu:popover-open')")
        try await page.choose("Show Age")
        try await wait(page, "#heads .column", ["Company", "Age"])
        try await page.tab.click("document.querySelector('#heads [data-column=\"extra.Age\"] button')")
        try await wait(page, "#heads .column", ["Company", "Age ↑"])
        try page.edit { _ = try $0.renameColumn("Age", to: "Years") }
        try await wait(page, "#heads .column", ["Company", "Years ↑"])
        try await page.tab.wait(
          until: "\(page.row("Bob", "[data-column=\"extra.Years\"]"))?.textContent === '30'")
        try page.edit { _ = try $0.dropColumn("Years") }
        try await wait(page, "#heads .column", ["Company"])
        try await page.tab.wait(until: "!document.body.matches('.other')")
        try await page.tab.reload()
        try await wait(page, "#heads .column", ["Company"])
      }
    }

    @Test func `the choices of a column have commas, and what lines a column has is shown`() async throws {
      let prepare: @Sendable (inout CustomerList) throws -> Void = { list in
        try list.setKind(.choice, choices: ["East", "North, cold"], ofColumn: "Area")
        try list.setKind(.lines, ofColumn: "Topics")
        try list.update(list.customer(named: "Bob").id) { $0.extraColumns["Area"] = "North, cold" }
      }
      try await withPage("Ann, Bob", prepare: prepare) { page in
        for column in ["Area", "Topics"] {
          try await page.tab.run("document.getElementById('list').focus()")
          try await page.tab.keys("C")
          try await page.tab.wait(until: "document.querySelector('#menu:popover-open')")
          try await page.choose("Show \(column)")
        }
        try await openMenu(page, of: "Topics", "Kind…")
        try await page.tab.wait(until: "document.querySelector('#answer select')?.value === 'lines'")
        try await page.tab.click(page.id("no"))
        try await openMenu(page, of: "Area", "Kind…")
        let values = "document.querySelector('#answer input')"
        try await page.tab.wait(until: "\(values)?.value === 'East, \"North, cold\"'")
        try await page.tab.run("\(values).value += ', \"South'")
        try await page.tab.click(page.id("yes"))
        try await page.tab.wait(
          until: "document.querySelector('#answer .bad').textContent.includes('quotes')")
        try await page.tab.run("\(values).value = \(values).value.replace(', \"South', ', South')")
        try await page.tab.click(page.id("yes"))
        try await page.hear("Changed the kind of column \"Area\"")
        let kind = try await page.list.store.read { try $0.columnKinds()[.extra("Area")] }
        #expect(kind.choices == ["East", "North, cold", "South"])
      }
    }

    @Test func `a chosen column that the list does not have anymore is hidden, and none is there twice`()
      async throws
    {
      try await withPage("Ann, Bob", prepare: Self.prepare) { page in
        try await page.tab.keys("C")
        try await page.tab.wait(until: "document.querySelector('#menu:popover-open')")
        try await page.choose("Show Age")
        try await wait(page, "#heads .column", ["Company", "Age"])
        try await openMenu(page, of: "Company", "Add a column…")
        try await page.tab.wait(until: "document.activeElement.ariaLabel === 'Name'")
        try await page.tab.type("Foo")
        try await page.tab.click(page.id("yes"))
        try await page.hear("Added column \"Foo\".")
        try await wait(page, "#heads .column", ["Company", "Age", "Foo"])
        try await page.tab.keys("u")
        try await wait(page, "#heads .column", ["Company", "Age"])
        try page.edit { _ = try $0.redo() }
        try await wait(page, "#heads .column", ["Company", "Age", "Foo"])
        try page.edit { _ = try $0.undo() }
        try await wait(page, "#heads .column", ["Company", "Age"])
        try await openMenu(page, of: "Age", "Rename…")
        try await page.tab.wait(until: "document.getElementById('ask').open")
        try await page.tab.run("document.querySelector('#answer input').value = 'Foo'")
        try await page.tab.click(page.id("yes"))
        try await wait(page, "#heads .column", ["Company", "Foo"])
        try await page.tab.reload()
        try await wait(page, "#heads .column", ["Company", "Foo"])
        try await wait(page, ".row .column", ["Zeta", "", "Acme", "30"])
      }
    }

    @Test func `a declared column without values is followed, too, when another program renames it`()
      async throws
    {
      let prepare: @Sendable (inout CustomerList) throws -> Void = { list in
        try Self.prepare(&list)
        try list.declareColumn("Old")
      }
      try await withPage("Ann, Bob", prepare: prepare) { page in
        try await page.tab.keys("C")
        try await page.tab.wait(until: "document.querySelector('#menu:popover-open')")
        try await page.choose("Show Old")
        try await wait(page, "#heads .column", ["Company", "Old"])
        try page.edit { _ = try $0.renameColumn("Old", to: "New") }
        try await wait(page, "#heads .column", ["Company", "New"])
      }
    }

    private func openMenu(_ page: TestPage, of title: String, _ item: String) async throws {
      try await page.tab.rightClick(
        "[...document.querySelectorAll('#heads .column')].find((e) => e.textContent.startsWith('\(title)'))")
      try await page.choose(item)
    }

    @Test func `a column is added with its kind, renamed, moved, and deleted, each as one step`() async throws
    {
      try await withPage("Ann, Bob", prepare: Self.prepare) { page in
        try await openMenu(page, of: "Company", "Add a column…")
        try await page.tab.wait(until: "document.activeElement.ariaLabel === 'Name'")
        // It needs a name.
        try await page.tab.keys("Enter")
        try await page.tab.wait(until: "document.querySelector('#answer .bad').textContent")
        try await page.tab.run("document.querySelector('#answer input').focus()")
        // A name that is there already would change the kind of that one.
        try await page.tab.type("a ge")
        try await page.tab.keys("Enter")
        try await page.tab.wait(
          until: "document.querySelector('#answer .bad').textContent === 'There is a column \"Age\" already.'"
        )
        try await page.tab.run("document.querySelector('#answer input').select()")
        try await page.tab.type("Tier")
        try await page.tab.run(
          """
          (() => { const kind = document.querySelector('#answer select'); kind.value = 'choice'
            kind.dispatchEvent(new Event('change'))
            document.querySelectorAll('#answer input')[1].value = 'gold, silver' })()
          """)
        try await page.tab.click(page.id("yes"))
        try await wait(page, "#heads .column", ["Company", "Tier"])
        let kind = try await page.list.store.read { try $0.columnKinds()[.extra("Tier")] }
        #expect(kind.kind == .choice && kind.choices == ["gold", "silver"])
        // On a busy machine the second click comes late.
        try await page.freezeTimers(of: 300)
        try await page.tab.doubleClick(page.row("Ann", "[data-column=\"extra.Tier\"]"))
        try await page.tab.wait(until: "document.activeElement.tagName === 'SELECT'")
        try await page.tab.keys("Escape")
        try await openMenu(page, of: "Tier", "Rename…")
        try await page.tab.wait(until: "document.getElementById('ask').open")
        try await page.tab.run("document.querySelector('#answer input').value = 'Level'")
        try await page.tab.click(page.id("yes"))
        try await wait(page, "#heads .column", ["Company", "Level"])
        try await openMenu(page, of: "Level", "Move to the left")
        try await wait(page, "#heads .column", ["Level", "Company"])
        try await openMenu(page, of: "Level", "Delete…")
        try await page.tab.wait(until: "document.getElementById('ask').open")
        try await page.tab.click(page.id("yes"))
        try await wait(page, "#heads .column", ["Company"])
        #expect(try await page.list.store.read { try $0.columnKinds()[.extra("Level")].kind } == .text)
      }
    }

    @Test func `a column is made wider by its edge or its menu, and the browser keeps that`() async throws {
      try await withPage("Ann, Bob", prepare: Self.prepare) { page in
        let head = "document.querySelector('#heads .company')"
        let width = { try await page.tab.value("\(head).offsetWidth", as: Int.self) }
        let edge = try await page.tab.spot("\(head).querySelector('.edge')")
        let before = try await width()
        try await page.tab.mouse(.move(isDown: false), edge)
        try await page.tab.mouse(.down, edge)
        try await page.tab.mouse(.move(isDown: true), edge.moved(-60))
        try await page.tab.mouse(.up, edge.moved(-60))
        #expect(try await width() == before - 60)
        #expect(
          try await page.tab.value("\(page.row("Ann", ".company")).offsetWidth", as: Int.self) == before - 60)
        try await page.tab.reload()
        try await page.tab.wait(until: "\(head)?.offsetWidth === \(before - 60)")
        try await openMenu(page, of: "Company", "Wider")
        #expect(try await width() > before - 60)
        // Keys reach the menu, too.
        try await page.tab.run("document.getElementById('list').focus()")
        try await page.tab.keys("C")
        try await page.tab.wait(until: "document.querySelector('#menu:popover-open')")
        try await page.choose("Company…")
        try await page.choose("Narrower")
        try await page.tab.wait(until: "\(head).offsetWidth < \(before)")
      }
    }
  }
}
