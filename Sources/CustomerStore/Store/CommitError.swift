/// An error after which the write may have taken effect.
///
/// It happened in or after the commit, for example because the disk failed. The file was reopened to look for
/// the transaction's token. (If that showed that nothing was done, the error is a `StoreError`.)
public struct CommitError: Error, Equatable, Sendable {
  /// `committed` if the edits are in the file; `unknown` if the file could not be read.
  public let outcome: TransactionOutcome
  /// The token of the transaction, for `CustomerList.outcome(of:)` when the disk works again.
  public let token: TransactionToken
  /// The error.
  public let reason: StoreError

  /// Whether the list is on a cluster rather than in a file.
  public var isOnCluster: Bool {
    if case .unreachable = reason { true } else { false }
  }
}

extension CommitError: CustomStringConvertible {
  /// The outcome and the error, in one line without the name of the file.
  public var description: String {
    switch outcome {
    case .committed where isOnCluster: "the change was made, but the answer was lost: \(reason)"
    case .committed: "the change was made, but then the disk failed: \(reason)"
    case .notCommitted: "nothing was changed: \(reason)"
    case .unknown: "the change may have been made: \(reason)"
    }
  }
}
