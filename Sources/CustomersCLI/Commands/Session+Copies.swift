extension Session {
  /// The names for the list as it was before a command replaced what is in it, from the first one on.
  static func copies(of list: String, before command: String) -> some Sequence<String> {
    (1...).lazy.map { number in "\(list).before-\(command)" + (number == 1 ? "" : "-\(number)") }
  }
}
