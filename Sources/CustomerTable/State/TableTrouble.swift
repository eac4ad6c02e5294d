internal import CustomerStore

/// Why a list can't be read or edited.
public struct TableTrouble: Hashable, Sendable {
  /// The kinds of trouble, by their remedy.
  public enum Kind: Sendable {
    /// The row numbers or the file are damaged; a repair may help.
    case damaged
    /// Anything else, such as a file that was deleted.
    case unreadable
  }

  /// The kind, which determines the remedy.
  public let kind: Kind
  /// The message, in one line.
  public let text: String
  /// Whether only an edit failed, so that the displayed rows are still right.
  let isOfEdit: Bool

  init(_ error: any Error, isOfEdit: Bool) {
    kind = Self.isDamage(error) ? .damaged : .unreadable
    (text, self.isOfEdit) = ("\(error)", isOfEdit)
  }

  static func isDamage(_ error: any Error) -> Bool {
    switch error {
    case let error as ListError: error.isDamage
    case StoreError.damaged: true
    default: false
    }
  }
}

/// The user's choice.
extension TableState {
  /// Continue with what can be read, without editing.
  mutating func openReadOnly() -> [TableEffect] {
    (isLookingOnly, trouble) = (true, nil)
    becomeReadOnly()
    return []
  }

  /// The file can't be written, so controls are hidden.
  mutating func becomeReadOnly() {
    _ = setEditing(false)
    policy.forbidEverything()
  }

  /// Records an error and reports it if the list can't be shown.
  mutating func note(_ error: any Error, isOfEdit: Bool = false) {
    if isLookingOnly {
      say(.refusal, "\(error)")
    } else {
      trouble = TableTrouble(error, isOfEdit: isOfEdit)
    }
  }
}
