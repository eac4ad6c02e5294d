internal import CustomersTerminalText

extension Command {
  static let web = Command(
    name: "web", summary: "show the list in a browser, until Ctrl-C",
    description: [
      "Starts a server for the list and prints its address. The page shows every change at once, whichever",
      "program makes it. Drag rows by mouse, finger, or keys.",
      "",
      "Only programs on this machine reach it, and only those that know the key after the # in the address",
      "get anything. Port and key stay the same for a list, so bookmarks outlive a restart. Don't show the",
      "address to anyone who may not change the list. --read-only has a port and a key of its own.",
      "",
      "For a phone or another machine, a proxy with TLS must pass requests on, with their Host:",
      "`--allow-host NAME` allows its name, and a terminal also shows the address as a QR code. Or forward",
      "the port by `ssh -L`. With --socket the server listens on a Unix socket that only its owner can use.",
      "",
      "With --db ssh://… this machine serves the page, and its requests travel to the machine of the list.",
    ],
    options: [
      .oneOf([WebOptions.port, WebOptions.socket]), .optional(WebOptions.allowedHost),
      .optional(WebOptions.readOnly), .optional(WebOptions.open),
    ],
    examples: [
      CommandExample("Show the list in a browser:", "customers web --open"),
      CommandExample("For reading only, on a port that you choose:", "customers web --read-only --port 8421"),
    ],
    seeAlso: ["table", "watch", "ssh"], need: { _ in .typist },
    run: { session in try session.serveWeb() })
}

enum WebOptions {
  static let port = Option.value("--port", .count(), "listen on this port and keep it for the list")
  static let socket = Option.value(
    "--socket", .file(.write, "PATH"), "listen on a Unix socket instead of a port")
  static let allowedHost = Option.values(
    "--allow-host", .text("NAME"), "answer to this name of a proxy with TLS (repeatable)")
  static let readOnly = Option.flag("--read-only", "refuse all changes")
  static let open = Option.flag("--open", "open the page in a browser")

  /// The names of `--allow-host`.
  ///
  /// - Throws: a `Failure` with code `usage` if one can't be the name of a host, with or without a port.
  static func names(_ invocation: Invocation) throws -> [String] {
    let names = invocation[allowedHost]
    for name in names {
      guard name.wholeMatch(of: /[A-Za-z0-9]([A-Za-z0-9.\-]*[A-Za-z0-9])?(:[0-9]{1,5})?/) != nil else {
        throw Failure.usage(
          "\(allowedHost.name) must be a name such as list.example, not \(quoted(name))",
          offendingArgument: name)
      }
    }
    return names
  }

  /// The port of `--port`.
  ///
  /// - Throws: a `Failure` with code `usage` if there is no such port.
  static func port(_ invocation: Invocation) throws -> UInt16? {
    guard let number = invocation[port] else { return nil }
    guard let port = UInt16(exactly: number), port > 0 else {
      throw Failure.usage(
        "\(WebOptions.port.name) must be 1–65535, not \(number)",
        offendingArgument: WebOptions.port.name)
    }
    return port
  }
}
