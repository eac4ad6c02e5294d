extension Session {
  /// Says on a terminal how to fill an empty list; aside, so that it is no part of the list.
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
