extension Session {
  /// The names for the old list, before a command replaces it.
  static func copies(of list: String, before command: String) -> some Sequence<String> {
    (1...).lazy.map { number in "\(list).before-\(command)" + (number == 1 ? "" : "-\(number)") }
  }
}
