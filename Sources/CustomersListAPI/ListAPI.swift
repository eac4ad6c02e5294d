package import CustomerStore
package import CustomerTable
internal import CustomersWording

/// What a page in a browser can read and do: each request has one answer, and `follow` reports changes.
///
/// No thread waits for another program's lock. The only state is in memory and may be lost: which browser made
/// which step, what a page has searched, and the files that are sent and fetched.
package final class ListAPI: Sendable {
  /// What a page shows of the program and the list.
  struct Program: Sendable {
    var version: String
    /// Another one if the page's files are others.
    var build: String
    /// The name of the list.
    var list: String
  }

  let list: OpenList
  let policy: EditingPolicy
  let isReadOnly: Bool
  let program: Program
  let made = MadeSteps()
  let offers = OfferedSteps()
  let views = ViewSessions()
  let files = KeptFiles()
  let work = LongWork()

  /// Creates the requests and events of one list.
  ///
  /// - Parameters:
  ///   - store: the list.
  ///   - isReadOnly: whether edits are refused.
  ///   - program: the version of the program.
  ///   - build: a tag of the page's files.
  ///   - listName: the name of the list for people.
  ///   - policy: what may be edited, the subtitles, and the appearance of the form.
  ///   - isOnCluster: whether the list is on other machines; then it is looked at less often.
  ///   - lockHolder: the program that has locked the list, if the system says which.
  package init(
    store: CustomerStore, isReadOnly: Bool, program: String, build: String, listName: String = "",
    policy: EditingPolicy = EditingPolicy(), isOnCluster: Bool = false,
    lockHolder: @escaping @Sendable () -> String? = { nil }
  ) {
    var policy = policy
    if isReadOnly { policy.forbidEverything() }
    (self.isReadOnly, self.policy) = (isReadOnly, policy)
    list = OpenList(store, isOnCluster: isOnCluster, lockHolder: lockHolder)
    self.program = Program(version: program, build: build, list: listName)
  }

  /// Answers a request; one that can't be understood or done gets an answer, too.
  ///
  /// If its task is canceled, an edit is done as a whole or not at all.
  package func answer(_ request: APIRequest) async -> APIAnswer {
    do {
      guard let route = Self.routes[request.path] else { throw APIRefusal.noSuchPath }
      guard route.method == request.method else { throw APIRefusal.wrongMethod(route.method) }
      return try await route.answer(self, request)
    } catch {
      return refusal(for: error).answer
    }
  }

  private struct Route: Sendable {
    let method: String
    let answer: @Sendable (ListAPI, APIRequest) async throws -> APIAnswer

    static func get(_ answer: @escaping @Sendable (ListAPI, Query) async throws -> APIAnswer) -> Route {
      Route(method: "GET") { try await answer($0, Query($1.query)) }
    }

    /// A request that changes the list, unless `isReading`.
    static func post(
      isReading: Bool = false, _ answer: @escaping @Sendable (ListAPI, RequestBody) async throws -> APIAnswer
    ) -> Route {
      Route(method: "POST") { api, request in
        guard isReading || !api.isReadOnly else { throw APIRefusal.readOnly }
        return try await answer(api, RequestBody(request.body))
      }
    }

    /// A request with a piece of a file.
    static func upload(
      _ answer: @escaping @Sendable (ListAPI, Query, [UInt8]) async throws -> APIAnswer
    ) -> Route {
      Route(method: "POST") { api, request in
        guard !api.isReadOnly else { throw APIRefusal.readOnly }
        return try await answer(api, Query(request.query), request.body)
      }
    }
  }

  private static let routes: [String: Route] = [
    "/api/rows": .get { try await $0.rows($1) },
    "/api/customer": .get { try await $0.customer($1) },
    "/api/form": .get { try $0.emptyForm($1) },
    "/api/outcome": .get { try await $0.outcome($1) },
    "/api/columns": .get { try await $0.columns($1) },
    "/api/view": .post(isReading: true) { try await $0.view($1) },
    "/api/hit": .post(isReading: true) { try await $0.hit($1) },
    "/api/matches": .post(isReading: true) { try await $0.matches($1) },
    "/api/edit": .post { try await $0.edit($1) },
    "/api/undo": .post { try await $0.revert(.undo, $1) },
    "/api/redo": .post { try await $0.revert(.redo, $1) },
    "/api/history": .get { try await $0.history($1) },
    "/api/revert": .post { try await $0.revertStep($1) },
    "/api/photo": .get { try await $0.photo($1) },
    "/api/upload": .upload { try await $0.upload($1, $2) },
    "/api/preview": .post { try await $0.preview($1) },
    "/api/import": .post { try await $0.importFile($1) },
    "/api/formats": .get { try $0.formats($1) },
    "/api/export": .post(isReading: true) { try await $0.export($1) },
    "/api/download": .get { try await $0.download($1) },
    "/api/cancel": .post(isReading: true) { try await $0.cancel($1) },
  ]
}
