package import CustomerStore

extension CustomerStore {
  /// What a pull would do.
  package func previewPull(_ copy: ListCopy) throws -> PullSummary {
    try planPull(copy, resolving: .latest)?.summary ?? .nothing
  }

  /// Takes what another copy of the list has into it, as `customers take` does.
  @discardableResult
  package func pull(
    _ copy: ListCopy, resolving resolution: PullResolution = .latest, acceptsUnrelated: Bool = false,
    token: TransactionToken = TransactionToken()
  ) throws -> PullSummary {
    guard let plan = try planPull(copy, resolving: resolution) else { return .nothing }
    return try write(action: "take", token: token) { try $0.pull(plan, acceptsUnrelated: acceptsUnrelated) }
  }
}
