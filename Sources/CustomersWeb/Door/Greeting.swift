internal import CustomersHTTP

/// What a page gets first that comes later than others: what these know by now.
actor Greeting {
  private var hello: APIEvent?
  /// The latest version, if it is not that of `hello`.
  private var latest: APIEvent?
  private var trouble: APIEvent?
  private var presence: APIEvent?

  /// The bytes for whoever comes after an event.
  func after(_ event: APIEvent) -> [UInt8] {
    switch event.name {
    case "hello": (hello, latest, trouble) = (event, nil, nil)
    // The step itself is no news for this one.
    case "edit", "reload": latest = APIEvent(name: "reload", data: event.data)
    case "trouble": trouble = event
    case "presence": presence = event
    default: trouble = nil
    }
    return [hello, latest, trouble, presence].compactMap(\.self).flatMap(\.bytes)
  }
}

extension APIEvent {
  /// The event as a stream has it.
  var bytes: [UInt8] { Event(name, data: data).bytes }
}
