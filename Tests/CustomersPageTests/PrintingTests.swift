internal import CustomerFixtures
internal import CustomerStore
internal import CustomersBrowser
internal import CustomersSystem
internal import CustomersTestSupport
internal import Foundation
internal import Testing

extension PageTests {
  /// The list on paper, and what an empty list offers.
  @Suite struct PrintingTests {
    private func lines(_ page: TestPage) async throws -> [String] {
      try await page.tab.run("self.print = () => { self.isPrinted = true }")
      try await page.tab.keys("Control+p")
      try await page.tab.wait(until: "self.isPrinted")
      return try await page.tab.value(
        "[...document.querySelectorAll('.printing #paper tr')].map((e) => [...e.children].map((e) => e.textContent).join('|'))"
      )
    }

    @Test func `Ctrl+P prints all rows with numbers and boxes, section by section`() async throws {
      let names = (1...1_500).map { "N\($0)" }
      let prepare: @Sendable (inout CustomerList) throws -> Void = { list in
        try list.update(list.customer(named: "Z2").id) { $0.phone = "+49 30 1" }
      }
      try await withPage(.init("One: \(names.joined(separator: ", ")) | Two: Z1, Z2"), prepare: prepare) {
        page in
        try await page.tab.keys("End")
        try await page.tab.wait(until: "\(page.row("Z2"))?.querySelector('.phone')")
        let lines = try await lines(page)
        #expect(lines.count == 1 + 2 + 1_502)
        #expect(lines.prefix(3) == ["||Name|Phone", "||One", "☐|1|N1|"])
        #expect(lines.suffix(3) == ["||Two", "☐|1,501|Z1|", "☐|1,502|Z2|+49 30 1"])
        // Nothing of it is on the screen.
        #expect(
          try await page.tab.value("document.getElementById('paper').getClientRects().length", as: Int.self)
            == 0)
        try await page.tab.run("dispatchEvent(new Event('afterprint'))")
        #expect(try await page.tab.value("document.body.matches('.printing')", as: Bool.self) == false)
      }
    }

    /// A page of paper: its size in points, and each piece of text with where it begins.
    private struct Sheet: Decodable {
      struct Piece: Decodable {
        let x: Double, y: Double
        let text: String
      }
      let width: Int, height: Int
      let pieces: [Piece]

      /// The lines, from top to bottom, without the spaces.
      var lines: [String] {
        text(in: 0...Double(width), 0...Double(height)).map { $0.replacing(" ", with: "") }
      }

      /// The lines of a part of the page.
      func text(in columns: ClosedRange<Double>, _ rows: ClosedRange<Double>) -> [String] {
        let found = pieces.filter { columns.contains($0.x) && rows.contains($0.y) }
        return Dictionary(grouping: found, by: \.y).sorted { $0.key < $1.key }.map {
          $0.value.sorted { $0.x < $1.x }.map(\.text).joined()
        }
      }
    }

    /// What is printed, as a reader of PDF finds it.
    private func sheets(_ page: TestPage) async throws -> [Sheet] {
      let folder = try TemporaryFolder(), file = folder.path + "/page.pdf"
      try write(try await page.tab.pdf(), to: file)
      let script = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "PDF/pdf-text.py").path(percentEncoded: false)
      var python = Spawn(
        words: ["python3", script, file], environment: ProcessInfo.processInfo.environment,
        folder: folder.path)
      python.output = folder.path + "/text"
      #expect(Spawn.wait(try python.start()) == 0)
      return try JSONDecoder().decode([Sheet].self, from: Data(try bytes(of: python.output)))
    }

    @Test func `the PDF of the list has each row once, with its number and box, below repeated headings`()
      async throws
    {
      let names = (1...120).map { "N\($0)" }
      let prepare: @Sendable (inout CustomerList) throws -> Void = { list in
        try list.update(list.customer(named: "N1").id) { $0.phone = "+49 30 1" }
      }
      try await withPage(.init("One: \(names.joined(separator: ", ")) | Two: Zoë"), prepare: prepare) {
        page in
        _ = try await lines(page)
        guard Tab.prints else { return }
        let sheets = try await sheets(page), lines = sheets.flatMap(\.lines)
        #expect(sheets.count > 2)
        #expect(sheets.allSatisfy { sheet in sheet.lines.contains("NamePhone") })
        let rows = lines.filter { $0.hasPrefix("☐") }
        #expect(rows.count == 121 && rows.prefix(2) == ["☐1N1+49301", "☐2N2"] && rows.last == "☐121Zoë")
        #expect(lines.filter { ["One", "Two"].contains($0) } == ["One", "Two"])
      }
    }

    @Test(arguments: [("a4", 3, 8, 595, 842), ("letter", 3, 10, 612, 792)])
    func `the PDF of labels has each address on its label`(
      _ paper: String, _ columns: Int, _ rows: Int, _ width: Int, _ height: Int
    ) async throws {
      let names = (1...31).map { "N\($0)" }
      let prepare: @Sendable (inout CustomerList) throws -> Void = { list in
        for name in names {
          try list.update(list.customer(named: name).id) {
            ($0.company, $0.address) = ("C-\(name)", "S-\(name)\n10115 B-\(name)")
          }
        }
      }
      try await withPage(.init(names.joined(separator: ", ")), prepare: prepare) { page in
        guard Tab.prints else { return }
        try await printLabels(page, paper)
        let sheets = try await sheets(page), size = columns * rows
        #expect(sheets.map(\.width) == [width, width] && sheets.map(\.height) == [height, height])
        // A4: no edges but those that are left over; Letter: those of Avery 5160.
        let (left, top, across, down) =
          paper == "a4"
          ? (0.0, 1.4, 198.4, 104.9) : (13.5, 36, (2.625 + 0.125) * 72, 72)
        for (i, name) in names.enumerated() {
          let (row, column) = (i % size / columns, i % columns)
          let x = left + across * Double(column), y = top + down * Double(row)
          let text = sheets[i / size].text(in: x...(x + across), y...(y + down)).map {
            $0.replacing(" ", with: "")
          }
          #expect(text == [name, "C-\(name)", "S-\(name)", "10115B-\(name)"], "label \(i + 1)")
        }
        #expect(sheets.map { $0.pieces.isEmpty } == [false, false])
      }
    }

    private func printLabels(_ page: TestPage, _ paper: String) async throws {
      try await page.tab.run("self.print = () => { self.isPrinted = true }")
      try await page.choose("Print labels…", answering: paper)
      try await page.tab.wait(until: "self.isPrinted")
    }

    @Test func `of a search, the matches are printed, and of a list that is too long nothing`() async throws {
      try await withPage(.init((1...10_001).map { "N\($0)" }.joined(separator: ", "))) { page in
        try await page.tab.keys("Control+p")
        try await page.hear("More than 10,000 customers")
        try await page.tab.keys("/")
        try await page.tab.type("n77")
        try await page.tab.wait(until: "document.getElementById('found').textContent.endsWith(' found')")
        #expect(try await lines(page).count == 1 + 111)
      }
    }

    @Test(arguments: [("a4", 24), ("letter", 30)])
    func `labels have the addresses, so many on a sheet`(_ paper: String, _ size: Int) async throws {
      let names = (1...31).map { "N\($0)" }
      let prepare: @Sendable (inout CustomerList) throws -> Void = { list in
        for name in names.dropLast() {
          try list.update(list.customer(named: name).id) { $0.address = "Street of \(name)\n10115 Berlin" }
        }
        try list.update(list.customer(named: "N1").id) { $0.company = "Acme" }
      }
      try await withPage(.init(names.joined(separator: ", ")), prepare: prepare) { page in
        try await printLabels(page, paper)
        let sheets = try await page.tab.value(
          "[...document.querySelectorAll('#paper.labels.\(paper) > div')].map((e) => e.children.length)",
          as: [Int].self)
        #expect(sheets == (size == 24 ? [24, 6] : [30]))
        #expect(
          try await page.tab.value("document.querySelector('#paper p').textContent", as: String.self)
            == "N1\nAcme\nStreet of N1\n10115 Berlin")
        try await page.hear("1 customer without an address has no label.")
      }
    }

    @Test func `an empty list offers to add, to import, and a sample, which Undo takes away`() async throws {
      try await withPage("") { page in
        let first = page.id("first")
        try await page.tab.click(first)
        try await page.tab.wait(until: "document.activeElement.name === 'first_name'")
        try await page.tab.keys("Escape")
        try await page.tab.doubleClick(page.id("sample"))
        try await page.expect(["Ann Lee", "Bob Ray", "Cid Fox"])
        #expect(try await page.tab.value("!\(first).getClientRects().length", as: Bool.self))
        try await page.tab.click(page.id("undo"))
        try await page.tab.wait(until: "\(first).getClientRects().length")
      }
    }
  }
}
