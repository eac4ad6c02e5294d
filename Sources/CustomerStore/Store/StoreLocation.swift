/// Where a list is stored.
enum StoreLocation {
  case memory
  case file(OpenFile)
  case cluster(OpenCluster)
}

extension CustomerStore {
  /// The file, if the list is stored in one.
  var file: OpenFile? {
    if case .file(let file) = location { file } else { nil }
  }

  /// The cluster, if the list is stored on one.
  var cluster: OpenCluster? {
    if case .cluster(let cluster) = location { cluster } else { nil }
  }

  /// Whether the list is on a cluster, and so has no file to check, repair or overwrite.
  public var isOnCluster: Bool { cluster != nil }
}
