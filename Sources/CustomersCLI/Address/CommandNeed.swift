/// What a command line needs of the place where it runs.
///
/// A command declares it; `Session.perform` alone brings the command there or refuses it.
enum CommandNeed: Sendable {
  /// No list; it runs where it was typed.
  case nothing
  /// The list; it runs where the list is.
  case list
  /// The list, and a cluster, which it reaches from there.
  case cluster
  /// A list in a file, for what a cluster can't do. The words name that and say what to do instead; it may
  /// leave a file beside the list.
  case file(String, instead: String, leavesFile: Bool = false)
  /// The list and a terminal to draw on.
  case terminal
  /// The machine where it was typed, from which it reaches the list and other machines.
  case typist
  /// A path for a copy that another machine sends; it runs there.
  case copy
  /// The list of a line that is being typed; it runs where that is typed, and there.
  case completion
}
