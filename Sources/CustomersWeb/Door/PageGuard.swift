package import CustomersHTTP

/// Judges each request by its head: who may ask for what, before anything else is read of it.
package struct PageGuard: Sendable {
  private let token: String
  private let hosts: PageHosts
  private let calendar: CalendarKey?
  private let people: People?

  /// Who asks.
  enum Visitor: Equatable {
    /// Whoever has the page's own key.
    case owner
    case person(PagePerson)

    /// The name, if the key says it.
    var name: String? { if case .person(let person) = self { person.name } else { nil } }
  }

  /// - Parameters:
  ///   - token: what a browser must know; see `WebAddress`.
  ///   - hosts: the names of the page.
  ///   - calendar: what a program must know that shows the calendar; nil if none can.
  ///   - people: those who have keys of their own; nil if no one can.
  package init(token: String, hosts: PageHosts, calendar: CalendarKey? = nil, people: People? = nil) {
    (self.token, self.hosts, self.calendar, self.people) = (token, hosts, calendar, people)
  }

  /// Who has the key of a request; nil if no one has, or not anymore.
  func visitor(_ head: RequestHead) -> Visitor? {
    let given = head["authorization"] ?? ""
    guard given.prefix(7).lowercased() == "bearer " else { return nil }
    let key = given.dropFirst(7)
    if PageGuard.areSame(String(key), token) { return .owner }
    return people?.person(withKey: key).map { .person($0) }
  }

  /// Who has the key of a request or a stream, and is known to the list; nil if no one is, or not anymore.
  func knownVisitor(_ head: RequestHead) -> Visitor? {
    let visitor = visitor(head)
    if case .person(let person) = visitor, people?.isMissing(person) == true { return nil }
    return visitor
  }

  /// Whether a request may be answered.
  package func judge(_ head: RequestHead) -> Judgment {
    guard let origin = hosts.origin(ofHost: head["host"] ?? "") else {
      return refuse(.misdirected, "This name is not one of the page's.")
    }
    if let asked = head["origin"], !asked.utf8.elementsEqual(origin.utf8) {
      return refuse(.forbidden, "A page of another site can't ask for this.")
    }
    guard let methods = SitePath.methods(of: head.path) else {
      return refuse(.notFound, "There is nothing here.")
    }
    guard methods.contains(head.method) else {
      var response = refusal(.wrongMethod, "This method is not for this path.")
      response.headers.append(("Allow", methods.joined(separator: ", ")))
      return .refused(response)
    }
    if CalendarKey.isPath(head.path) {
      guard calendar?.opens(head.path) == true else { return refuse(.notFound, "There is nothing here.") }
      return .admitted(isKnown: false)
    }
    guard SitePath.isPrivate(head.path) else { return .admitted(isKnown: false) }
    guard ["same-origin", "none"].contains(head["sec-fetch-site"] ?? "none") else {
      return refuse(.forbidden, "A page of another site can't ask for this.")
    }
    guard visitor(head) != nil else { return .refused(unauthorized) }
    let type = SitePath.bodyType(of: head.path)
    if head.method == "POST", !PageGuard.is(head["content-type"] ?? "", type) {
      return refuse(.wrongType, "The body must be \(type).")
    }
    return .admitted(isKnown: true)
  }

  /// The answer to a request without a valid key.
  ///
  /// While the keys of people can't be read, no one knows whether it is valid.
  var unauthorized: Response {
    guard people?.isReadable != false else {
      return Response(
        APIError(
          .unavailable, "The keys of people can't be read.",
          remedy: "Run customers web people where the list is: it says why."
        ).answer)
    }
    var response = Response(APIError(.unauthorized, "The request has no valid key.").answer)
    response.headers.append(("WWW-Authenticate", "Bearer"))
    return response
  }

  private func refuse(_ kind: APIError.Kind, _ message: String) -> Judgment {
    .refused(refusal(kind, message))
  }

  private func refusal(_ kind: APIError.Kind, _ message: String) -> Response {
    Response(APIError(kind, message).answer)
  }

  /// Compares in the same time wherever the first difference is.
  static func areSame(_ given: String, _ wanted: String) -> Bool {
    guard given.utf8.count == wanted.utf8.count else { return false }
    return zip(given.utf8, wanted.utf8).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }

  private static func `is`(_ type: String, _ wanted: String) -> Bool {
    let kind = type.prefix { $0 != ";" }.lowercased()
    return kind.split(separator: " ") == [wanted[...]]
  }
}

/// The names by which browsers may reach the page, each with the origin that the page then has.
///
/// A page of another site can have its own name point to this machine, but it can't choose the `Host` that the browser
/// then sends. So that is compared whole.
package struct PageHosts: Sendable {
  private let origins: [String: String]
  /// Whether any port of this machine is right.
  private let isBehindForwarding: Bool

  /// - Parameters:
  ///   - port: the port on this machine; nil for a Unix socket, to which `ssh -L` brings any port.
  ///   - names: names of `--allow-host`, at which a proxy with TLS receives requests.
  package init(port: UInt16?, names: [String]) {
    var origins: [String: String] = [:]
    if let port {
      for name in PageHosts.ownNames {
        origins["\(name):\(port)"] = "http://\(name):\(port)"
        // A browser leaves the usual port out.
        if port == 80 { origins[name] = "http://\(name)" }
      }
    }
    for name in names { origins[name.lowercased()] = "https://\(name.lowercased())" }
    (self.origins, isBehindForwarding) = (origins, port == nil)
  }

  private static let ownNames = ["localhost", "127.0.0.1", "[::1]"]

  /// The origin of the page at a `Host`; nil if the host is not ours.
  func origin(ofHost host: String) -> String? {
    // Two texts of which only one is ASCII may be equal, but they are no two names.
    guard host.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
    if let origin = origins[host.lowercased()] { return origin }
    guard isBehindForwarding else { return nil }
    let isOwn = PageHosts.ownNames.contains { name in
      guard host.hasPrefix(name) else { return false }
      let rest = host.dropFirst(name.count)
      return rest.isEmpty
        || rest.first == ":" && UInt16(rest.dropFirst()) != nil && rest.dropFirst().first != "+"
    }
    return isOwn ? "http://\(host)" : nil
  }
}
