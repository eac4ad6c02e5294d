internal import SQLite

extension CustomerStore {
  /// The program that has locked the customers file at `path`, and the number of its process; nil if the
  /// system does not tell, or if none has.
  public static func lockHolder(ofFile path: String) -> (program: String, process: Int)? {
    LockHolder(ofDatabase: path).map { ($0.program, Int($0.process)) }
  }
}
