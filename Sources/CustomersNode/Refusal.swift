#if Cluster
  internal import CustomersCluster

  /// Why a node must not run with its folder; only an operator can change that.
  struct Refusal: Error {
    /// The exit code, which the unit file exempts from restarting.
    static let exitCode: Int32 = 3

    var message: String

    static func otherCluster(_ path: String, _ own: ClusterID, _ other: Survey.Report)
      -> Self
    {
      Self(
        message: "\(path) belongs to cluster \(own), but the node at \(other.address) is of cluster "
          + "\(other.cluster?.description ?? "?"). To join that one, use an empty folder and keep this one until "
          + "you are sure that nothing in it is missing.")
    }

    static func notAMember(_ path: String, _ other: Survey.Report) -> Self {
      Self(
        message:
          "\(path) holds a log, but the cluster of \(other.address) has no such node: the node was removed, "
          + "or its log is of another cluster. To join, use an empty folder and keep this one until you are sure "
          + "that nothing in it is missing.")
    }

    static func strangeLog(_ path: String) -> Self {
      Self(
        message: "\(path)/raft holds a log that is not this node's. Put the right one back, or use an empty "
          + "folder and --join")
    }

    static func lostLog(_ path: String) -> Self {
      Self(
        message:
          "\(path) belongs to a cluster, but its log in \(path)/raft is lost. To join the cluster again, "
          + "add --join; to create another cluster, use an empty folder")
    }
  }
#endif
