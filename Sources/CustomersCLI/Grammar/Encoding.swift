internal import CustomersPlatform

/// Refuses words and paths that are not UTF-8.
///
/// Swift replaces invalid bytes with a replacement character, so a different name would be kept, or a
/// different file opened.
func refuseUnreadableText(in words: ProgramWords) throws {
  if let number = words.unreadable {
    throw Failure.usage("word \(number) of the command line is not UTF-8")
  }
  for name in ["CUSTOMERS_DB", "XDG_DATA_HOME", "HOME"] {
    guard let value = unsafe getenv(name) else { continue }
    guard unsafe String(validatingCString: value) != nil else {
      throw Failure.usage("$\(name) is not UTF-8")
    }
  }
}
