internal import CustomersSQLite

extension CustomerStore {
  /// The program that has locked the customers file at `path`, and its process id; nil if none has, or if the
  /// system does not report it.
  package static func lockHolder(ofFile path: String) -> (program: String, process: Int)? {
    LockHolder(ofDatabase: path).map { ($0.program, Int($0.process)) }
  }
}
