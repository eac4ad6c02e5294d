internal import CustomersSystem

/// Runs the program with the arguments of `main`.
///
/// - Returns: the exit code.
@_cdecl("customers_node_main")
package func main(_ count: Int32, _ words: UnsafePointer<UnsafePointer<CChar>?>?) -> Int32 {
  guard let words = unsafe ProgramWords(count, words) else {
    say("started without arguments, not even the program's name")
    return 1
  }
  #if Cluster
    return NodeProgram.run(words.arguments)
  #else
    say("this program was built without dqlite; build it with --traits Cluster")
    return 1
  #endif
}

/// Writes a line to standard error, for the user or the system's log.
func say(_ text: String) {
  try? FileDescriptor.standardError.write(Array("customers-node: \(text)\n".utf8))
}
