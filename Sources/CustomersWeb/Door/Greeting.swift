internal import CustomersHTTP
internal import CustomersText

/// What a page gets first that comes later than others: what these know by now.
actor Greeting {
  /// It names the present version, so that what was done before is no news.
  private var hello: APIEvent?
  private var trouble: APIEvent?
  private var presence: APIEvent?

  /// The bytes for whoever comes after an event.
  func after(_ event: APIEvent) -> [UInt8] {
    switch event.name {
    case "hello": (hello, trouble) = (event, nil)
    case "edit", "reload": hello = hello?.withVersion(of: event)
    case "trouble": trouble = event
    case "presence": presence = event
    default: trouble = nil
    }
    return [hello, trouble, presence].compactMap(\.self).flatMap(\.bytes)
  }
}

extension APIEvent {
  /// The event as a stream has it.
  var bytes: [UInt8] { Event(name, data: data).bytes }

  /// The same event with the version of another one.
  fileprivate func withVersion(of other: APIEvent) -> APIEvent {
    guard case .object(let members)? = try? JSON(reading: Array(data.utf8)),
      let version = (try? JSONMembers(JSON(reading: Array(other.data.utf8))))?["version"]
    else { return self }
    return APIEvent(name, members.map { ($0.0, $0.0 == "version" ? version : $0.1) })
  }
}
