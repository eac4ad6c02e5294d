/// A step of the history: what is undone at once.
public struct HistoryStep: Identifiable, Hashable, Codable, Sendable {
  /// What made the step.
  public enum Kind: String, Codable, Sendable {
    /// Edits.
    case edit
    /// Taking an earlier step back.
    case undo
    /// Doing again what was taken back.
    case redo
  }

  /// Whether the step can be undone or redone.
  public enum State: String, Codable, Sendable {
    /// It is part of the list as it is.
    case done
    /// It was taken back, and can be done again.
    case undone
    /// It was taken back, and something else was done since.
    case dropped
  }

  /// The number of the step; later steps have greater ones.
  public var id: Int64
  /// When it was made, in UTC as `2026-11-21T09:30:00.123Z`.
  public var time: String
  /// The program that made it; empty if it did not say.
  public var program: String
  /// The login name of the person who ran the program; empty if it did not say.
  public var user: String
  /// The machine on which the program ran; empty if it did not say.
  public var host: String
  /// What the program was asked; empty if it did not say.
  public var action: String
  /// What made the step.
  public var kind: Kind
  /// Whether it can be undone or redone.
  public var state: State
  /// Of an import, the digest of the file that it read.
  public var digest: String?
  /// The number of its first edit.
  public var firstEdit: Int64
  /// How many edits it has.
  public var editCount: Int

  /// The numbers of its edits.
  public var edits: Range<Int64> { firstEdit..<firstEdit + Int64(editCount) }

  /// Makes a step, for a preview or a test; those of a list come from its history.
  public init(
    id: Int64, time: String, program: String = "", user: String = "", host: String = "",
    action: String = "", kind: Kind = .edit, state: State = .done, digest: String? = nil,
    firstEdit: Int64 = 1,
    editCount: Int = 1
  ) {
    self.id = id
    self.time = time
    self.program = program
    self.user = user
    self.host = host
    self.action = action
    self.kind = kind
    self.state = state
    self.digest = digest
    self.firstEdit = firstEdit
    self.editCount = editCount
  }
}
