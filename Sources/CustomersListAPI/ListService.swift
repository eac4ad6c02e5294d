/// What answers the requests of pages: the list itself, or the program on the machine that has it.
package protocol ListService: Sendable {
  /// Answers a request; one that can't be understood or done gets an answer, too.
  func answer(_ request: APIRequest) async -> APIAnswer

  /// Reports the changes of the list, one after another, until its task is canceled.
  ///
  /// It begins with `hello`. While `report` waits, nothing else is reported: the next event has all that happened
  /// until then.
  func follow(_ report: @Sendable (APIEvent) async -> Void) async
}

extension ListAPI: ListService {}
