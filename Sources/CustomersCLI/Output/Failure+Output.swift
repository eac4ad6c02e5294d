internal import CustomersFormats
internal import CustomersTerminalText

extension Failure {
  /// The lines for people on standard error.
  var lines: [String] {
    problems.flatMap(\.lines) + ["customers: \(sentence)"] + details + [outcome].compactMap(\.self)
      + (hint.map { ["hint: \($0)"] } ?? [])
  }

  /// The message, and what was done nevertheless.
  var sentence: String { done.map { "\($0.rawValue), but then: \(message)" } ?? message }

  /// The object for a program on standard error.
  var json: JSON {
    var error: [(String, JSON)] = [("code", .int(Int(code.rawValue))), ("message", .string(sentence))]
    if done != nil { error.append(("done", .bool(true))) }
    if !details.isEmpty { error.append(("details", .array(details.map(JSON.string)))) }
    if !candidates.isEmpty { error.append(("candidates", .array(candidates))) }
    if let outcome { error.append(("outcome", .string(outcome))) }
    if let hint { error.append(("hint", .string(hint))) }
    if !problems.isEmpty { error.append(("problems", .array(problems.map(\.json)))) }
    return .object([("error", .object(error))])
  }
}

extension ScriptDiagnostic {
  fileprivate var lines: [String] {
    ["\(printable(file)):\(line): \(message)"] + excerpt + details + (hint.map { ["hint: \($0)"] } ?? [])
  }

  fileprivate var json: JSON {
    var problem: [(String, JSON)] = [("file", .string(file)), ("line", .int(line))]
    if let range { problem.append(("column", .int(range.lowerBound + 1))) }
    problem += [("code", .int(Int(code.rawValue))), ("message", .string(message))]
    if !details.isEmpty { problem.append(("details", .array(details.map(JSON.string)))) }
    if !candidates.isEmpty { problem.append(("candidates", .array(candidates))) }
    if let hint { problem.append(("hint", .string(hint))) }
    return .object(problem)
  }
}
