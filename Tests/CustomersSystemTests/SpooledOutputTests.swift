import CustomersSystem
import CustomersTestSupport
import Foundation
import Synchronization
import Testing

/// `SpooledOutput`: bytes that a reader does not accept at once are kept, and come out in order.
@Suite(.onThreads) struct SpooledOutputTests {
  /// A pipe; whoever reads it gets all until its end.
  private struct Pipe {
    let reader: FileDescriptor
    let writer: FileDescriptor

    init() throws {
      var ends: [Int32] = [-1, -1]
      try #require(unsafe pipe(&ends) == 0)
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      (reader, writer) = (FileDescriptor(rawValue: ends[0]), FileDescriptor(rawValue: ends[1]))
    }

    func readAll() throws -> [UInt8] {
      Array(try FileHandle(fileDescriptor: reader.rawValue, closeOnDealloc: true).readToEnd() ?? Data())
    }

    /// Reads the bytes in the pipe, at most `count`.
    func take(_ count: Int) -> [UInt8] {
      var bytes = [UInt8](repeating: 0, count: count)
      let taken = unsafe read(reader.rawValue, &bytes, count)
      return Array(bytes.prefix(max(0, taken)))
    }
  }

  private func piece(_ number: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(($0 + number) & 0xff) }
  }

  @Test func `bytes come out in order, however they were written and read`() throws {
    let pipe = try Pipe()
    var output = SpooledOutput(pipe.writer)
    var (written, taken): ([UInt8], [UInt8]) = ([], [])
    for number in 1...60 {
      let bytes = piece(number, number * 997 % 70_000)
      try output.writeWithoutWaiting(bytes)
      written += bytes
      // Now and then the reader catches up.
      if number % 3 == 0 { taken += pipe.take(40_000) }
      if number % 20 == 0 {
        while taken.count < written.count {
          try output.writeWithoutWaiting([])
          taken += pipe.take(60_000)
        }
      }
    }
    // Not compared inside, since two long arrays that differ are slow to describe.
    var isSame = taken == written
    #expect(isSame)
    try output.writeWithoutWaiting(piece(0, 500_000))
    let rest = Thread.reading(pipe.readAll)
    try output.write(piece(1, 100_000))
    pipe.writer.close()
    isSame = try rest() == piece(0, 500_000) + piece(1, 100_000)
    #expect(isSame)
  }

  @Test func `a file and a device take everything at once`() throws {
    var null = SpooledOutput(FileDescriptor(rawValue: unsafe open("/dev/null", O_WRONLY | O_CLOEXEC)))
    try null.writeWithoutWaiting(piece(0, 1_000_000))
    var full = SpooledOutput(FileDescriptor(rawValue: unsafe open("/dev/full", O_WRONLY | O_CLOEXEC)))
    let failure = #expect(throws: SystemError.self) { try full.writeWithoutWaiting([1]) }
    #expect(failure?.isFull == true)
  }
}

extension Thread {
  /// Starts `body` on a thread of its own; what is returned waits for its result.
  fileprivate static func reading(
    _ body: @escaping @Sendable () throws -> [UInt8]
  ) -> () throws -> [UInt8] {
    let box = Box()
    let done = DispatchSemaphore(value: 0)
    detachNewThread {
      let result = Result { try body() }
      box.result.withLock { $0 = result }
      done.signal()
    }
    return {
      done.wait()
      return try box.result.withLock { $0 }.get()
    }
  }
}

private final class Box: Sendable {
  let result = Mutex<Result<[UInt8], any Error>>(.success([]))
}
