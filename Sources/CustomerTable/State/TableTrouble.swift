internal import CustomerStore

/// Why a list can't be read, or not be edited.
public struct TableTrouble: Hashable, Sendable {
  /// What can be done about it.
  public enum Kind: Sendable {
    /// The numbers of the rows, or the file, are damaged: repairing may help.
    case damaged
    /// Anything else, such as a file that was deleted.
    case unreadable
  }

  /// What can be done about it.
  public let kind: Kind
  /// What is wrong, in one line.
  public let text: String
  /// Whether only an edit met with it; then the rows that are shown are not in doubt.
  let isOfEdit: Bool

  init(_ error: any Error, isOfEdit: Bool) {
    kind = Self.isDamage(error) ? .damaged : .unreadable
    (text, self.isOfEdit) = ("\(error)", isOfEdit)
  }

  static func isDamage(_ error: any Error) -> Bool {
    switch error {
    case ListError.damaged, StoreError.damaged: true
    default: false
    }
  }
}

/// What a person does about it.
extension TableState {
  /// Looks at the list as far as it can be read, and edits nothing.
  mutating func lookOnly() -> [TableEffect] {
    (isLookingOnly, trouble) = (true, nil)
    becomeReadOnly()
    return []
  }

  /// The file can't be written: no control is shown any more.
  mutating func becomeReadOnly() {
    _ = setEditing(false)
    policy.forbidEverything()
  }

  /// Takes note of an error, and says it where it takes the list away.
  mutating func note(_ error: any Error, isOfEdit: Bool = false) {
    if isLookingOnly {
      say(.refusal, "\(error)")
    } else {
      trouble = TableTrouble(error, isOfEdit: isOfEdit)
    }
  }
}
