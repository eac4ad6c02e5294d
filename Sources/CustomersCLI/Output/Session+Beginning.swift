extension Session {
  /// On a terminal, explains how to fill an empty list; on standard error, because it is not part of the
  /// list.
  func sayHowToBegin() throws {
    guard output.isTerminal, !isQuiet else { return }
    try errors.write(
      """
      The list is empty. To begin:
        customers add NAME      add a customer
        customers import FILE   import an address book
        customers demo          try a sample list

      """)
  }
}
