extension [VCardEntry] {
  /// What is left of an imported card.
  struct Rest {
    /// The lines that are about nothing else.
    var lines: [String] = []
    /// The lines that say something else than the entries, because the customer was edited.
    var outdated: Set<String> = []
    /// Whether another value is the main one.
    var hasOtherMain = false
  }

  /// Writes the lines of an imported card in place of those that say the same, with all their parameters.
  ///
  /// - Parameter card: the lines.
  /// - Returns: the other lines of the card.
  mutating func merge(_ card: String) -> Rest {
    let properties = card.split(separator: "\n").map(String.init).filter(VCardText.isLine)
      .compactMap { VCardProperty($0) }
    let labels = VCardContacts.labels(properties)
    let contacts = properties.map { VCardContacts.line($0, labels: labels) }
    var taken: [Int: Int] = [:]
    // If the card says it twice, the more preferred line is that of a main value, the first one that of another.
    let preferred = properties.indices.sorted {
      (properties[$0].preference, $0) < (properties[$1].preference, $1)
    }
    for (isMain, order) in [(true, preferred), (false, [Int](properties.indices))] {
      for index in order where taken[index] == nil && properties[index].isField {
        let property = properties[index]
        let used = Set(taken.values)
        taken[index] = indices.first {
          self[$0].isPreferred == isMain && !used.contains($0) && self[$0].says(property, contacts[index])
        }
        taken[index].map { self[$0].lines = [property.line] }
      }
    }
    let used = taken.values.sorted().map { self[$0] }
    var first: [VCardEntry] = []
    var rest = Rest()
    var (current, outdated): (Set<String>, Set<String>) = ([], [])
    var others: [VCardProperty] = []
    for (index, property) in properties.enumerated() where property.name != "CATEGORIES" {
      // The card may say it twice, once without a label, or have a second name.
      if !property.isField {
        others.append(property)
      } else if taken[index] != nil {
        current.insert(property.group)
      } else if let entry = used.first(where: { entry in
        entry.says(property, contacts[index], ignoringNoLabel: true)
          || property.name == "N" && entry.property?.name == "N"
      }) {
        if entry.isPreferred {
          first.append(VCardEntry(property, contacts[index]))
        } else {
          others.append(property)
        }
        current.insert(property.group)
      } else {
        outdated.insert(property.group)
        rest.outdated.insert(property.line)
      }
    }
    rest.outdated.formUnion(mergeTags(properties.filter { $0.name == "CATEGORIES" }))
    for entry in first.reversed() {
      insert(entry, at: firstIndex { $0.contact?.kind == entry.contact?.kind } ?? startIndex)
    }
    rest.hasOtherMain = prefer()
    for property in others {
      let isAlone =
        !property.group.isEmpty && outdated.contains(property.group) && !current.contains(property.group)
      if isAlone { rest.outdated.insert(property.line) } else { rest.lines.append(property.line) }
    }
    return rest
  }

  /// Writes the lines with tags of a card, as far as the customer has the tags.
  ///
  /// - Returns: the lines with tags that are out of date.
  private mutating func mergeTags(_ properties: [VCardProperty]) -> [String] {
    guard let index = firstIndex(where: { $0.property?.name == "CATEGORIES" }), let own = self[index].property
    else { return properties.map(\.line) }
    let tags = VCardText.split(own.value, at: UInt8(ascii: ","))
    var outdated: [String] = []
    var lines: [String] = []
    var written: Set<String> = []
    for property in properties {
      let all = VCardText.split(property.value, at: UInt8(ascii: ","))
      let known = all.filter { $0.isEmpty || tags.contains($0) }
      if known.count < all.count { outdated.append(property.line) }
      guard known.contains(where: { !$0.isEmpty }) else { continue }
      lines.append(known.count < all.count ? "\(property.head):\(VCardText.list(known))" : property.line)
      written.formUnion(known)
    }
    let rest = tags.filter { !written.contains($0) }
    self[index].lines = lines + (rest.isEmpty ? [] : ["CATEGORIES:" + VCardText.list(rest)])
    return outdated
  }

  /// Marks the main values of which an imported line would otherwise make another one the main one.
  ///
  /// - Returns: whether there were any.
  private mutating func prefer() -> Bool {
    var isChanged = false
    for index in indices where self[index].isPreferred {
      let others = indices.filter { self[$0].contact?.kind == self[index].contact?.kind }
      let best = others.min { self[$0].preference < self[$1].preference }
      guard let best, self[best].contact?.value != self[index].contact?.value else { continue }
      for other in others where self[other].preference == 1 { self[other].setPreference(2) }
      self[index].setPreference(1)
      isChanged = true
    }
    return isChanged
  }
}

extension VCardEntry {
  /// Whether a property of a card says the same; it may have no label for the value.
  fileprivate func says(
    _ other: VCardProperty, _ contact: ContactLine?, ignoringNoLabel: Bool = false
  ) -> Bool {
    if let own = self.contact {
      guard let contact, contact.kind == own.kind,
        VCardText.carried(contact.value) == VCardText.carried(own.value)
      else { return false }
      return contact.label == own.label || ignoringNoLabel && contact.label.isEmpty
    }
    guard let property, property.name == other.name else { return false }
    func fields(_ property: VCardProperty) -> [String: String] {
      VCardFields.read(property).mapValues(VCardText.carried)
    }
    return VCardFields.properties[other.name] != nil
      ? fields(other) == fields(property) : other.value == property.value
  }

  fileprivate var preference: Int { VCardProperty(lines[0])?.preference ?? 101 }

  /// Gives the first line a preference, in the form of vCard 4.0.
  fileprivate mutating func setPreference(_ number: Int) {
    guard let property = VCardProperty(lines[0]) else { return }
    lines[0] = property.withPreference(number).line
  }
}

extension VCardProperty {
  /// Whether a customer has a field or a column for it.
  fileprivate var isField: Bool {
    VCardContacts.properties[name] != nil || VCardFields.properties[name] != nil || name == "CATEGORIES"
      || VCardFields.shown.contains(name)
  }
}
