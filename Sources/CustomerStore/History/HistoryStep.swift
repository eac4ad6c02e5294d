/// A step of the history: what one undo reverts.
public struct HistoryStep: Identifiable, Hashable, Codable, Sendable {
  /// The kind of a step.
  public enum Kind: String, Codable, Sendable {
    /// Edits.
    case edit
    /// Undoing an earlier step.
    case undo
    /// Redoing an undone step.
    case redo
  }

  /// Whether the step can be undone or redone.
  public enum State: String, Codable, Sendable {
    /// It is in effect.
    case done
    /// It was undone and can be redone.
    case undone
    /// It was undone and can't be redone because of a later edit.
    case dropped
  }

  /// The number of the step; later steps have greater ones.
  public var id: Int64
  /// When it was made, in UTC, such as `2026-11-21T09:30:00.123Z`.
  public var time: String
  /// The program that made it; empty if unknown.
  public var program: String
  /// The login name of the user who ran the program; empty if unknown.
  public var user: String
  /// The machine on which the program ran; empty if unknown.
  public var host: String
  /// What the program was asked to do; empty if unknown.
  public var action: String
  /// The kind of the step.
  public var kind: Kind
  /// Whether it can be undone or redone.
  public var state: State
  /// For an import, the digest of the file that it read.
  public var digest: String?
  /// The number of its first edit.
  public var firstEdit: Int64
  /// The number of its edits.
  public var editCount: Int

  /// The numbers of its edits.
  public var edits: Range<Int64> { firstEdit..<firstEdit.saturatingAdding(Int64(max(0, editCount))) }

  /// Creates a step for a preview or a test; to get steps of a list, read its history.
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
