internal import CustomerFixtures
internal import CustomerStore
internal import CustomersBrowser
internal import CustomersTestSupport
internal import CustomersWeb
internal import Testing

extension PageTests {
  /// The page without its server, and on a home screen.
  @Suite struct OfflineTests {
    /// Whether the browser keeps rows of the test's key, as JavaScript.
    private static let keepsRows = "localStorage['customers \(TestServer.token.prefix(8)) rows']"

    @Test(arguments: [Tab.Screen.desk, .phone])
    func `without its server, the page shows the rows that it read last, to read only, and their time`(
      _ screen: Tab.Screen
    ) async throws {
      try await withPage(
        "Club: Ann, Bob | Guests: Cid", screen,
        prepare: { list in try list.update(list.customer(named: "Ann").id) { $0.phone = "555-01" } }
      ) { page in
        try await page.tab.wait(until: Self.keepsRows)
        #expect(
          try await page.tab.value(
            "navigator.serviceWorker.ready.then(() => self.isOld = true)", as: Bool.self))
        page.server.stop()
        try await page.tab.reload()
        try await page.tab.wait(until: "!self.isOld && \(page.row("Ann")) && \(page.row("Cid"))")
        try await page.hear("Connection lost; trying again… The rows are of ")
        #expect(
          try await page.tab.value(
            """
            document.body.matches('.fixed') && [...document.querySelectorAll('.header .name')].map(e => e.textContent).join()
              === 'Club,Guests' && \(page.row("Ann")).textContent.includes('555-01')
            """, as: Bool.self))
        try await page.tab.keys("Home", "Delete", "Delete")
        try page.edit { try $0.insert(CustomerFields(firstName: "Dee")) }
        let next = try await TestServer.again(page)
        defer { next.stop() }
        try await page.expect(["Ann", "Bob", "Dee", "Cid"])
        try await page.tab.wait(
          until: "!document.body.matches('.fixed') && !document.getElementById('trouble').textContent")
      }
    }

    @Test func `rows of a key that is refused are not kept, nor those of one that another replaces`()
      async throws
    {
      try await withPage("Ann, Bob") { page in
        try await page.tab.wait(until: Self.keepsRows)
        let other = try await Tab("http://localhost:\(page.server.port)/#00", in: page.tab.context)
        try await other.wait(until: "document.body.matches('.denied')")
        #expect(try await other.value("!!\(Self.keepsRows)", as: Bool.self))
        try await other.close(keepingContext: true)
        try await page.tab.run(
          "self.fetch = async () => new Response('{}', {status: 401}), self.dispatchEvent(new Event('online'))"
        )
        // Nor does the page have any, or the key, once it has begun again.
        let hasKey = "[localStorage, sessionStorage].some(store => store['customers key'])"
        try await page.tab.wait(
          until:
            "document.body.matches('.denied') && !\(Self.keepsRows) && !document.querySelector('.row') && !\(hasKey)"
        )
      }
      try await withPage("Ann, Bob") { page in
        let old = "localStorage['customers 0000aaaa rows']"
        try await page.tab.run(
          "localStorage['customers key'] = '0000aaaa0000', \(old) = '{}', sessionStorage.clear()")
        try await page.tab.open("about:blank")
        try await page.tab.open(page.server.url)
        try await page.tab.wait(until: "\(page.row("Ann")) && !\(old)")
      }
    }

    @Test func `the matches of a search are not kept`() async throws {
      try await withPage("Ann, Bob") { page in
        try await page.tab.wait(until: "\(Self.keepsRows)?.includes('Bob')")
        // What waits a second to be kept is kept at once from now on.
        try await page.tab.run(
          """
          (after => self.setTimeout = (work, time) => after(work, time === 1000 ? 0 : time))(self.setTimeout),
            delete \(Self.keepsRows), location.hash = '/view/?text=Ann'
          """)
        try await page.tab.wait(until: "!(\(page.row("Bob"))) && \(page.row("Ann"))")
        #expect(
          try await page.tab.value(
            "new Promise(go => setTimeout(go, 1000)).then(() => !\(Self.keepsRows))", as: Bool.self))
        try await page.tab.keys("Escape")
        try await page.tab.wait(until: "\(Self.keepsRows)?.includes('Bob')")
      }
    }

    @Test func `a browser may install the page, of which it finds the name and icons`() async throws {
      try await withPage("Ann", .phone) { page in
        let found = try await page.tab.value(
          """
          (async () => {
            const manifest = await (await fetch(document.querySelector('link[rel=manifest]').href)).json()
            const sizes = await Promise.all(manifest.icons.map(async ({src}) => {
              const image = new Image()
              image.src = src
              await image.decode()
              return image.naturalWidth
            }))
            return [manifest.name, manifest.display, manifest.start_url, ...sizes.slice(1)].join()
          })()
          """, as: String.self)
        #expect(found == "Customers,standalone,/,512,512")
        guard try await page.tab.value("!!navigator.userAgent.includes('Chrome')", as: Bool.self) else {
          return
        }
        #expect(try await page.tab.installationProblems() == [])
      }
    }
  }
}
