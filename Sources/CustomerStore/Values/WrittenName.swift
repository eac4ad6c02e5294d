internal import CustomersText

/// A name as people write it, in a file or on the command line.
extension CustomerFields {
  /// Splits a full name; see `setName`.
  ///
  /// "Lee, Ann" is the last name before the first name, unless it looks like a company or a name with a title. If
  /// `hasParticles` is true, a last name may begin with lowercase words, as in "Carla de la Cruz".
  package mutating func setWrittenName(_ name: String, hasParticles: Bool = false) {
    let parts = name.split(separator: ",", omittingEmptySubsequences: false).map {
      String(String($0).trimmingBlanks)
    }
    if parts.count == 2, parts.allSatisfy({ $0.contains(where: \.isLetter) }), !name.isCompany,
      !parts[1].isTitle,
      parts.allSatisfy({ $0.split(separator: " ").count <= 3 })
    {
      (firstName, lastName) = (parts[1], parts[0])
      return
    }
    setName(name)
    guard hasParticles, name.contains(" ") else { return }
    let words = name.split(separator: " ").map(String.init)
    guard let start = words.dropFirst().dropLast().firstIndex(where: String.particles.contains) else {
      return
    }
    (firstName, lastName) = (
      words[..<start].joined(separator: " "), words[start...].joined(separator: " ")
    )
  }
}

extension String {
  /// Whether it has the legal form of a company, or a sign that names of people don't have.
  package var isCompany: Bool {
    contains("&")
      || searchFolded(self).split { $0 == " " || $0 == "," }.contains { word in
        String.legalForms.contains(word.filter { $0 != "." })
      }
  }

  /// Whether it comes after a name and a comma, as in "Ann Lee, MD".
  fileprivate var isTitle: Bool { String.titles.contains(searchFolded(filter { $0 != "." && $0 != " " })) }

  /// Words with which a last name may begin, written in lowercase.
  fileprivate static let particles: Set = [
    "af", "av", "bin", "da", "das", "de", "degli", "dei", "del", "della", "den", "der", "di", "do", "dos",
    "du", "ibn",
    "la", "le", "ten", "ter", "van", "vom", "von", "y", "zu", "zum", "zur",
  ]

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
