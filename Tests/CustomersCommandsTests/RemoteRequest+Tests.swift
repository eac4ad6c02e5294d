@testable import CustomersCommands
import CustomersSystem

extension RemoteRequest {
  /// A request as another program may send it.
  init(
    served words: [String], list: String = "", environment: [String: String] = [:], timeZone: String = "UTC0"
  ) throws {
    let facts = [
      "\(Message.protocolNumber)", "token", timeZone, "", "", "", "", "", list, "\(environment.count)",
    ]
    try self.init(Message(.request, facts + environment.flatMap { [$0.key, $0.value] } + words))
  }
}

extension Offer {
  /// What `customers serve` offers with these options.
  init(_ options: [String], environment: [String: String] = [:]) throws {
    let context = Context(
      environment: environment, input: StandardInput(.standardInput, isTerminal: false),
      output: Stream(TextSink()),
      errors: Stream(TextSink()))
    var session = Session(in: context)
    session.take(
      try Invocation(parsing: ["serve"] + options, commands: Command.all, globals: GlobalOptions.all))
    try self.init(session)
  }
}
