import CustomerFixtures
import CustomerStore
import CustomerTransfer
import CustomersTestSupport
import Foundation
import Testing

/// Files as other programs write them, and what every person in them looks like afterward.
///
/// The files were written for these tests, with the columns and quirks of each program. The people are invented.
@Suite(.onThreads) struct RealFilesTests {
  private static let folder =
    URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Samples").path

  /// The names of the files.
  private static let files: [String] =
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter {
      !$0.hasSuffix(".expected")
    }
    .sorted()

  @Test(arguments: files) func `everybody arrives whole, without an option but yes`(file: String) throws {
    let path = "\(Self.folder)/\(file)"
    var options = ImportOptions(format: try #require(FileFormat(path: path)))
    (options.acceptsUnmatchedColumns, options.fillsShortRows) = (true, true)
    let store = try CustomerStore.inMemory("")
    do {
      try store.write { try $0.importCustomers(from: CustomerImporter(path: path, options: options)) }
    } catch TransferError.noHeader {
      options.hasHeader = false
      try store.write { try $0.importCustomers(from: CustomerImporter(path: path, options: options)) }
    }
    var text = ""
    try store.read { list in
      try list.forEach { customer in
        text += customer.fields.described
        return true
      }
    }
    let expected = "\(path).expected"
    if ProcessInfo.processInfo.environment["CUSTOMERS_RECORD"] == "1" {
      try text.write(toFile: expected, atomically: true, encoding: .utf8)
    }
    #expect(try text == String(contentsOfFile: expected, encoding: .utf8))
  }
}

extension RealFilesTests {
  @Test func `address books in one list leave few columns`() throws {
    let store = try CustomerStore.inMemory("")
    for book in [
      "outlook-english", "google", "thunderbird", "hubspot", "salesforce", "linkedin", "mailchimp",
    ] {
      try store.write { try $0.importCustomers(from: CustomerImporter(path: "\(Self.folder)/\(book).csv")) }
    }
    #expect(
      try store.read { try $0.extraColumns().map(\.name) } == [
        "Title", "Middle name", "Department", "Job title", "Birthday", "Record ID", "Owner", "Website",
        "Connected On",
      ])
  }
}

extension CustomerFields {
  /// Every field with a value, one per line, and the extra columns in parentheses.
  fileprivate var described: String {
    var lines = [CustomerFields(firstName: firstName, lastName: lastName).name]
    func add(_ name: String, _ text: String) {
      for line in text.split(separator: "\n", omittingEmptySubsequences: false) where !text.isEmpty {
        lines.append("  \(name): \(line)")
      }
    }
    add("company", company)
    add("email", email)
    add("phone", phone)
    add("address", address)
    add("parts", addressParts)
    add("other", otherContacts)
    add("tag", tags)
    add("note", note)
    for (name, value) in extraColumns.columns { add("(\(name))", value.text) }
    return lines.joined(separator: "\n") + "\n"
  }
}
