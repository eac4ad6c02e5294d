#if Cluster
  internal import CCustomersDqlite
  internal import CustomersCluster

  /// Makes the only node that is left of a cluster a cluster of its own, with everything in its log.
  enum Recovery {
    /// Recovers a node that is not running.
    ///
    /// - Parameters:
    ///   - folder: the folder of the node, which the caller has locked.
    ///   - address: the address of the node.
    ///   - others: the other nodes of the cluster; none of them may answer.
    /// - Throws: `Refusal`, `NodeFolder.Problem`, or `Node.Problem`.
    static func recover(_ folder: inout NodeFolder, at address: NodeAddress, _ others: [NodeAddress]) throws {
      guard let identity = folder.identity, try folder.holdsLog(), try identity.owns(logIn: folder.path)
      else {
        throw Refusal.strangeLog(folder.path)
      }
      if let running = Survey(others).reports.first(where: { $0.members.contains { $0.id == identity.id } }) {
        throw Refusal(
          message:
            "the node at \(running.address) of the same cluster runs. If most nodes can run, start them: "
            + "nothing needs to be recovered. If not, stop it first and empty its folder before you start it again."
        )
      }
      // First, so that the node never meets its former cluster, whatever happens next.
      try folder.record(.random(), isMember: true)
      try Node.makeOnlyMember(folder, at: address)
    }
  }
#endif
