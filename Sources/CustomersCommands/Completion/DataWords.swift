internal import CustomerStore

/// Words for rows and sections that the customers file has.
///
/// A file that is missing, locked, or unreadable has none; no file is created and no error shown while a
/// person types.
struct DataWords {
  /// A run of what has been typed so far, which may name the file.
  let session: Session

  /// Rows by name, or by number or id if `typed` starts like one.
  func rows(typed: String) -> [Candidate] {
    if let slash = typed.lastIndex(of: "/"), slash > typed.startIndex {
      let found = rows(in: String(typed[..<slash]), typed: typed)
      if !found.isEmpty { return found }
    }
    return read(typed) { list, candidates in
      let outline = try list.outline()
      try list.forEach { customer in
        let position = String(outline.position(of: customer.place))
        let name = customer.name
        if !typed.isEmpty {
          candidates.offer(position, name)
          candidates.offer("@\(customer.id.rawValue)", name)
        }
        if let word = RowSelector.word(forName: name) { candidates.offer(word, "row \(position)") }
        return !candidates.isFull
      }
    }
  }

  /// The rows of a section by number, as `leads/2`.
  private func rows(in section: String, typed: String) -> [Candidate] {
    read(typed) { list, candidates in
      let section = (title: section, id: try list.outline().section(titled: section, upTo: .part).id)
      try list.forEach(in: section.id) { customer in
        candidates.offer("\(section.title)/\(customer.place.order)", customer.name)
        return !candidates.isFull
      }
    }
  }

  /// The names of the extra columns.
  func columns() -> [String] {
    read("") { list, candidates in
      for column in try list.extraColumns() { candidates.offer(column.name) }
    }.map(\.word)
  }

  /// Returns the values that customers have in a field.
  func values(of name: String, typed: String) -> [Candidate] {
    read(typed) { list, candidates in
      guard let field = try list.field(named: name) else { return }
      try list.forEach { customer in
        candidates.offer(customer.fields[field].text)
        return !candidates.isFull
      }
    }
  }

  /// Sections by title or by id if `typed` starts like one.
  func sections(typed: String) -> [Candidate] {
    read(typed) { list, candidates in
      let outline = try list.outline()
      for section in outline.sections {
        let title = section.title
        if !typed.isEmpty { candidates.offer("@\(section.id.rawValue)", title) }
        guard !title.hasPrefix("-"), (try? outline.section(titled: title, upTo: .words).id) == section.id
        else { continue }
        candidates.offer(title, counted(section.count, "row"))
      }
    }
  }

  /// Reads the list; for a list on another machine, the program there completes the whole line instead.
  private func read(
    _ typed: String, _ body: (borrowing CustomerList, inout CandidateList) throws -> Void
  ) -> [Candidate] {
    guard let list = try? session.list else { return [] }
    if case .ssh(let machine) = list.address {
      session.progress.need(machine)
      return []
    }
    var options = CustomerStore.Options()
    options.createsFile = false
    options.busyTimeout = .milliseconds(200)
    let candidates = try? session.context.openStore(list.address.byShell(session.environment), options).read {
      list in
      var candidates = CandidateList(typed: typed)
      try body(list, &candidates)
      return candidates.candidates
    }
    return candidates ?? []
  }
}

extension ListAddress {
  /// The address as the shell would give it to the command.
  fileprivate func byShell(_ environment: [String: String]) -> ListAddress {
    path.map { .file(pathByShell($0, environment)) } ?? self
  }
}

extension RowSelector {
  /// The word that names rows by a name; nil if there is none.
  ///
  /// A name that would be read as a number or an option is marked as a name.
  static func word(forName name: String) -> String? {
    let marked = "name:" + name
    guard (try? parse(marked)) == [.name(name)] else { return nil }
    return !name.hasPrefix("-") && (try? parse(name)) == [.name(name)] ? name : marked
  }
}
