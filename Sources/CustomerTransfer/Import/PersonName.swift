internal import CustomerStore

extension CustomerFields {
  /// Splits a full name of a file; see `setName`.
  ///
  /// "Lee, Ann" is the last name before the first name, unless it looks like a company or a name with a title.
  mutating func setWrittenName(_ name: String) {
    guard name.utf8.contains(UInt8(ascii: ",")) else { return setName(name) }
    let parts = name.split(separator: ",", omittingEmptySubsequences: false).map {
      String(String($0).trimmingBlanks)
    }
    guard parts.count == 2, parts.allSatisfy({ $0.contains(where: \.isLetter) }), !name.isCompany,
      !parts[1].isTitle, parts.allSatisfy({ $0.split(separator: " ").count <= 3 })
    else { return setName(name) }
    (firstName, lastName) = (parts[1], parts[0])
  }
}

extension String {
  /// Whether it has the legal form of a company, or a sign that names of people don't have.
  var isCompany: Bool {
    contains("&")
      || searchFolded(self).split { $0 == " " || $0 == "," }.contains { word in
        String.legalForms.contains(word.filter { $0 != "." })
      }
  }

  /// Whether it comes after a name and a comma, as in "Ann Lee, MD".
  fileprivate var isTitle: Bool { String.titles.contains(searchFolded(filter { $0 != "." && $0 != " " })) }

  private static let legalForms: Set = [
    "gmbh", "ag", "kg", "ohg", "gbr", "ug", "ev", "inc", "incorporated", "llc", "llp", "ltd", "limited",
    "corp",
    "corporation", "co", "company", "plc", "pty", "sa", "sas", "sarl", "eurl", "srl", "spa", "sl", "bv", "nv",
    "ab",
    "as", "aps", "oy", "group", "holding", "trust",
  ]

  private static let titles: Set = [
    "jr", "sr", "ii", "iii", "iv", "md", "phd", "esq", "cpa", "mba", "dds", "rn", "ma", "msc", "bsc", "mp",
  ]
}
