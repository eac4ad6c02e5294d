internal import CustomerStore
internal import CustomersTerminalText
internal import CustomersWording

extension Session {
  /// Reverts steps of the history, for `undo`, `redo`, and `revert`.
  ///
  /// If some belong to another person or program, it shows what would happen and asks first.
  ///
  /// - Parameters:
  ///   - name: the command.
  ///   - body: reverts the requested steps or exactly those that were confirmed; returns them.
  /// - Returns: the exit code.
  /// - Throws: what `body` throws, or a `Failure` without a terminal to ask on.
  func revertSteps(
    by name: String,
    _ body: (inout CustomerList, _ confirmed: [HistoryStep]?) throws -> (
      report: some Report, steps: [HistoryStep]
    )
  ) throws -> ExitCode {
    do {
      try revertSteps(confirmed: nil, body)
    } catch let found as StepsOfOthers {
      try checkConsent(to: "\(name) of a step by \(found.person)")
      for line in found.lines { try errors.write(line + "\n") }
      guard try confirm("Apply these changes?", to: name) else { return .declined }
      try revertSteps(confirmed: found, body)
    }
    return .done
  }

  /// - Throws: `StepsOfOthers` if the steps must be confirmed first.
  private func revertSteps(
    confirmed: StepsOfOthers?,
    _ body: (inout CustomerList, _ confirmed: [HistoryStep]?) throws -> (
      report: some Report, steps: [HistoryStep]
    )
  ) throws {
    let mayAsk = confirmed == nil && !isDryRun && !options.saysYes
    try report(creating: false) { list in
      let history = try list.version().history
      guard history == confirmed?.history ?? history else { throw StaleConfirmation.otherHistory }
      let (report, steps) = try naming(&list) { list in try body(&list, confirmed?.steps) }
      if mayAsk, let stranger = steps.lazy.compactMap(\.stranger).first {
        // The transaction is rolled back, so that other programs do not wait for the answer.
        throw StepsOfOthers(
          steps: steps, history: history, person: printable(stranger),
          lines: report.text(isDryRun: true).lines)
      }
      return report
    }
  }
}

/// Names the row that is not where its step left it.
private func naming<Result>(
  _ list: inout CustomerList, _ body: (inout CustomerList) throws -> Result
) throws -> Result {
  do { return try body(&list) } catch let error as ListError {
    guard case .historyDiffers(_, let id?) = error, let customer = try? list.customer(id) else { throw error }
    let position = try list.outline().position(of: customer.place)
    throw Failure(error, CustomerLabel(customer, at: position, isByID: false))
  }
}

/// Some of the steps to revert belong to another person or program.
private struct StepsOfOthers: Error {
  let steps: [HistoryStep]
  /// The history that has them.
  let history: String
  let person: String
  /// What reverting them would do.
  let lines: [String]
}
