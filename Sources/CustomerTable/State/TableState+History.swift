internal import CustomerStore

/// Undo and redo: of this table's steps at once, of another program's after a question.
extension TableState {
  mutating func lookUp(_ reversal: TableWrite.Reversal) -> [TableEffect] {
    waiting == nil ? [.lookUp(reversal)] : refuseWhileWaiting()
  }

  mutating func offered(_ step: HistoryStep?, _ reversal: TableWrite.Reversal) -> [TableEffect] {
    guard form == nil, drag == nil, confirmation == nil else { return [] }
    guard let step else {
      say(.hint, "Nothing to \(reversal == .undo ? "undo" : "redo").")
      return []
    }
    if ownSteps.contains(step.id) { return revert(step, reversal) }
    question = UndoQuestion(step: step, reversal: reversal)
    let program = step.program.isEmpty ? "another program" : step.program
    let action = step.action.isEmpty ? "an edit" : "\"\(step.action)\""
    say(.hint, "\(reversal == .undo ? "Undo" : "Redo") \(action) by \(program)?")
    return []
  }

  mutating func revert(_ step: HistoryStep, _ reversal: TableWrite.Reversal) -> [TableEffect] {
    write(.revert(reversal, expecting: step), reversal == .undo ? "undo" : "redo")
  }
}
