internal import CustomersFiles
internal import CustomersPlatform

/// A pipe, whose ends are not inherited by child processes.
struct Pipe {
  let reading: FileDescriptor
  let writing: FileDescriptor

  init() throws {
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { throw Failure(code: .failed, message: "can't make a pipe") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    (reading, writing) = (FileDescriptor(rawValue: ends[0]), FileDescriptor(rawValue: ends[1]))
  }
}
