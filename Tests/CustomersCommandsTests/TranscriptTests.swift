import CustomersTestSupport
import Foundation
import Testing

/// The sessions in files, and the suites that have nothing else.
@Suite(.onThreads) struct TranscriptTests {
  @Test(arguments: [
    ["$ letters", "$ order", "A B C D"], ["$ letters", "$ order"], ["$ customers list"],
    ["$ letters", "$ customers move 9 1", "stderr: customers: row 9 is out of range (1–6)"],
    ["$ letters", "% customers move 4 1 -q"], ["$ letters", "$ sql UPDATE node SET parent = 0"],
  ])
  func `a session that shows something else, touches the file, or damages it is noticed`(lines: [String])
    throws
  {
    withKnownIssue { try Transcript(path: "", title: "", lines: lines).replay() }
  }

  @Test func `each file is that of a suite`() throws {
    let folder = URL(filePath: samples).deletingLastPathComponent()
    let sources = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
      $0.hasSuffix(".swift")
    }
    let code = try sources.map { try String(contentsOf: folder.appending(path: $0), encoding: .utf8) }
      .joined()
    for file in try FileManager.default.contentsOfDirectory(atPath: samples + "/sessions") {
      #expect(code.contains("Transcript.sessions(\"\(file.dropLast(4))\")"), "\(file)")
    }
  }
}

/// `customers delete`; the question is in QuestionTests.
@Suite(.onThreads) struct DeleteTests {
  @Test(arguments: try Transcript.sessions("Delete"))
  func `a session goes as recorded`(_ session: Transcript) throws { try session.replay() }
}

/// Files that are not quite what they should be: what is asked, refused, and noted.
@Suite(.onThreads) struct ImportShapeTests {
  @Test(arguments: try Transcript.sessions("ImportShape"))
  func `a session goes as recorded`(_ session: Transcript) throws { try session.replay() }
}

/// `customers log`, `customers done`, and who is next.
@Suite(.onThreads) struct DayTests {
  @Test(arguments: try Transcript.sessions("Log") + Transcript.sessions("LogTravel"))
  func `a session goes as recorded`(_ session: Transcript) throws { try session.replay() }
}

/// `customers swap` and `customers protect`.
@Suite(.onThreads) struct SwapTests {
  @Test(arguments: try Transcript.sessions("Swap"))
  func `a session goes as recorded`(_ session: Transcript) throws { try session.replay() }
}
