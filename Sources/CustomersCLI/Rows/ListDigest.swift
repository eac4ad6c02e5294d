internal import CustomerStore
internal import CustomerTransfer
internal import CustomersFiles
internal import CustomersFormats

extension CustomerList {
  /// The SHA-256 of everything that people see, without ids: two lists that look the same have the same
  /// digest.
  ///
  /// It hashes lines of JSON: for each section its title and footer, then its customers in order, each with
  /// every member; other contacts and tags only if there are any, as in lists from before there were any. O(rows)
  func digest() throws -> String {
    var digest = SHA256()
    var title = ""
    _ = try forEach(
      ListedRows(),
      header: { section in
        title = section.title
        let heading = SectionHeading(title: title, footer: section.footer)
        digest.update(Array("\(heading.json.text)\n".utf8))
      },
      row: { customer in digest.update(Array("\(customer.json(in: title).text)\n".utf8)) })
    return digest.hexadecimal
  }
}
