internal import CustomerStore
internal import CustomerTable
internal import CustomersText

/// An overlay on the list until a key is pressed: the help or the output of a command.
struct Overlay {
  /// A line or keys and their meaning.
  enum Entry: Equatable {
    case heading(String)
    case text(String)
    case keys(String, String)
  }

  let title: String
  let entries: [Entry]
  private(set) var page = 0
  /// The text to search for; nil for everything.
  private(set) var search: FormText?
  private(set) var isFinding = false

  init(title: String, entries: [Entry]) { (self.title, self.entries) = (title, entries) }

  /// The help, from the table of the keys.
  static let help = Overlay(
    title: "Keys",
    entries: KeyReference.topics.flatMap { topic in
      [.heading(topic.title)] + topic.keys.map { .keys($0.keys, $0.meaning) }
    })

  mutating func find() {
    isFinding = true
    search = FormText()
    page = 0
  }

  mutating func endFinding() { isFinding = false }

  mutating func perform(_ edit: FormText.Edit) {
    search?.perform(edit)
    page = 0
  }

  mutating func turn(_ distance: Int, in height: Int, width: Int) {
    page = min(max(0, page + distance), pageCount(height, width) - 1)
  }

  func pageCount(_ height: Int, _ width: Int) -> Int {
    max(1, (lines(width: width).count + max(1, height) - 1) / max(1, height))
  }

  /// The lines of the visible page.
  func lines(height: Int, width: Int) -> ArraySlice<Entry> {
    let lines = lines(width: width)
    let start = min(page, pageCount(height, width) - 1) * max(1, height)
    return lines[start..<min(lines.count, start + max(1, height))]
  }

  /// All lines; a meaning that does not fit next to its keys is below them.
  private func lines(width: Int) -> [Entry] {
    let found = search.map { $0.text.lowercased() } ?? ""
    let entries = found.isEmpty ? entries : entries.filter { $0.has(found) }
    return entries.flatMap { entry -> [Entry] in
      guard case .keys(let keys, let meaning) = entry,
        displayWidth(meaning) > width - Self.keyWidth(width) || displayWidth(keys) >= Self.keyWidth(width)
      else { return [entry] }
      return [.keys(keys, ""), .text("  \(meaning)")]
    }
  }

  static func keyWidth(_ width: Int) -> Int { width < 56 ? 12 : 26 }
}

extension Overlay.Entry {
  fileprivate func has(_ text: String) -> Bool {
    switch self {
    case .heading: false
    case .text(let line): line.lowercased().contains(text)
    case .keys(let keys, let meaning): "\(keys) \(meaning)".lowercased().contains(text)
    }
  }
}

/// A line that is typed below the list.
struct Prompt {
  /// What the line is for.
  enum Purpose {
    /// A line of the log; and why it was refused.
    case log(problem: String?)
    /// When the customers are next, after a line of the log; and why what was typed is no date.
    case next(log: String, problem: String?)
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
      case .order: "sort by (such as company,name): "
      case .log(let problem): Self.after(problem) + "log: "
      case .next(_, let problem): Self.after(problem) + "next date (+1d, +1w, friday, none): "
      }
    }

    private static func after(_ problem: String?) -> String { problem.map { "\($0); " } ?? "" }

    var mode: KeyMode {
      switch self {
      case .command: .command
      case .columns: .choosing
      case .order: .ordering
      case .log, .next: .logging
      }
    }

    /// What comes before the line in the command line that completes it; nil if nothing does.
    var completion: String? {
      switch self {
      case .command: ""
      case .columns: "list --fields "
      case .order: "list --sort "
      case .log, .next: nil
      }
    }
  }

  let purpose: Purpose
  var field: FormText
  /// Which of the earlier lines it was; nil for a new one.
  var recalled: Int?
  /// The names that may be typed, in lines above it.
  var names: [String] = []
}

extension TableFace {
  /// Opens the line for the names of columns, with those that are shown.
  mutating func askForColumns() -> [Request] {
    let shown = (state.columns ?? ListColumn.usual).map(\.name).joined(separator: ",")
    return ask(.columns, shown)
  }

  /// Opens the line for the fields to sort by, with those of the view.
  mutating func askForOrder() -> [Request] { ask(.order, state.sorting?.order.names ?? "") }

  /// Opens a line for names of columns, and asks for all that there are.
  private mutating func ask(_ purpose: Prompt.Purpose, _ text: String) -> [Request] {
    prompt = Prompt(purpose: purpose, field: FormText(text))
    return purpose.completion.map { [.complete($0)] } ?? []
  }

  /// Shows what the name at the end of the line may become.
  mutating func showNames(_ words: [String]) {
    let names = words.compactMap { $0.split(separator: ",").last.map(String.init) }
    let width = columns - 2
    prompt?.names = names.reduce(into: []) { lines, name in
      if let last = lines.last, displayWidth(last) + displayWidth(name) + 2 <= width {
        lines[lines.count - 1] = "\(last)  \(name)"
      } else {
        lines.append(name)
      }
    }
  }

  /// Does what the line says.
  mutating func finishPrompt() -> [Request] {
    guard let prompt else { return [] }
    var next: Prompt?
    defer { self.prompt = next }
    switch prompt.purpose {
    case .command: return run(prompt.field.text)
    case .columns:
      session.send(.choose(.columns(prompt.field.text)))
      return keep((state.columns ?? []).map(\.name).joined(separator: ","), as: "columns")
    case .order:
      session.send(.choose(.order(prompt.field.text)))
      return keep(state.sorting?.order.names ?? "", as: "sort")
    case .log:
      guard prompt.field.text.contains(where: { !$0.isWhitespace }) else { break }
      if state.lost == nil {
        next = Prompt(purpose: .next(log: prompt.field.text, problem: nil), field: FormText())
      } else {
        next = log(prompt.field.text, next: nil)
      }
    case .next(let text, _):
      do throws(KindError) {
        next = log(text, next: try nextDate(prompt.field.text))
      } catch {
        next = Prompt(purpose: .next(log: text, problem: error.problem), field: prompt.field)
      }
    }
    return []
  }

  /// Adds a line to the log, and returns the prompt again with the text if that was refused.
  private mutating func log(_ text: String, next: String?) -> Prompt? {
    session.send(.log(text, next: next))
    guard let notice = state.notice, notice.kind == .refusal else { return nil }
    let reason = state.lost.map { "\"\($0.name)\" is no longer in the list" } ?? notice.text
    let problem = reason.hasSuffix(".") ? String(reason.dropLast()) : reason
    return Prompt(purpose: .log(problem: problem), field: FormText(text))
  }

  /// What was chosen stays, as a setting of the list.
  private func keep(_ names: String, as setting: String) -> [Request] {
    guard state.notice?.kind != .refusal, !state.policy.isReadOnly else { return [] }
    return [.command("config \(setting) -- '\(names.replacing("'", with: #"'\''"#))'", on: [], agreed: [])]
  }

  /// The next date that was typed, in the form in which it is stored: nil to leave it, empty to clear it.
  private func nextDate(_ text: String) throws(KindError) -> String? {
    text.allSatisfy(\.isWhitespace) ? nil : try ColumnKinds.stored(next: text, today: .today)
  }

  /// Opens the line for the log, unless it would be refused.
  mutating func askForLog() {
    let state = state
    guard !state.policy.isReadOnly, state.waiting == nil, !state.subject.isEmpty,
      state.subject.allSatisfy(state.policy.canEdit)
    else {
      return session.send(.log("", next: nil))
    }
    prompt = Prompt(purpose: .log(problem: nil), field: FormText())
  }

  /// Reverses the order of the view.
  mutating func reverseOrder() -> [Request] {
    guard var order = state.sorting?.order else { return askForOrder() }
    order.isDescending.toggle()
    session.send(.sort(order))
    return keep(order.names, as: "sort")
  }
}

extension SortOrder {
  /// The fields, as typed.
  var names: String {
    keys.map { key in
      let sign = isDescending(by: key) ? "-" : ""
      return switch key {
      case .name: sign + ListColumn.name.name
      case .field(let field): sign + field.column
      }
    }.joined(separator: ",")
  }

  /// The fields, as shown.
  var titles: String {
    keys.enumerated().map { index, key in
      let title =
        switch key {
        case .name: ListColumn.name.title
        case .field(let field): field.title
        }
      let isLast = index == keys.count - 1
      let isOther = !isLast && isDescending(by: key) != isDescending(by: keys[index + 1])
      return isLast || isOther ? title + (isDescending(by: key) ? " ↓" : " ↑") : title
    }.joined(separator: ", ")
  }
}
