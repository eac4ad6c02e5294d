internal import CustomerFixtures
internal import CustomerStore
internal import CustomersBrowser
internal import Foundation
internal import Testing

extension PageTests {
  /// An import as a table: what columns become, where rows go, and who is known.
  @Suite struct ImportTests {
    private func columns(_ page: TestPage) async throws -> [String] {
      try await page.tab.value(
        "[...document.querySelectorAll('.sheet th')].map((e) => [e.firstChild.textContent, ...[...e.querySelectorAll('select')].map((e) => e.selectedOptions[0].textContent)].join('|'))"
      )
    }

    /// Chooses a value, and waits for the next try.
    private func choose(_ page: TestPage, _ name: String, _ value: String) async throws {
      try await page.tab.wait(until: "document.querySelector('#answer [name=\"\(name)\"]')")
      try await page.tab.run(
        "(() => { const e = document.querySelector('#answer [name=\"\(name)\"]'); e.value = '\(value)'; "
          + "e.dispatchEvent(new Event('change')) })()")
      try await page.tab.wait(until: "!document.getElementById('yes').disabled")
    }

    private func begin(_ page: TestPage, _ name: String, _ text: String) async throws {
      try await page.drop(name, text)
      try await page.tab.wait(
        until: "document.getElementById('ask').open && !document.getElementById('yes').disabled")
    }

    private func asked(_ page: TestPage) async throws -> String {
      try await page.tab.value("document.getElementById('asked').textContent")
    }

    @Test func `a file whose columns say nothing is imported as what they are chosen to be`() async throws {
      try await withPage("Ann") { page in
        try await begin(page, "people.csv", "Wer,Fällig,Nr\nCid Fox,24.12.2025,007\nDora,25.12.2025,1\n")
        #expect(try await asked(page) == "No column of the file matches a field.")
        let rows = try await page.tab.value(
          "[...document.querySelectorAll('.sheet tbody tr')].map((e) => [...e.children].map((e) => e.textContent).join('|'))",
          as: [String].self)
        #expect(rows == ["Cid Fox|24.12.2025|007", "Dora|25.12.2025|1"])
        // What is refused can't be imported.
        try await page.tab.click(page.id("yes"))
        #expect(try await page.isOpen("ask"))
        try await choose(page, "to 0", "name")
        #expect(try await asked(page) == "Would import 2 customers; the list would have 3 rows.")
        #expect(
          try await columns(page) == ["Wer|Name", "Fällig|New column|date", "Nr|New column|text"])
        try await choose(page, "to 2", "phone")
        try await page.tab.click(page.id("yes"))
        try await page.expect(["Ann", "Cid Fox", "Dora"])
        let cid = try await page.list.store.read { try $0.customer(named: "Cid Fox").fields }
        #expect((cid.firstName, cid.lastName, cid.phone) == ("Cid", "Fox", "007"))
        #expect(cid[.extra("Fällig")].text == "2025-12-24")
        try await page.tab.click(page.id("act"))
        try await page.expect(["Ann"])
      }
    }

    @Test
    func `of a file without titles, what one column becomes leaves the others what they were taken for`()
      async throws
    {
      try await withPage("Ann") { page in
        let rows = ["Pia", "Lea", "Mia"].map { "\($0) Fox\tR7 \($0)\t\($0)@x.example\t+49 30 771\n" }.joined()
        try await begin(page, "people.tsv", rows)
        func expect(_ first: String, _ second: String) async throws {
          let names = ["Column 1|\(first)", "Column 2|\(second)", "Column 3|E-mail", "Column 4|Phone"]
          #expect(try await columns(page) == names)
        }
        try await expect("Name", "New column|text")
        try await page.tab.click(page.id("yes"))
        try await page.expect(["Ann", "Pia Fox", "Lea Fox", "Mia Fox"])
        let named = try await page.list.store.read { try $0.customer(named: "Pia Fox").fields }
        #expect(named[.extra("Column 2")].text == "R7 Pia")
        try await page.tab.click(page.id("act"))
        try await page.expect(["Ann"])
        try await begin(page, "people.tsv", rows)
        try await choose(page, "to 1", "company")
        try await expect("Name", "Company")
        try await choose(page, "to 0", "first_name")
        try await expect("First name", "Company")
        try await page.tab.click(page.id("yes"))
        try await page.expect(["Ann", "Pia Fox", "Lea Fox", "Mia Fox"])
        let pia = try await page.list.store.read { try $0.customer(named: "Pia Fox").fields }
        #expect(
          (pia.firstName, pia.company, pia.email, pia.phone)
            == ("Pia Fox", "R7 Pia", "Pia@x.example", "+49 30 771"))
      }
    }

    @Test func `two columns that become the same field are refused by its name, and the choice stays seen`()
      async throws
    {
      try await withPage("Ann") { page in
        try await begin(page, "people.csv", "First name,A,B\nCid,Fox,Ray\n")
        try await choose(page, "to 1", "last_name")
        try await choose(page, "to 2", "last_name")
        #expect(try await asked(page) == "Two columns are imported as Last name.")
        #expect(
          try await columns(page)[1...].map { $0.split(separator: "|")[1] } == ["Last name", "Last name"])
        try await choose(page, "to 1", "-")
        try await page.tab.click(page.id("yes"))
        try await page.expect(["Ann", "Cid Ray"])
      }
    }

    @Test func `a row whose value is not of the chosen kind is left out`() async throws {
      try await withPage("Ann") { page in
        try await begin(page, "people.csv", "name,Due\nCid,01.02.2025\nDora,soon\n")
        try await choose(page, "kind 1", "date")
        #expect(try await asked(page) == "Would import 1 customer; the list would have 2 rows.")
        try await choose(page, "kind 1", "text")
        try await page.tab.click(page.id("yes"))
        try await page.expect(["Ann", "Cid", "Dora"])
        #expect(
          try await page.list.store.read { try $0.customer(named: "Cid").fields[.extra("Due")].text }
            == "01.02.2025")
      }
    }

    @Test func `a first line that is a customer is one, and rows go where they are to go`() async throws {
      try await withPage("One: Ann | Two: Bob") { page in
        try await begin(page, "people.csv", "Cid,cid@x.example\nDora,dora@x.example\n")
        #expect(
          try await page.tab.value("document.querySelector('#answer [name=header]').checked", as: Bool.self)
            == false)
        let place = try await page.tab.value(
          "[...document.querySelector('#answer [name=place]').options].find((e) => e.textContent.endsWith('top of Two')).value",
          as: String.self)
        try await choose(page, "place", place)
        #expect(try await asked(page).hasPrefix("Would import 2 customers"))
        // The focus stays on what was chosen.
        try await page.tab.run("document.querySelector('#answer [name=place]').focus()")
        try await choose(page, "place", place)
        #expect(try await page.tab.value("document.activeElement.name", as: String.self) == "place")
        try await page.tab.click(page.id("yes"))
        try await page.expect(["Ann", "Cid", "Dora", "Bob"])
        #expect(try page.stored() == [["Ann"], ["Cid", "Dora", "Bob"]])
      }
    }

    @Test func `who is known by an address is skipped, unless another choice is made`() async throws {
      let prepare: @Sendable (inout CustomerList) throws -> Void = { list in
        try list.update(list.customer(named: "Ann").id) { $0.email = "ann@x.example" }
      }
      try await withPage("Ann", prepare: prepare) { page in
        let file = "name,email,phone\nAnna,ANN@x.example,5\nCid,c@x.example,6\n"
        for (handling, names) in [("skip", ["Ann", "Cid"]), ("add", ["Ann", "Cid", "Anna", "Cid"])] {
          try await begin(page, "people.csv", file)
          #expect(try await asked(page).contains("skip "))
          if handling == "add" { try await choose(page, "known", handling) }
          try await page.tab.click(page.id("yes"))
          try await page.expect(names)
        }
      }
    }

    /// The list as a file with ids, in a format.
    private func handOut(
      _ page: TestPage, as format: String, isTouched: Bool = false
    ) async throws -> String {
      try await page.tab.run(
        """
        (() => { const make = URL.createObjectURL
          URL.createObjectURL = (blob) => (blob.text().then((text) => { self.saved = text }), make(blob)) })()
        """)
      try await page.choose("Download…", answering: "\(format) ids", isTouched: isTouched)
      try await page.tab.wait(until: "self.saved")
      return try await page.tab.value("self.saved", as: String.self)
    }

    @Test
    func `the order of a file that was handed out is taken, and rows that it lacks are kept or deleted`()
      async throws
    {
      try await withPage("Ann, Bob, Cid, Dee") { page in
        var lines = try await handOut(page, as: "tsv").split(separator: "\n")
        lines.remove(at: 2)
        lines.insert(lines.remove(at: 3), at: 1)
        let file = lines.joined(separator: "\n") + "\n"
        for (deletes, names) in [(false, ["Dee", "Ann", "Bob", "Cid"]), (true, ["Dee", "Ann", "Cid"])] {
          try await begin(page, "back.tsv", file)
          let choices = try await page.tab.value(
            "[...document.querySelectorAll('#answer .check')].map((e) => e.textContent)", as: [String].self)
          #expect(
            choices.prefix(2)
              == (deletes
                ? [
                  "Delete 1 customer whom the file no longer has", "The first line names the columns",
                ]
                : [
                  "Move 1 customer to where the file has them",
                  "Delete 1 customer whom the file no longer has",
                ]))
          if deletes {
            try await page.tab.click("document.querySelector('#answer [name=delete_missing]')")
            try await page.tab.wait(
              until: "document.querySelector('#answer .lines').textContent.includes('Would delete \"Bob\".')")
          } else {
            #expect(try await asked(page).contains("move 1"))
            #expect(
              try await page.tab.value(
                "document.querySelector('#answer .lines').textContent.includes('Would move \"Dee\".')",
                as: Bool.self))
          }
          try await page.tab.wait(until: "!document.getElementById('yes').disabled")
          try await page.tab.click(page.id("yes"))
          try await page.expect(names)
        }
        try await page.tab.click(page.id("undo"))
        try await page.expect(["Dee", "Ann", "Bob", "Cid"])
      }
    }

    @Test func `rows with ids that are pasted ask whether they update rows or are new`() async throws {
      try await withPage("Ann, Bob, Cid") { page in
        let lines = try await handOut(page, as: "tsv").split(separator: "\n")
        let file = [lines[0], lines[2]].map { $0.replacing("Bob", with: "Rob") + "\n" }.joined()
        let quoted = String(decoding: try JSONEncoder().encode(file), as: UTF8.self)
        for (way, names) in [
          ("add", ["Ann", "Bob", "Cid", "Rob"]), ("update", ["Ann", "Rob", "Cid", "Rob"]),
        ] {
          try await page.tab.run(
            """
            (() => { const event = new Event('paste', {bubbles: true, cancelable: true})
              Object.defineProperty(event, 'clipboardData', {value: {getData: (type) => type === 'text/plain' ? \(quoted) : ''}})
              document.getElementById('list').focus()
              document.activeElement.dispatchEvent(event) })()
            """)
          try await page.tab.wait(
            until: "document.getElementById('ask').open && !document.getElementById('yes').disabled")
          #expect(try await asked(page).contains("update 1"))
          try await choose(page, "known", way)
          try await page.tab.click(page.id("yes"))
          try await page.expect(names)
        }
      }
    }

    @Test func `a list that was handed out comes back, conflict by conflict`() async throws {
      let prepare: @Sendable (inout CustomerList) throws -> Void = { list in
        for name in ["Ann", "Bob"] {
          try list.update(list.customer(named: name).id) { $0.phone = "old" }
        }
      }
      try await withPage("Ann, Bob", .phone, prepare: prepare) { page in
        let file = try await handOut(page, as: "csv", isTouched: true)
        #expect(file.hasPrefix("id,version,"))
        try page.edit { list in
          for name in ["Ann", "Bob"] { try list.update(list.customer(named: name).id) { $0.phone = "list" } }
        }
        try await begin(page, "back.csv", file.replacing("old", with: "file"))
        #expect(try await asked(page).hasPrefix("Would import 0 customers"))
        let conflicts = "[...document.querySelectorAll('#answer [aria-label*=\"in the file\"]')]"
        let texts = try await page.tab.value("\(conflicts).map((e) => e.ariaLabel)", as: [String].self)
        #expect(
          texts == [
            "\"Ann\" (@1): phone is \"list\" here, \"file\" in the file",
            "\"Bob\" (@2): phone is \"list\" here, \"file\" in the file",
          ])
        // What has to be decided is not below a long table.
        #expect(
          try await page.tab.value(
            "\(conflicts)[1].compareDocumentPosition(document.querySelector('.sheet'))", as: Int.self)
            == 4)
        // Nothing is wider than the phone but the table, which scrolls.
        #expect(
          try await page.tab.value(
            "document.getElementById('ask').scrollWidth <= document.getElementById('ask').clientWidth",
            as: Bool.self))
        try await page.tab.run(
          "(() => { const e = \(conflicts)[1]; e.value = 'theirs'; e.dispatchEvent(new Event('change')) })()")
        try await page.tab.tap(page.id("yes"))
        try await page.hear("Imported 0 customers")
        try await page.settle()
        #expect(
          try await page.list.store.read { list in
            try ["Ann", "Bob"].map { try list.customer(named: $0).fields.phone }
          } == ["list", "file"])
      }
    }
  }
}
