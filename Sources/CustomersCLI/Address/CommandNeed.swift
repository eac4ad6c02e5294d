/// What a command line needs of the place where it runs.
///
/// A command declares it; `Session.perform` alone brings the command there, or refuses it.
enum CommandNeed: Sendable {
  /// No list; it runs where it was typed.
  case nothing
  /// The list; it runs where the list is.
  case list
  /// A list in a file, for what a cluster can't do. The words name that, and say what to do instead.
  case file(String, instead: String)
  /// The list, and a terminal to draw on.
  case terminal
  /// The machine where it was typed, from which it reaches the list and other machines.
  case typist
}
