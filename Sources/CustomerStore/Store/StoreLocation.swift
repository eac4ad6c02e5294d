/// Where a list is.
enum StoreLocation {
  case memory
  case file(OpenFile)
  case cluster(OpenCluster)
}

extension CustomerStore {
  /// The file, if the list is in one.
  var file: OpenFile? {
    if case .file(let file) = location { file } else { nil }
  }

  /// The cluster, if the list is on one.
  var cluster: OpenCluster? {
    if case .cluster(let cluster) = location { cluster } else { nil }
  }

  /// Whether the list is on a cluster, so that there is no file to be checked, repaired or overwritten.
  public var isOnCluster: Bool { cluster != nil }
}
