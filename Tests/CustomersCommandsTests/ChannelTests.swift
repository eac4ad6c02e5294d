@testable import CustomersCommands
import CustomerFixtures
import CustomerStore
import CustomersSystem
import Foundation
import CustomersTestSupport
import Testing

/// Messages between two programs, valid and malformed.
@Suite(.onThreads) struct ChannelTests {
  @Test(arguments: [0, 1, 65_535, 65_536, 65_537, 300_000])
  func `a message arrives unchanged`(size: Int) throws {
    try withTemporaryFolder { folder in
      let file = folder + "/messages"
      let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0) }
      let texts = ["", "a\nb", "Zoë", String(repeating: "x", count: size)]
      try reading(file) { (channel) throws in
        try channel.send(Message(.data, bytes: bytes))
        try channel.send(Message(.reply, texts))
        try channel.send(Message(.page, texts, body: bytes))
        try channel.send(Message(.end))
      } then: { (channel) throws in
        #expect(try channel.receive()?.bytes == bytes)
        #expect(try channel.receive()?.texts == texts)
        #expect(try channel.receive()?.parts == (texts.map { Array($0.utf8)[...] } + [bytes[...]]))
        #expect(try channel.receive()?.kind == .end)
        #expect(try channel.receive() == nil)
      }
    }
  }

  @Test func `malformed messages throw and do not crash`() throws {
    var generator = SplitMix64(seed: 17)
    try withTemporaryFolder { folder in
      let file = folder + "/bytes"
      for _ in 0..<(isLong ? 100_000 : 500) {
        var bytes = (0..<generator.below(60)).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        // Most have a plausible header.
        if generator.below(4) > 0 { bytes = [UInt8(1 + generator.below(44)), 0, 0, 0] + bytes }
        try write(bytes, to: file)
        try reading(file) { _ in
        } then: { (channel) throws in
          while let message = try? channel.receive() {
            _ = try? message.texts
            _ = try? message.pageRequest
            _ = try? message.pageAnswer
            _ = try? RemoteRequest(message)
            _ = try? Failure(message)
          }
        }
      }
    }
  }

  /// Runs `body` with a channel that writes a file, then `then` with the channel reading it.
  private func reading(
    _ file: String, _ body: (Channel) throws -> Void, then: (Channel) throws -> Void
  ) throws {
    let descriptor = FileDescriptor(rawValue: unsafe open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0o600))
    defer { descriptor.close() }
    let channel = Channel(input: descriptor, output: descriptor)
    try body(channel)
    lseek(descriptor.rawValue, 0, SEEK_SET)
    try then(channel)
  }
}
