/// An error after which a write was done nevertheless, or after which that can't be known.
///
/// It came in or after the commit: the disk failed, say. The file was opened again to look for the
/// transaction's token. (Where the look showed that nothing was done, the error is a `StoreError`.)
public struct CommitError: Error, Equatable, Sendable {
  /// `committed` if the edits are in the file; `unknown` if the file could not be looked at.
  public let outcome: TransactionOutcome
  /// What the transaction is known by: `CustomerList.outcome(of:)` tells more when the disk works again.
  public let token: TransactionToken
  /// What went wrong.
  public let reason: StoreError

  /// Whether the list is on a cluster, and not in a file on a disk.
  public var isOnCluster: Bool {
    if case .unreachable = reason { true } else { false }
  }
}

extension CommitError: CustomStringConvertible {
  /// What became of the edits, and why that is a question, in one line without the file's name.
  public var description: String {
    switch outcome {
    case .committed where isOnCluster: "the change was made, but the answer was lost: \(reason)"
    case .committed: "the change was made, but then the disk failed: \(reason)"
    case .notCommitted: "nothing was changed: \(reason)"
    case .unknown: "it is not known whether the change was made: \(reason)"
    }
  }
}
