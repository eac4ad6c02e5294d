package import CustomersSQLite

/// The expected results of undo and redo: the contents after each step, in two stacks.
package struct HistoryModel: Sendable {
  private struct State {
    var step: Int64
    var contents: String
  }

  private var past: [State]
  private var future: [State] = []

  /// Creates a model with the current contents as its first state.
  package init(_ connection: Connection) throws {
    past = [State(step: 0, contents: try connection.contents())]
  }

  /// The number of steps that can be undone.
  package var undoCount: Int { past.count - 1 }

  /// The number of steps that can be redone.
  package var redoCount: Int { future.count }

  /// The expected contents.
  package var contents: String { past.last?.contents ?? "" }

  /// Records the state after an edit or a rolled-back transaction.
  ///
  /// Two statements of other clients within one millisecond are one step. Steps are therefore identified by
  /// id, and the contents after the last statement of a step are its result.
  package mutating func note(_ connection: Connection) throws {
    let step =
      try connection.fetchOne(
        "SELECT max(id) FROM history_step WHERE kind = 'edit' AND state = 'done'"
      ) { $0.integer(0) } ?? 0
    while let last = past.last, last.step > step { past.removeLast() }
    let state = State(step: step, contents: try connection.contents())
    if past.last?.step == step {
      past[past.count - 1] = state
    } else {
      past.append(state)
      future = []
    }
  }

  /// Goes one step back.
  package mutating func undo() {
    if undoCount > 0 { future.append(past.removeLast()) }
  }

  /// Goes one step forward.
  package mutating func redo() {
    if let state = future.popLast() { past.append(state) }
  }
}
