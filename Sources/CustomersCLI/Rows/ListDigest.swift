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
    for section in try sections() {
      let heading = SectionHeading(title: section.title, footer: section.footer)
      digest.update(Array("\(heading.json.text)\n".utf8))
      try forEach(in: section.id) { customer in
        digest.update(Array("\(customer.json(in: section.title).text)\n".utf8))
        return true
      }
    }
    return digest.hexadecimal
  }
}
