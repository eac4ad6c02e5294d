/// What answers the requests of pages: the list itself, or the program on the machine that has it.
package protocol ListService: Sendable {
  /// Answers a request; one that can't be understood or done gets an answer, too.
  func answer(_ request: APIRequest) async -> APIAnswer

  /// The changes of the list from now on. The stream ends if the same page asks for another.
  func events(page: String?) -> AsyncStream<APIEvent>
}

extension ListAPI: ListService {}
