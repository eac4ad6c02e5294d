internal import CustomerStore
internal import CustomerStoreCluster
internal import CustomersCluster
internal import CustomersSystem
internal import CustomersText
internal import CustomersWeb

extension Command {
  static let status = Command(
    name: "status", summary: "say whether the list, its page, and its copies are well",
    description: [
      "It verifies the list as check does, sees whether it can be edited and whether its page is served, and",
      "prints which file is used. The exit code is the first of 8, 10, 3, 9, and 11.",
    ],
    options: [.optional(StatusReport.copies), .optional(StatusReport.maxAge)],
    examples: [
      CommandExample("For another program", "customers status --json")
    ],
    seeAlso: ["check", "backup", "exit-codes"],
    need: { $0.has(StatusReport.copies) ? .typist : .list },
    run: { session in try StatusReport(session).run() })
}

/// What `status` finds out.
private struct StatusReport {
  static let copies = Option.value(
    "--copies", .file(.list, "FILE|FOLDER"), "also look at the copies of backup --every, or the standby")
  static let maxAge = Option.value(
    "--max-age", .duration, "how late a copy, or a standby (1m), may be")

  /// One thing that was looked at.
  private struct Part {
    /// Its name in JSON.
    var name: String
    /// What it is in a line of text.
    var title: String
    var text: String
    /// What is wrong; nil if it is well.
    var problem: ExitCode?
    var facts: [(String, JSON)] = []
  }

  private let session: Session

  init(_ session: Session) throws {
    self.session = session
    guard !session.invocation.has(StatusReport.maxAge) || session.invocation.has(StatusReport.copies) else {
      throw Failure.usage("\(StatusReport.maxAge.name) needs \(StatusReport.copies.name)")
    }
    if session.invocation.has(StatusReport.copies), case .ssh = try session.list.address {
      throw Failure.usage(
        "\(StatusReport.copies.name) needs a list on this machine",
        hint: "for the copies alone: customers backup FILE \(CopyQuestion.latest.name)",
        offendingArgument: StatusReport.copies.name)
    }
  }

  func run() throws -> ExitCode {
    // What can't be reached, or is locked, keeps no one waiting twice.
    var (parts, isOutOfReach): ([Part], Bool) = ([], false)
    if case .cluster(let address) = try session.list.address {
      let cluster = cluster(address)
      isOutOfReach = cluster.problem != nil
      let absent = Part(
        name: "list", title: "List", text: "can't be read without its cluster", problem: .unreadable)
      parts = [isOutOfReach ? absent : list(), cluster]
    } else {
      parts = [list()]
    }
    if let page = try page() { parts.append(page) }
    if let target = session.invocation[StatusReport.copies] { parts.append(try copies(target)) }
    let problems = parts.compactMap(\.problem)
    let worst = [.damaged, .unreadable, .notFound, .locked].first(where: problems.contains) ?? problems.first
    let facts = isOutOfReach || problems.contains(.locked) ? nil : try? session.facts()
    if try session.format() == .json {
      let objects = parts.map { part in
        (
          part.name,
          JSON.object([("ok", .bool(part.problem == nil)), ("message", .string(part.text))] + part.facts)
        )
      }
      let head: [(String, JSON)] = [
        ("op", .string("status")), ("ok", .bool(worst == nil)),
        ("code", .int(Int((worst ?? .done).rawValue))),
      ]
      let info = facts.map { ("info", JSON.object($0.map { ($0.key, $0.value) })) }
      try session.output.write(JSON.object(head + objects + [info].compactMap(\.self)).text + "\n")
    } else if !session.isQuiet || worst != nil {
      for part in parts where !session.isQuiet || part.problem != nil {
        try session.output.write("\(padded(part.title + ":", to: 12)) \(printable(part.text))\n")
      }
      if !session.isQuiet, let facts { try session.tell(facts) }
    }
    return worst ?? .done
  }

  private func list() -> Part {
    var part = Part(name: "list", title: "List", text: "")
    do {
      part.facts = [("file", .string(try session.list.name))]
      let store = try session.openList(creating: false).forChecking()
      let found = try session.readAtLength(store) { list in
        (try list.check(), try? list.outline(), try list.version())
      }
      if let outline = found.1 {
        part.facts.append(("count", .int(outline.count)))
        let sections = outline.sections.count
        part.text =
          "OK, \(counted(outline.count, "row")) in \(counted(sections, "section"))"
      }
      part.facts.append(("version", .string(found.2.text)))
      if let first = found.0.first {
        part.text = "\(counted(found.0.count, "problem")): \(first.line)"
        part.problem = .damaged
      } else if try !canEdit() {
        part.text += "; you may only read it"
        part.facts.append(("read_only", .bool(true)))
      }
    } catch {
      let failure = session.failure(error)
      part.text = failure.message
      switch error as? StoreError {
      case .locked: part.problem = .locked
      case .missing: part.problem = .notFound
      case let error? where error.isOfDamage: part.problem = .damaged
      default: part.problem = failure.code == .notFound ? .notFound : .unreadable
      }
    }
    return part
  }

  /// Edits the list, and undoes that at once.
  ///
  /// - Returns: whether this user may edit it; then others keep no one from doing so.
  private func canEdit() throws -> Bool {
    struct Undone: Error {}
    do {
      try session.openList(creating: false).write { list in
        _ = try list.addSection(title: "\(UInt64.random(in: 0 ... .max))")
        throw Undone()
      }
    } catch StoreError.readOnly { return false } catch StoreError.needsUpgrade {} catch is Undone {}
    return true
  }

  private func cluster(_ address: ClusterAddress) -> Part {
    do {
      let nodes = try CustomerStore.clusterNodes(at: address)
      let leader = nodes.first(where: \.isLeader)?.address
      let votes = nodes.count(where: \.isVoter)
      return Part(
        name: "cluster", title: "Cluster",
        text: "\(leader ?? "no node") leads, \(votes) of \(nodes.count) nodes vote",
        problem: leader == nil ? .unreadable : nil,
        facts: [("nodes", .int(nodes.count)), ("voters", .int(votes))])
    } catch {
      return Part(
        name: "cluster", title: "Cluster", text: session.failure(error).message, problem: .unreadable)
    }
  }

  /// The page of the list; nil if it never had one on this machine.
  ///
  /// A page that is not served is no problem: no one may want it now.
  private func page() throws -> Part? {
    guard let path = try session.list.address.path, let list = try? Folder.resolve(path),
      let file = WebAddress.File(ofList: list, session.environment), let port = file.read()?.port, port > 0
    else { return nil }
    if (try? People(of: file).all()) == nil {
      return Part(
        name: "page", title: "Page",
        text: "the keys of people can't be read; to see why: customers web people", problem: .unreadable,
        facts: [("port", .int(Int(port)))])
    }
    let answer = HealthProbe.ask(port: port)
    let texts: [HealthProbe.Answer: String] = [
      .well: "served on port \(port)", .silent: "not served now; its port is \(port)",
      .troubled: "port \(port) answers, but can't read the list",
      .hung: "port \(port) does not answer; restart the page",
    ]
    return Part(
      name: "page", title: "Page", text: texts[answer] ?? "",
      problem: answer == .troubled || answer == .hung ? .unreadable : nil,
      facts: [("port", .int(Int(port))), ("state", .string(answer.rawValue))])
  }

  private func copies(_ target: String) throws -> Part {
    var part = Part(name: "copies", title: "Copies", text: "")
    do {
      let (copy, kept) = try session.newestCopy(of: target)
      let name = kept.name(of: copy)
      part.facts = [("file", .string(name)), ("time", .string(copy.name.time))]
      part.text = "the newest is from \(localTime(copy.name.time)): \(name)"
      if let age = session.invocation[StatusReport.maxAge] {
        try kept.refuse(
          copy, olderThan: age, session.invocation.word(of: StatusReport.maxAge) ?? "")
      }
    } catch {
      let failure = session.failure(error)
      if failure.code == .outdated, let standby = standby(target) { return standby }
      part.text = failure.message
      part.problem = [.damaged, .outdated].first { $0 == failure.code } ?? .unreadable
    }
    return part
  }

  /// The standby, if the file is one.
  private func standby(_ target: String) -> Part? {
    var part = Part(name: "standby", title: "Standby", text: "")
    do {
      guard let standby = try? Standby(session, at: ListAddress(target), for: StatusReport.copies),
        let gap = try standby.gap()
      else { return nil }
      part.facts = [("file", .string(gap.name)), ("missing", .int(gap.steps))]
      if let since = gap.since { part.facts.append(("since", .string(since))) }
      part.text = gap.text
      // A step takes a moment to arrive.
      let age = session.invocation[StatusReport.maxAge] ?? .seconds(60)
      if gap.isLonger(than: age) { part.problem = .outdated }
    } catch {
      let failure = session.failure(error)
      // A folder, on another machine, whose key may not allow for one.
      guard ![.usage, .refused].contains(failure.code) else { return nil }
      part.text = failure.message
      part.problem = [.damaged, .outdated].first { $0 == failure.code } ?? .unreadable
    }
    return part
  }
}
