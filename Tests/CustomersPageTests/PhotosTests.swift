internal import CustomerFixtures
internal import CustomerStore
internal import CustomersBrowser
internal import Testing

extension PageTests {
  /// Photos, in rows and in the form (S3.1, S3.24, S3.25).
  @Suite struct PhotosTests {
    private static let png =
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

    /// The width of the photo of a row, as it is in the file; 0 if none is shown.
    private func width(_ page: TestPage, _ name: String) -> String {
      "(\(page.row(name, ".photo")).checkVisibility() ? \(page.row(name, ".photo")).naturalWidth : 0)"
    }

    private let inForm = "document.querySelector('#photo img')"

    /// Gives a file to what asks for one.
    private func give(_ page: TestPage, _ file: String) async throws {
      try await page.tab.run(
        """
        (async () => { const data = new DataTransfer()
          data.items.add(\(file))
          const input = document.getElementById('picture')
          input.files = data.files
          input.dispatchEvent(new Event('change')) })()
        """)
    }

    /// A picture of the browser, as JavaScript.
    private func picture(_ width: Int, _ height: Int, _ type: String = "image/png") -> String {
      """
      await (async () => { const canvas = new OffscreenCanvas(\(width), \(height))
        canvas.getContext('2d').fillRect(0, 0, 9, 9)
        return new File([await canvas.convertToBlob({type: '\(type)'})], 'photo', {type: '\(type)'}) })()
      """
    }

    @Test func `the photo of a card is shown in its row and its form, and in no other`() async throws {
      let prepare: @Sendable (inout CustomerList) throws -> Void = { list in
        try list.update(list.customer(named: "Ann").id) {
          $0[.extra("vcard")] = .text("PHOTO:data:image/png;base64,\(Self.png)")
        }
      }
      try await withPage("Ann, Bob", prepare: prepare) { page in
        try await page.tab.wait(until: "\(width(page, "Ann")) === 1")
        #expect(try await page.tab.value(width(page, "Bob"), as: Int.self) == 0)
        // What is in the names' column stays in line with its heading.
        #expect(
          try await page.tab.value(
            "['Name', 'Ann', 'Bob'].map((text) => { const range = document.createRange(); "
              + "range.selectNodeContents([...document.querySelectorAll('#heads button, .row b')].find((e) => e.textContent === text)); "
              + "return Math.round(range.getBoundingClientRect().left) }).every((x, _, all) => x === all[0])",
            as: Bool.self))
        try await page.tab.click(page.row("Ann", ".name"))
        try await page.tab.wait(until: "\(inForm).checkVisibility() && \(inForm).naturalWidth === 1")
        try await page.tab.click(page.id("cancel"))
        try await page.tab.wait(until: "!document.getElementById('form').open")
        try await page.tab.click(page.row("Bob", ".name"))
        try await page.tab.wait(until: "document.getElementById('form').open")
        #expect(try await page.tab.value("!\(inForm).checkVisibility()", as: Bool.self))
      }
    }

    @Test func `a photo is made small, set as a step, and taken away`() async throws {
      try await withPage("Ann, Bob") { page in
        try await page.tab.click(page.row("Bob", ".name"))
        try await page.tab.wait(until: "document.getElementById('form').open")
        try await give(page, picture(2_000, 1_000))
        try await page.hear("Set the photo of \"Bob\".")
        try await page.tab.wait(until: "\(width(page, "Bob")) === 640")
        try await page.tab.wait(until: "\(inForm).checkVisibility() && \(inForm).naturalHeight === 320")
        // A file that is dropped on the form is another one.
        try await page.tab.run(
          """
          (async () => { const data = new DataTransfer()
            data.items.add(\(picture(30, 40, "image/webp")))
            document.dispatchEvent(new DragEvent('drop', {dataTransfer: data, cancelable: true})) })()
          """)
        try await page.tab.wait(until: "\(inForm).naturalWidth === 30")
        try await page.tab.click(page.id("takePhoto"))
        try await page.hear("Took away the photo of \"Bob\".")
        try await page.tab.wait(until: "\(width(page, "Bob")) === 0 && !\(inForm).checkVisibility()")
        try await page.tab.click(page.id("undo"))
        try await page.tab.wait(until: "\(width(page, "Bob")) === 30 && \(inForm).checkVisibility()")
      }
    }

    @Test func `what is no picture is refused, and who can't edit is offered nothing`() async throws {
      try await withPage(
        "Ann, Bob", prepare: { try $0.protect($0.customer(named: "Bob").id, canEdit: false, canMove: true) }
      ) { page in
        try await page.tab.click(page.row("Ann", ".name"))
        try await page.tab.wait(until: "document.getElementById('choosePhoto').checkVisibility()")
        for (text, type) in [("<svg/>", "image/svg+xml"), ("GIF", "image/png")] {
          try await page.tab.run("document.getElementById('news').textContent = ''")
          try await give(page, "new File(['\(text)'], 'photo', {type: '\(type)'})")
          try await page.hear("A photo is a JPEG, PNG, or WebP file.")
        }
        try await page.tab.click(page.row("Bob", ".name"))
        try await page.tab.wait(until: "document.getElementById('title').textContent === 'Bob'")
        #expect(
          try await page.tab.value("!document.getElementById('choosePhoto').checkVisibility()", as: Bool.self)
        )
      }
    }
  }
}
