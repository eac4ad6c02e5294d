internal import CustomerFixtures
internal import CustomerStore
internal import CustomersBrowser
internal import CustomersWeb
internal import Testing

extension PageTests {
  /// The page of a person whose key shows a part of the list.
  @Suite struct LimitedTests {
    private func person(
      _ rights: PagePerson.Rights, columns: [CustomerField]? = nil
    ) -> (ListAPI, CustomerStore) throws -> any ListService {
      { api, store in
        let uid = try store.read { list in try list.uid(of: list.sections()[1].id) }
        let columns = try columns?.map { field -> PageLimits.Column in
          guard case .extra(let name) = field else { return .field(field) }
          return .extra(try store.write { list in try list.declareColumn(name).id })
        }
        return try api.list(
          for: PagePerson(
            id: PersonID(rawValue: 7), name: "Ann", rights: rights,
            limits: PageLimits(section: uid, columns: columns)))
      }
    }

    private func add(_ page: TestPage, _ name: String) async throws {
      try await page.tab.wait(until: "document.getElementById('form').open")
      try await page.tab.type(name)
      try await page.tab.click(page.id("save"))
      try await page.tab.wait(until: "!document.getElementById('form').open")
    }

    @Test func `a section is edited, carried, and undone, and others go on`() async throws {
      try await withPage("Club: Xyzzy | Guests: Ann, Bob, Cid", part: person(.edit)) { page in
        func expect(_ names: [String]) async throws {
          try await page.expectScreen(names)
          #expect(try page.stored() == [["Xyzzy"], names])
        }
        try await expect(["Ann", "Bob", "Cid"])
        try await page.tab.keys("Home", "m", "ArrowDown", "Enter")
        try await page.settle()
        try await expect(["Bob", "Ann", "Cid"])
        try await page.tab.keys("u")
        try await page.settle()
        try await expect(["Ann", "Bob", "Cid"])
        try await page.tab.keys("Home", "a")
        try await add(page, "Dee")
        try await page.tab.wait(until: "\(page.row("Dee"))")
        try page.edit { try $0.update($0.customer(named: "Bob").id) { $0.lastName = "B" } }
        try await page.tab.wait(until: "\(page.row("Bob B"))")
        #expect(
          try await page.tab.value("document.body.textContent.includes('Xyzzy')", as: Bool.self) == false)
        // What is not allowed is said.
        try await page.tab.click(page.id("edit"))
        try await page.tab.click(page.id("section"))
        try await page.choose("Add a section…")
        try await page.tab.type("New")
        try await page.tab.click(page.id("yes"))
        try await page.hear("This key can't do that.")
      }
    }

    /// The buttons and fields that are seen, as JavaScript.
    private static let controls = """
      [...document.querySelectorAll('button, input, a')].filter(e => e.checkVisibility({visibilityProperty: true})
        && getComputedStyle(e).pointerEvents !== 'none').map(e => e.id || e.ariaLabel || e.textContent).join()
      """

    @Test func `a wall shows the columns of its key, and has no controls`() async throws {
      try await withPage(
        "Club: Xyzzy | Guests: Ann, Bob",
        prepare: { list in
          try list.update(list.customer(named: "Ann").id) {
            $0[.extra("Room")] = .text("Blue")
            $0.email = "Xyzzy@x.example"
          }
        }, part: person(.read, columns: [.firstName, .lastName, .extra("Room")])
      ) { page in
        try await page.tab.wait(until: "\(page.row("Ann", ".column"))?.textContent === 'Blue'")
        #expect(
          try await page.tab.value(
            "[...document.querySelectorAll('#heads .column')].map(e => e.textContent).join()") == "Room")
        #expect(try await page.tab.value(Self.controls) == "")
        try await page.tab.keys("Home", "Enter", "/", "C", "?")
        try page.edit { try $0.update($0.customer(named: "Bob").id) { $0[.extra("Room")] = .text("Green") } }
        try await page.tab.wait(until: "\(page.row("Bob", ".column"))?.textContent === 'Green'")
        #expect(try await page.tab.value(Self.controls) == "")
      }
    }

    @Test(arguments: [Tab.Screen.desk, .phone])
    func `a key that adds has the form, and nothing else`(_ screen: Tab.Screen) async throws {
      try await withPage(
        "Club: Xyzzy | Guests: Ann", screen, part: person(.add, columns: [.firstName, .note])
      ) { page in
        let controls = try await page.tab.value(Self.controls, as: String.self)
        #expect(controls == "add,first")
        let text = { (id: String) in
          try await page.tab.value("document.getElementById('\(id)').innerText", as: String.self)
        }
        #expect(try await text("count") == "")
        #expect(try await !text("nobody").contains("No customers"))
        for name in ["Dee", "Eve"] {
          try await page.tab.click(page.id("first"))
          try await page.tab.wait(until: "document.getElementById('form').open")
          #expect(try await !text("fields").contains("At the end"))
          try await add(page, name)
          try await page.tab.wait(
            until: "document.getElementById('news').textContent === 'Added \"\(name)\".'")
        }
        #expect(try await text("nobody").contains("Added: Dee, Eve"))
        #expect(
          try await page.tab.value("getComputedStyle(document.getElementById('heads')).visibility")
            == "hidden")
        #expect(try page.stored() == [["Xyzzy"], ["Ann", "Dee", "Eve"]])
        #expect(try await page.tab.value("document.querySelectorAll('.row').length", as: Int.self) == 0)
      }
    }
  }
}
