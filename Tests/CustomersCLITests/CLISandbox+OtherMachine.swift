import Foundation
import Platform
import TestSupport
import Testing

extension CLISandbox {
  /// An environment in which the list is on another machine, as a program sees it.
  ///
  /// What stands for ssh does what sshd does: it hands its last word to a shell, in another folder and with
  /// nothing of the person's environment.
  /// The customers file is at `path`, or that of the sandbox. What the shell does with the last word, `$word`, is
  /// `serving`; `run` there runs something on that machine.
  func otherMachine(_ path: String? = nil, serving: String = "run sh -c \"$word\"") throws -> [String: String]
  {
    let base = URL(filePath: folder).deletingLastPathComponent().path
    let folder = base + "/far"
    if !FileManager.default.fileExists(atPath: folder) {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
      try FileManager.default.createSymbolicLink(
        atPath: folder + "/customers", withDestinationPath: CLISandbox.program)
    }
    let script = """
      for word; do :; done
      FAR='\(folder)'; export FAR
      run() { env -i FAR="$FAR" HOME="$FAR" TERM="${TERM-}"  PATH="$FAR:$PATH" \
        LD_LIBRARY_PATH="${LD_LIBRARY_PATH-}" "$@"; }
      cd / || exit 1
      \(serving)
      """
    let name = "\(folder)/ssh-\(UUID().uuidString)"
    try Data(script.utf8).write(to: URL(filePath: name))
    return ["CUSTOMERS_DB": "ssh://elsewhere\(path ?? file)", "CUSTOMERS_SSH": "sh '\(name)'"]
  }

  /// Expects that a person sees the table, changes something there, and leaves it.
  func expectTable(in environment: [String: String], sourceLocation: SourceLocation = #_sourceLocation) throws
  {
    var keys = ["q", ":rename-is-none\r", ":add '$(touch owned)'\r"]
    let (screen, code) = try terminal([CLISandbox.program, "table"], environment: environment) { screen in
      let text = String(decoding: screen, as: UTF8.self)
      let isReady = [3: text.contains("X"), 2: text.contains("Added"), 1: text.contains("unknown command")]
      return isReady[keys.count] == true ? keys.popLast() : nil
    }
    #expect(code == 0 && keys.isEmpty, "\(screen)", sourceLocation: sourceLocation)
    #expect(try order.contains("$(touch"), sourceLocation: sourceLocation)
  }
}
