internal import CustomerStore
internal import CustomerStoreCluster
internal import CustomersCluster
internal import CustomersSystem
internal import CustomersText

extension Command {
  static let info = Command(
    name: "info", summary: "show the file in use, versions, and counts", earlier: "status",
    run: { session in
      let facts = try session.facts()
      if try session.format() == .json {
        try session.output.write(JSON.object(facts.map { ($0.key, $0.value) }).text + "\n")
      } else {
        try session.tell(facts)
      }
      return .done
    })
}

/// What is known of the file in use and the program: a JSON key and value, a title and text.
typealias Fact = (key: String, value: JSON, title: String, text: String)

extension Session {
  func tell(_ facts: [Fact]) throws {
    for fact in facts { try output.write("\(padded(fact.title + ":", to: 12)) \(printable(fact.text))\n") }
  }

  /// The file in use, versions, and counts.
  func facts() throws -> [Fact] {
    let list = try list
    guard case .cluster(let cluster) = list.address else { return try facts(ofFile: list.path, list) }
    return try facts(of: cluster, list)
  }

  fileprivate func facts(ofFile path: String, _ list: ChosenList) throws -> [Fact] {
    let exists = unsafe access(path, F_OK) == 0
    let bytes = exists ? size(path) : 0
    let store = try openStore(creating: false)
    let outline = try read(store) { list in try list.outline() }
    let format = try store.format()
    let isOlder = format < CustomerStore.formatVersion
    var facts: [Fact] = [
      ("file", .string(path), "File", path),
      ("chosen_by", .string(list.source), "Chosen by", list.source),
      ("exists", .bool(exists), "Exists", exists ? "yes" : "no"),
      ("bytes", .int(bytes), "Size", spelledSize(bytes)),
      (
        "format", .int(format), "Format",
        isOlder ? "\(format); to upgrade it: customers check \(CheckRun.upgrades.name)" : "\(format)"
      ),
      ("version", .string(version), "Program", version),
      ("build", .string(context.build), "Build", context.build),
      ("sqlite", .string(CustomerStore.sqliteVersion), "SQLite", CustomerStore.sqliteVersion),
      ("sections", .int(outline.sections.count), "Sections", "\(outline.sections.count)"),
      ("count", .int(outline.count), "Customers", "\(outline.count)"),
    ]
    if let mode = FileAccess(path)?.description {
      facts.insert(("mode", .string(mode), "Mode", mode), at: 4)
    }
    return facts
  }

  /// The facts about a list on a cluster, which has no file and uses the SQLite of its nodes.
  fileprivate func facts(of cluster: ClusterAddress, _ list: ChosenList) throws -> [Fact] {
    let outline: ListOutline?
    do {
      outline = try openList(creating: false).read { list in try list.outline() }
    } catch StoreError.missing {
      outline = nil
    }
    let nodes = try CustomerStore.clusterNodes(at: cluster)
    let texts = nodes.map { node in
      node.address + (node.isLeader ? " (leader)" : node.isVoter ? "" : " (no vote)")
    }
    let objects = nodes.map { node in
      JSON.object([
        ("address", .string(node.address)), ("leader", .bool(node.isLeader)), ("voter", .bool(node.isVoter)),
      ])
    }
    return [
      ("file", .string(list.text), "Cluster", list.text),
      ("chosen_by", .string(list.source), "Chosen by", list.source),
      ("nodes", .array(objects), "Nodes", texts.joined(separator: ", ")),
      (
        "exists", .bool(outline != nil), "Exists",
        outline != nil ? "yes" : "no; to create it: customers add NAME"
      ),
      ("format", .int(CustomerStore.formatVersion), "Format", "\(CustomerStore.formatVersion)"),
      ("version", .string(version), "Program", version),
      ("build", .string(context.build), "Build", context.build),
      ("sections", .int(outline?.sections.count ?? 0), "Sections", "\(outline?.sections.count ?? 0)"),
      ("count", .int(outline?.count ?? 0), "Customers", "\(outline?.count ?? 0)"),
    ]
  }
}

private func size(_ path: String) -> Int {
  var status = stat()
  return unsafe stat(path, &status) == 0 ? Int(status.st_size) : 0
}

/// The size in the largest unit that gives at least 1; not rounded up.
func spelledSize(_ bytes: Int) -> String {
  let units = [(1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")]
  guard let (unit, name) = units.first(where: { bytes >= $0.0 }) else { return "\(bytes) bytes" }
  let tenths = bytes / (unit / 10)
  return tenths % 10 == 0 || tenths >= 100
    ? "\(bytes / unit) \(name)" : "\(tenths / 10).\(tenths % 10) \(name)"
}
