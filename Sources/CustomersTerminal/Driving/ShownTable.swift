public import CustomerStore
internal import CustomerTable
internal import CustomersSystem

extension CustomerStore {
  /// Shows the list as a table on the whole terminal, until the user quits with `q` or Ctrl-C.
  ///
  /// It has the keys of `customers`, and shows at once what other programs change; only commands after `:` are for that
  /// program. The thread is busy until then. A signal that ends the process restores the terminal first.
  ///
  ///     try CustomerStore(path: path).showTable(named: "Guests")
  ///
  /// - Parameters:
  ///   - name: the name of the list, in the first line.
  ///   - isReadOnly: whether nothing can be edited.
  /// - Throws: an error whose description is for people, if standard input and output are no terminal that can show it.
  public func showTable(named name: String = "", isReadOnly: Bool = false) throws {
    let kind = unsafe getenv("TERM").map { unsafe String(cString: $0) }
    if let refusal = Terminal.refusal(of: kind) { throw UnfitTerminal(description: refusal) }
    let hasColors = unsafe getenv("NO_COLOR").map { unsafe $0.pointee == 0 } ?? true
    let session = TableSession(self, policy: TableFace.policy(isReadOnly: isReadOnly))
    let face = TableFace(session, options: TableFace.Options(fileName: name, colors: hasColors))
    var loop = TableLoop(
      face, on: try Terminal(usesMouse: true), colors: hasColors, complete: { ($0, []) },
      perform: { _ in TableLoop.Answer("This program has no commands.", isError: true) })
    _ = loop.run()
  }
}

private struct UnfitTerminal: Error, CustomStringConvertible {
  let description: String
}
