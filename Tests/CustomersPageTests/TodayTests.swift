internal import CustomerFixtures
@testable internal import CustomerStore
internal import CustomersBrowser
internal import CustomersTestSupport
internal import Foundation
internal import Testing

extension PageTests {
  /// Today: those who are due, and the log.
  @Suite struct TodayTests {
    private static func date(_ days: Int) -> String {
      CalendarDay(number: CalendarDay.today.number + days)?.description ?? ""
    }

    private func names(_ page: TestPage) async throws -> [String] { try await page.tab.value(TestPage.names) }

    private func open(_ page: TestPage) async throws {
      try await page.tab.click(page.id("today"))
      try await page.tab.wait(until: "document.body.classList.contains('today')")
    }

    private func write(_ page: TestPage, _ text: String) async throws {
      try await page.tab.wait(until: "document.activeElement.id === 'line'")
      try await page.tab.type(text)
    }

    @Test func `the tab has a count, and shows those who are due in the order of the list`() async throws {
      try await withPage(
        "Ann, Bob, Cid | Leads: Dora, Eve",
        prepare: { list in
          try list.update(1) { $0.next = Self.date(-1) }
          try list.update(2) { $0.next = Self.date(1) }
          try list.addLine("x", to: 3)
        }
      ) { page in
        try await page.tab.wait(until: "\(page.id("today")).textContent === 'Today 3'")
        try await open(page)
        try await page.tab.wait(until: "JSON.stringify(\(TestPage.names)) === '[\"Ann\",\"Dora\",\"Eve\"]'")
        let overdue = "[...document.querySelectorAll('.overdue b')].map((e) => e.textContent)"
        #expect(try await page.tab.value(overdue, as: [String].self) == ["Ann"])
        // Another program's edit changes who is there.
        try page.edit { list in try list.apply(.done([4])) }
        try await page.tab.wait(until: "JSON.stringify(\(TestPage.names)) === '[\"Ann\",\"Eve\"]'")
        #expect(try await page.tab.value("\(page.id("today")).textContent", as: String.self) == "Today 2")
        try await page.tab.click(page.id("today"))
        try await page.tab.wait(until: "\(TestPage.names).length === 5")
      }
    }

    @Test(arguments: [Tab.Screen.desk, .phone])
    func `twenty calls of 200 are logged and rescheduled with one tap each beside what is typed`(
      screen: Tab.Screen
    ) async throws {
      try await withPage(.generated(200), screen) { page in
        let ids = try page.ids()
        try await open(page)
        try await page.tab.wait(until: "\(TestPage.names).length > 5")
        try await page.tab.click("document.querySelector('.row[id=r\(ids[0])]')")
        for call in 0..<20 {
          try await write(page, "call \(call)")
          try await page.tab.click("document.querySelector('[data-next=\"+1w\"]')")
          try await page.tab.wait(
            until: "\(page.id("line")).value === '' && document.activeElement.id === 'line'")
        }
        try await page.settle()
        let (logs, dates) = try await page.list.store.read { list in
          let called = ids.prefix(20).map { CustomerID(rawValue: Int64($0)) }
          return (
            try called.flatMap { try list.log(of: $0).map(\.text) },
            try called.map { try list.customer($0).fields.next }
          )
        }
        #expect(logs == (0..<20).map { "call \($0)" })
        #expect(dates == Array(repeating: Self.date(7), count: 20))
        #expect(try await page.tab.value("\(page.id("today")).textContent", as: String.self) == "Today 180")
      }
    }

    @Test func `the next one is the row that followed, although another program has finished this one`()
      async throws
    {
      try await withPage("Ann, Bob, Cid, Dora, Eve") { page in
        try await open(page)
        try await page.tab.wait(until: "\(TestPage.names).length === 5")
        try await page.tab.keys("Home", "j", "j", "l")
        try await write(page, "x")
        try page.edit { list in try list.apply(.done([3])) }
        try await page.tab.wait(until: "\(page.id("today")).textContent === 'Today 4'")
        try await page.tab.keys("Enter")
        try await page.tab.type("+2d")
        try await page.tab.keys("Enter")
        try await page.tab.wait(until: "\(page.id("called")).textContent === 'Dora'")
        let log = try await page.list.store.read { list in try list.log(of: 3).map(\.text) }
        #expect(log == ["x", "done"])
      }
    }

    @Test func `keys log, set any date, and go on, and what is no date is said`() async throws {
      try await withPage("Ann, Bob") { page in
        try await page.tab.keys("l")
        try await write(page, "x")
        try await page.tab.keys("Enter")
        try await page.tab.type("soon")
        try await page.tab.keys("Enter")
        try await page.tab.wait(until: "\(page.id("wrong")).textContent.includes('date')")
        try await page.tab.run("\(page.id("when")).value = ''")
        try await page.tab.type("2026-12-24")
        try await page.tab.keys("Enter")
        try await page.tab.wait(until: "!\(page.id("log")).open")
        let next = try await page.list.store.read { list in try list.customer(1).fields.next }
        #expect(next == "2026-12-24")
        try await page.tab.keys("Enter")
        try await page.tab.wait(until: "\(page.id("form")).open")
        let lines = try await page.tab.value(
          "[...document.querySelectorAll('#fields .log li')].map((e) => e.textContent)", as: [String].self)
        #expect(lines.count == 1 && lines[0].hasSuffix(": x"))
      }
    }

    @Test func `what was typed into the log is left only after a question`() async throws {
      try await withPage("Ann, Bob") { page in
        try await page.tab.keys("l")
        try await write(page, "x")
        for button in ["no", "yes"] {
          try await page.tab.keys("Escape")
          try await page.tab.wait(until: "\(page.id("ask")).open")
          try await page.tab.click(page.id(button))
          try await page.tab.wait(until: "\(page.id("log")).open === \(button == "no")")
        }
        try await page.tab.keys("l")
        try await page.tab.wait(until: "\(page.id("log")).open")
        try await page.tab.keys("Escape")
        try await page.tab.wait(until: "!\(page.id("log")).open")
        #expect(try await page.focus() == "list")
      }
    }

    @Test func `what was typed into the log is still there after Back and after a reload`() async throws {
      try await withPage("Ann, Bob") { page in
        let isKept = "Not saved: what was said by \"Ann\"."
        try await page.tab.keys("l")
        try await write(page, "hello")
        try await page.tab.run("history.back()")
        try await page.tab.wait(until: "!\(page.id("log")).open")
        try await page.hear(isKept)
        try await page.tab.click(page.id("act"))
        try await page.tab.wait(until: "\(page.id("log")).open && \(page.id("line")).value === 'hello'")
        try await page.tab.reload()
        try await page.hear(isKept)
        try await page.tab.click(page.id("act"))
        try await page.tab.wait(until: "\(page.id("log")).open && \(page.id("line")).value === 'hello'")
        try await page.tab.click("document.querySelector('[data-next=\"\"]')")
        try await page.tab.wait(until: "!\(page.id("log")).open")
        try await page.tab.wait(until: "!Object.keys(localStorage).some((key) => key.includes('draft'))")
        #expect(try await page.list.store.read { list in try list.log(of: 1).map(\.text) } == ["hello"])
        // What is discarded is not kept.
        try await page.tab.keys("l")
        try await write(page, "x")
        try await page.tab.keys("Escape")
        try await page.tab.wait(until: "\(page.id("ask")).open")
        try await page.tab.click(page.id("yes"))
        try await page.tab.wait(
          until:
            "!\(page.id("log")).open && !Object.keys(localStorage).some((key) => key.includes('draft'))")
      }
    }

    @Test func `a question that is asked while the last one is closing gets its own answer`()
      async throws
    {
      try await withPage("Ann, Bob") { page in
        try await page.tab.keys("l")
        try await write(page, "x")
        try await page.tab.keys("Escape")
        try await page.tab.wait(until: "\(page.id("ask")).open")
        try await page.tab.run(
          """
          \(page.id("no")).click(), Promise.resolve().then(() =>
            \(page.id("log")).dispatchEvent(new Event('cancel', {cancelable: true})))
          """)
        try await page.tab.wait(until: "\(page.id("ask")).open")
        try await Task.sleep(for: .milliseconds(100))
        try await page.tab.click(page.id("yes"))
        try await page.tab.wait(until: "!\(page.id("log")).open")
      }
    }

    @Test func `a second click on the button of the log, while the line is saved, logs nothing`() async throws
    {
      try await withPage("Ann, Bob") { page in
        try await page.tab.keys("l")
        try await write(page, "x")
        let other = try LockingClient(page.list.path)
        try await page.tab.doubleClick(page.id("keep"))
        try await page.tab.keys("Enter")
        try await page.tab.wait(until: "\(page.id("trouble")).textContent.startsWith('Waiting: ')")
        try other.end()
        try await page.tab.wait(until: "!\(page.id("log")).open")
        try await page.settle()
        let log = try await page.list.store.read { list in try list.log(of: 1).map(\.text) }
        #expect(log == ["x"])
      }
    }

    @Test func `the log closes while its line is saved, and stays closed`() async throws {
      try await withPage("Ann, Bob") { page in
        try await open(page)
        try await page.tab.keys("Home", "l")
        try await write(page, "x")
        let other = try LockingClient(page.list.path)
        try await page.tab.click(page.id("keep"))
        try await page.tab.keys("Escape")
        try await page.tab.wait(until: "!\(page.id("log")).open")
        try other.end()
        try await page.tab.wait(until: "\(page.id("today")).textContent === 'Today 1'")
        try await page.settle()
        #expect(try await names(page) == ["Bob"])
        #expect(try await page.tab.value("\(page.id("log")).open", as: Bool.self) == false)
      }
    }

    @Test func `the next date is a field of the form, which takes the words of a date`() async throws {
      try await withPage("Ann, Bob", prepare: { _ = try $0.update(1) { $0.next = "2026-12-24" } }) { page in
        func type(_ word: String) async throws {
          try await page.tab.run("document.querySelector('#fields [name=next]').select()")
          try await page.tab.type(word)
          try await page.tab.keys("Control+s")
        }
        func next() async throws -> String {
          try await page.list.store.read { list in try list.customer(1).fields.next }
        }
        try await page.tab.click(page.row("Ann"))
        let field = "document.querySelector('#fields [name=next]')"
        try await page.tab.wait(until: "\(field)?.value === '2026-12-24'")
        try await page.tab.run("\(field).focus()")
        try await type("soon")
        try await page.tab.wait(
          until:
            "\(field).parentElement.querySelector('.bad').textContent.includes('2026-12-24, friday, or +3d')")
        #expect(try await page.tab.value("\(field).ariaInvalid", as: String.self) == "true")
        try await type("+1d")
        try await page.tab.wait(until: "!\(page.id("form")).open")
        #expect(try await next() == Self.date(1))
        try await page.tab.keys("u")
        try await page.hear("Undid")
        #expect(try await next() == "2026-12-24")
        try await page.tab.click(page.row("Ann"))
        try await page.tab.wait(until: "\(field)?.value === '2026-12-24'")
        try await page.tab.run("\(field).focus()")
        try await type("none")
        try await page.tab.wait(until: "!\(page.id("form")).open")
        #expect(try await next() == "")
      }
    }
  }
}
