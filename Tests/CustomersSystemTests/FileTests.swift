import CustomersSystem
import Foundation
import CustomersTestSupport
import Testing

/// Files that appear whole or not at all, and files that are read twice.
@Suite(.onThreads) struct FileTests {
  private func names(_ folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
  }

  @Test func `a file gets its name when committed, and is removed otherwise`() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/a"
      for text in ["first", "second"] {
        let file = try AtomicFile(path)
        #expect(try names(folder).count == (text == "first" ? 1 : 2))
        try write(Array(text.utf8), to: file.temporaryPath)
        if text == "first" { try file.commit(replacing: false) }
      }
      #expect(try names(folder) == ["a"])
      #expect(try bytes(of: path) == Array("first".utf8))
      let failure = #expect(throws: SystemError.self) { try AtomicFile(path).commit(replacing: false) }
      #expect(failure?.isExisting == true)
      try AtomicFile(path).commit(replacing: true)
      #expect(try bytes(of: path) == [] && names(folder) == ["a"])
    }
  }

  @Test func `a file that a killed program left goes with the next one, and no other file does`() throws {
    try withTemporaryFolder { folder in
      func leave(_ name: String, mode: mode_t) throws {
        try write([1], to: "\(folder)/\(name)")
        #expect(unsafe chmod("\(folder)/\(name)", mode) == 0)
      }
      let (marked, plain): (mode_t, mode_t) = (0o1600, 0o600)
      for name in ["a.~AbC12", ".hidden.~AbC12", "copy-20261122T093000Z.sqlite.~xYz78"] {
        try leave(name, mode: marked)
      }
      try leave("a.~AbC12-journal", mode: plain)
      let others = [
        "a.~AbC13", "a.~AbC12-notes", "a.~AbC123X", "AbC123", "a.AbC123", "b.sqlite", "b.backup",
        "twin.~AbC12",
      ]
      for name in others { try leave(name, mode: name == others[0] ? plain : marked) }
      try FileManager.default.linkItem(atPath: folder + "/twin.~AbC12", toPath: folder + "/twin")
      try FileManager.default.createSymbolicLink(
        atPath: folder + "/link.~AbC12", withDestinationPath: "AbC123")
      let current = try AtomicFile(folder + "/c")
      let placed = ["d", "e.sqlite", "f.~12345"]
      for name in placed { try AtomicFile("\(folder)/\(name)").commit(replacing: false) }
      let name = URL(filePath: current.temporaryPath).lastPathComponent
      #expect(try names(folder) == (others + placed + ["twin", "link.~AbC12", name]).sorted())
      try current.commit(replacing: false)
      for name in placed + ["c"] {
        let mode = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")[.posixPermissions]
        #expect(mode as? Int == 0o600)
      }
    }
  }

  @Test func `files with some endings are in the order in which they were written`() throws {
    try withTemporaryFolder { folder in
      let files = ["c.db", "a.sqlite", "d.txt", "b.sqlite3"].map { "\(folder)/\($0)" }
      for (second, file) in files.enumerated() {
        try write([1], to: file)
        let time = Date(timeIntervalSince1970: Double(1_000_000 + second))
        try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: file)
      }
      let found = try Folder(folder).files(ending: [".sqlite", ".sqlite3", ".db"])
      #expect(found == [files[0], files[1], files[3]])
    }
  }

  @Test func `a file that can't be renamed leaves nothing behind, and an existing one as it was`() throws {
    try withTemporaryFolder { folder in
      try write([1], to: folder + "/old")
      for (name, replacing) in [("new", false), ("old", true)] {
        let file = try AtomicFile("\(folder)/\(name)")
        try FileManager.default.removeItem(atPath: file.temporaryPath)
        #expect(throws: SystemError.self) { try file.commit(replacing: replacing) }
        #expect(try names(folder) == ["old"] && bytes(of: folder + "/old") == [1])
      }
    }
  }

  @Test func `a file has any name that the system allows; a longer one is refused, with the limit`() throws {
    try withTemporaryFolder { folder in
      for letter in ["a", "é", "👩‍👩‍👧‍👦"] {
        for length in [1, 200, 247, 248, 249, 254, 255] {
          let name =
            String(repeating: letter, count: length / letter.utf8.count)
            + String(repeating: "x", count: length % letter.utf8.count)
          try AtomicFile("\(folder)/\(name)").commit(replacing: false)
          #expect(try names(folder) == [name])
          try FileManager.default.removeItem(atPath: "\(folder)/\(name)")
        }
      }
      let name = String(repeating: "a", count: 256)
      let error = #expect(throws: SystemError.self) { try AtomicFile("\(folder)/\(name)") }
      #expect(error?.description.contains("255 bytes") == true)
      #expect(try names(folder) == [])
    }
  }

  @Test func `an output file is its owner's alone, and replaces another when it is finished`() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/a"
      try write([1], to: path)
      let file = try OutputFile(path)
      try file.descriptor.write([2, 3])
      try file.sync()
      #expect(try bytes(of: path) == [1])
      try file.finish()
      #expect(try bytes(of: path) == [2, 3] && names(folder) == ["a"])
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
      #expect(mode == 0o600)
      #expect(throws: FileError.self) { try OutputFile(folder + "/no/a") }
    }
  }

  @Test func `an endless pipe is refused`() throws {
    try withTemporaryFolder { folder in
      let pipe = folder + "/pipe"
      try #require(unsafe mkfifo(pipe, 0o600) == 0)
      // No more than fits into a pipe: a program that writes after its reader has gone would be ended.
      Thread.detachNewThread { try? write([UInt8](repeating: 7, count: 2000), to: pipe) }
      let error = #expect(throws: FileError.self) { try InputFile(pipe).kept(upTo: 1000) }
      #expect(error?.operation == .readAll && error?.reason.isFull == true)
    }
  }

  @Test func `a file is read again from its start, a pipe from a copy`() throws {
    try withTemporaryFolder { folder in
      let (path, pipe) = (folder + "/a", folder + "/pipe")
      let text = [UInt8](repeating: 7, count: 200_000)
      try write(text, to: path)
      try #require(unsafe mkfifo(pipe, 0o600) == 0)
      Thread.detachNewThread { try? write(text, to: pipe) }
      for name in [path, pipe] {
        let file = try InputFile(name).kept()
        #expect(file.size == text.count && file.path == name)
        for _ in 1...2 {
          var found: [UInt8] = []
          while case let piece = try file.read(), !piece.isEmpty { found += piece }
          #expect(found == text && file.position == text.count)
          try file.rewind()
        }
      }
      let missing = #expect(throws: FileError.self) { try InputFile(folder + "/no") }
      #expect(missing?.operation == .open && missing?.reason.isMissing == true)
    }
  }

  @Test func `a file is recognized by any of its names`() throws {
    try withTemporaryFolder { folder in
      try write([1], to: folder + "/a")
      try FileManager.default.linkItem(atPath: folder + "/a", toPath: folder + "/b")
      let file = try #require(FileIdentity(folder + "/a"))
      #expect(file == FileIdentity(folder + "/b") && file != FileIdentity(folder))
      #expect(FileIdentity(folder + "/a")?.isRegular == true && FileIdentity(folder)?.isRegular == false)
      #expect(FileIdentity(folder + "/no") == nil)
    }
  }
}
