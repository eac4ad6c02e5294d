internal import CustomerStore
internal import CustomerStoreCluster
internal import CustomersFormats
internal import CustomersTerminalText
internal import CustomersWording

/// What `check --digest` finds on the nodes of a cluster.
struct NodeFindings {
  /// What it finds on one node.
  private struct Finding: Equatable {
    let digest: String
    let problems: Int
  }

  /// The leader's first; empty if the list is not on a cluster.
  private let nodes: [(address: String, finding: Finding?)]

  init(_ store: CustomerStore) throws {
    nodes = try store.readEachNode { list in
      Finding(digest: try list.digest(), problems: try list.check().count)
    }.map { ($0.address, $0.result) }
  }

  /// The digest of the leader's list, without which there are no nodes.
  private var expected: Finding? { nodes.first?.finding }

  /// A line for each node.
  var lines: [String] {
    nodes.map { node in
      let words =
        switch node.finding {
        case nil: "no answer"
        case expected?: "the same"
        case let other?: "DIFFERENT: \(other.digest), \(problemCount(other.problems))"
        }
      return "\(printable(node.address)): \(words)"
    }
  }

  /// The same for a program.
  var json: [(String, JSON)] {
    guard !nodes.isEmpty else { return [] }
    let objects = nodes.map { node in
      JSON.object([
        ("address", .string(node.address)),
        ("digest", node.finding.map { .string($0.digest) } ?? .raw("null")),
        ("ok", .bool(node.finding != nil && node.finding == expected)),
      ])
    }
    return [("nodes", .array(objects))]
  }

  /// The failure if a node has another list than the leader.
  var failure: Failure? {
    let others = nodes.filter { $0.finding != nil && $0.finding != expected }.map { printable($0.address) }
    guard !others.isEmpty else { return nil }
    return Failure(
      code: .failed, message: "another list than the leader's is on \(others.joined(separator: ", "))",
      hint: "make a backup; then stop that node, empty its folder, and start it again with --join",
      isFinding: true)
  }
}
