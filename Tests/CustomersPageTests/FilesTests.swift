internal import CustomerFixtures
internal import CustomerStore
internal import CustomersBrowser
internal import CustomersSystem
internal import CustomersTestSupport
internal import Foundation
internal import Testing

extension PageTests {
  /// Files: an import with its preview, and downloads.
  @Suite struct FilesTests {
    /// A copy of the list that was edited on its own.
    private func copy(of page: TestPage, _ change: (inout CustomerList) throws -> Void) throws -> [UInt8] {
      let path = page.list.path.replacing("customers.sqlite", with: "copy")
      try page.list.store.backUp(to: path)
      try CustomerStore(path: path).write(change)
      try CustomerStore(path: path).backUp(to: path + "2")
      return try bytes(of: path + "2")
    }

    private func open(_ page: TestPage, _ item: String) async throws {
      try await page.tab.click(page.id("more"))
      try await page.tab.wait(until: "document.getElementById('menu').matches(':popover-open')")
      try await page.tab.click(
        "[...document.querySelectorAll('#menu button')].find((e) => e.textContent === '\(item)')")
    }

    private func asked(_ page: TestPage) async throws -> String {
      try await page.tab.wait(until: "document.getElementById('ask').open")
      return try await page.tab.value(
        "[...document.querySelectorAll('#asked, #answer .lines')].map((e) => e.textContent).join('\\n')")
    }

    @Test func `a dropped file is previewed, imported as one step, and undone`() async throws {
      try await withPage("Ann, Bob") { page in
        try await page.drop("people.csv", "name,phone\nCid,1\nDora,2\n")
        let text = try await asked(page)
        #expect(text.hasPrefix("Would import 2 customers; the list would have 4 rows.\n"))
        #expect(text.contains("The first customer:") && text.contains("Would add \"Cid\" and \"Dora\"."))
        #expect(try page.stored() == [["Ann", "Bob"]])
        #expect(try await page.tab.value("document.activeElement.tagName", as: String.self) == "SELECT")
        try await page.tab.click(page.id("yes"))
        try await page.hear("Imported 2 customers; the list has 4 rows.")
        try await page.expect(["Ann", "Bob", "Cid", "Dora"])
        try await page.tab.click(page.id("act"))
        try await page.expect(["Ann", "Bob"])
        #expect(try await page.focus() == "list")
      }
    }

    @Test func `a copy of the list is shown with what both changed, and brought in as it was decided`()
      async throws
    {
      try await withPage("Ann, Bob") { page in
        let copy = try copy(of: page) { list in
          try list.update(1) { $0.phone = "222" }
          _ = try list.insert(CustomerFields(name: "Cid"))
        }
        try page.edit { try $0.update(1) { $0.phone = "111" } }
        try await page.drop("copy.db", copy)
        let text = try await asked(page)
        #expect(text.contains("Would add 1."))
        let conflict = try await page.tab.value(
          "document.querySelector('#answer p').textContent", as: String.self)
        #expect(conflict.hasPrefix("phone of \"Ann\": here 111") && conflict.hasSuffix("→ 111"))
        #expect(
          try await page.tab.value("document.querySelector('#answer select').value", as: String.self)
            == "ours")
        try await page.tab.run("document.querySelector('#answer select').value = 'theirs'")
        try await page.tab.click(page.id("yes"))
        try await page.expect(["Ann", "Bob", "Cid"])
        #expect(try await page.list.store.read { try $0.customer(1).fields.phone } == "222")
        try await page.tab.click(page.id("act"))
        try await page.expect(["Ann", "Bob"])
      }
    }

    @Test func `Cancel ends the sending of a file`() async throws {
      try await withPage("Ann, Bob") { page in
        // The first piece stays on its way until Cancel was chosen.
        try await page.tab.run(
          """
          (real => self.fetch = async (path, ...more) => {
            if (path.startsWith('/v1/files')) await new Promise(go => self.release = go)
            return real(path, ...more)
          })(self.fetch)
          """)
        try await page.drop("people.csv", "name\nCid\n")
        try await page.tab.wait(
          until: "self.release && document.getElementById('act').textContent === 'Cancel'")
        try await page.tab.click(page.id("act"))
        try await page.tab.run("self.release()")
        try await page.hear("Canceled; nothing was changed.")
        #expect(try await page.isOpen("ask") == false)
        #expect(try page.stored() == [["Ann", "Bob"]])
      }
    }

    @Test func `Cancel imports nothing; another choice shows another preview`() async throws {
      let prepare: @Sendable (inout CustomerList) throws -> Void = { list in
        try list.update(list.customer(named: "Ann").id) { $0.email = "ann@x.example" }
      }
      try await withPage("Ann, Bob", prepare: prepare) { page in
        try await page.drop("people.csv", "name,email,phone\nAnn,ann@x.example,5\nCid,,\n")
        #expect(try await asked(page).contains("Would skip \"Ann\"."))
        try await page.tab.click(page.id("no"))
        try await page.hear("Nothing was imported.")
        #expect(try page.stored() == [["Ann", "Bob"]])
        try await page.drop("people.csv", "name,email,phone\nAnn,ann@x.example,5\nCid,,\n")
        _ = try await asked(page)
        try await page.tab.run(
          "(() => { const e = document.querySelector('#answer select'); e.value = 'update'; "
            + "e.dispatchEvent(new Event('change')) })()")
        try await page.tab.wait(
          until: "document.querySelector('#answer .lines').textContent.includes('phone (empty) → \"5\"')")
        try await page.tab.click(page.id("yes"))
        try await page.expect(["Ann", "Bob", "Cid"])
        let phone = try await page.list.store.read { try $0.customer(named: "Ann").fields.phone }
        #expect(phone == "5")
      }
    }

    @Test func `a file that can't be imported is refused, with the reason`() async throws {
      try await withPage("Ann") { page in
        try await page.drop("people.ods", "PK")
        try await page.hear("Save a spreadsheet as xlsx or CSV.")
        try await page.drop("people.csv", "")
        try await page.hear("The file is empty.")
        try await page.drop("<img src=x onerror=alert(1)>.csv", "name\n<script>alert(1)</script>\n")
        #expect(try await asked(page).contains("<script>alert(1)</script>"))
        try await page.tab.click(page.id("yes"))
        try await page.expect(["Ann", "<script>alert(1)</script>"])
      }
    }

    @Test func `a page that can only read downloads, and takes no file`() async throws {
      try await withPage("Ann", isReadOnly: true) { page in
        try await page.drop("people.csv", "name\nBob\n")
        try await page.hear("This list is read-only.")
        try await page.tab.click(page.id("more"))
        let items = try await page.tab.value(
          "[...document.querySelectorAll('#menu button')].map((e) => e.textContent)", as: [String].self)
        #expect(
          items == [
            "Mark all", "Sort…", "Columns…", "Download…", "Download a backup", "Print…", "Print labels…",
            "Copy link to this view", "History",
          ])
      }
    }

    @Test func `what is shown is downloaded, or what is marked`() async throws {
      try await withPage("Ann, Bob, Cid") { page in
        // What the browser would save is kept here.
        try await page.tab.run(
          """
          (() => { const make = URL.createObjectURL
            URL.createObjectURL = (blob) => (blob.text().then((text) => { self.saved = text }), make(blob)) })()
          """)
        for (mark, count) in [(false, "3 customers"), (true, "1 customer")] {
          if mark { try await page.tab.keys("Home", "Space") }
          try await open(page, "Download…")
          #expect(try await asked(page) == "Download \(count)")
          try await page.tab.run("document.querySelector('#answer select').value = 'json'")
          try await page.tab.click(page.id("yes"))
          try await page.hear("Exported \(count).")
          try await page.tab.wait(until: "self.saved")
          let text = try await page.tab.value("self.saved", as: String.self)
          #expect(text.contains("Ann") && text.contains("Bob") != mark)
          try await page.tab.run("self.saved = ''")
        }
      }
    }

    @Test func `a backup is downloaded, which is a list`() async throws {
      try await withPage("Ann, Bob") { page in
        try await page.tab.run(
          """
          (() => { const make = URL.createObjectURL
            URL.createObjectURL = (blob) => (blob.arrayBuffer().then((bytes) => {
              self.saved = btoa(String.fromCharCode(...new Uint8Array(bytes).slice(0, 15))) }), make(blob)) })()
          """)
        try await open(page, "Download a backup")
        try await page.hear("Backed up 2 customers.")
        try await page.tab.wait(until: "self.saved")
        #expect(try await page.tab.value("atob(self.saved)", as: String.self) == "SQLite format 3")
      }
    }

    @Test func `the page stays alive while a long file is imported, and Cancel ends that`() async throws {
      try await withPage("Ann, Bob") { page in
        try await page.tab.run(
          """
          (() => { const rows = Array.from({length: 200000}, (_, i) => `Person ${i},p${i}@x.example`)
            const data = new DataTransfer()
            data.items.add(new File(['name,email\\n' + rows.join('\\n')], 'long.csv'))
            document.dispatchEvent(new DragEvent('drop', {dataTransfer: data, cancelable: true})) })()
          """)
        _ = try await asked(page)
        try await page.tab.click(page.id("yes"))
        try await page.hear("Importing long.csv")
        try await page.tab.click(page.row("Ann", ".name"))
        try await page.tab.wait(until: "document.getElementById('form').open")
        try await page.tab.click(page.id("cancel"))
        try await page.tab.wait(until: "!document.getElementById('form').open")
        try await page.tab.wait(until: "document.getElementById('act').textContent === 'Cancel'")
        try await page.tab.click(page.id("act"))
        try await page.hear("Canceled; nothing was changed.")
        try await page.expect(["Ann", "Bob"])
      }
    }
  }
}
