internal import CustomersSystem
internal import CustomersText
internal import CustomersWeb

extension Session {
  /// Makes the calendar address of a list, which is shown only then.
  func makeCalendar(of place: String) throws -> ExitCode {
    let names = try WebOptions.names(invocation)
    guard let page = WebAddress.File(ofList: place, isReadOnly: invocation[WebOptions.readOnly], environment)
    else { throw Failure.failed("there is no home folder to keep the key in") }
    let key = CalendarKey(of: page)
    let words = invocation.operands.dropFirst()
    guard words.isEmpty || words == ["new"] else {
      throw Failure.unknown("word", words[1], of: " after web calendar", among: ["new"])
    }
    guard !key.exists || !words.isEmpty else {
      throw Failure.refused(
        "the list has a calendar address, which was shown when it was made",
        hint: "to make another one, and end this one: customers web calendar new")
    }
    // The page gets a port of its own when it is served first.
    let port = page.read()?.port ?? 0
    guard !names.isEmpty || port > 0 else { throw WebOptions.noPage("its address") }
    guard !isDryRun else {
      try answer("web calendar") {
        try tell(["Would make a calendar address\(key.exists ? ", and end the one before" : "")."])
      }
      return .done
    }
    let url = WebAddress.base(names, port: port) + (try key.replace())
    try answer("web calendar", [("url", .string(url))]) {
      try output.write(url + "\n")
      try tell([
        "Whoever knows this address can read the names and dates, and nothing else. It is not shown again."
      ])
    }
    return .done
  }
}
