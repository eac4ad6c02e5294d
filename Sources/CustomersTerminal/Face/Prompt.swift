internal import CustomerStore
internal import CustomerTable

/// A line that is typed below the list.
struct Prompt {
  /// What the line is for.
  enum Purpose {
    /// A command.
    case command
    /// The names of columns to show.
    case columns
    /// The names of fields to sort the view by.
    case order

    /// What is in front of the line.
    var sign: String {
      switch self {
      case .command: ":"
      case .columns: "columns: "
      case .order: "sort by: "
      }
    }
  }

  let purpose: Purpose
  var field: FormText
}

extension TableFace {
  /// Opens the line for the names of columns, with those that are shown.
  mutating func askForColumns() {
    let shown = (state.columns ?? ListColumn.usual).map(\.name).joined(separator: ",")
    prompt = Prompt(purpose: .columns, field: FormText(shown))
  }

  /// Opens the line for the fields to sort by, with those of the view.
  mutating func askForOrder() {
    prompt = Prompt(purpose: .order, field: FormText(state.sorting?.order.names ?? ""))
  }

  /// Does what the line says.
  mutating func finishPrompt() -> [Request] {
    guard let prompt else { return [] }
    self.prompt = nil
    switch prompt.purpose {
    case .command: return run(prompt.field.text)
    case .columns: session.send(.choose(.columns(prompt.field.text)))
    case .order: session.send(.choose(.order(prompt.field.text, isDescending: isDescending)))
    }
    return []
  }

  private var isDescending: Bool { state.sorting?.order.isDescending ?? false }

  /// Reverses the order of the view.
  mutating func reverseOrder() {
    guard var order = state.sorting?.order else { return askForOrder() }
    order.isDescending.toggle()
    session.send(.sort(order))
  }
}

extension SortOrder {
  /// The fields, as typed.
  var names: String {
    keys.map { key in
      switch key {
      case .name: ListColumn.name.name
      case .field(let field): field.column
      }
    }.joined(separator: ",")
  }

  /// The fields, as shown.
  var titles: String {
    keys.map { key in
      switch key {
      case .name: ListColumn.name.title
      case .field(let field): field.title
      }
    }.joined(separator: ", ") + (isDescending ? " ↓" : " ↑")
  }
}
