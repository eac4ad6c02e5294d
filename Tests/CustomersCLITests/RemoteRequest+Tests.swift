@testable import CustomersCLI
import CustomersFiles

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
    var session = Session(["serve"] + options, in: context)
    try session.take(Invocation(parsing: session.words, commands: Command.all, globals: Command.globals))
    try self.init(session)
  }
}
