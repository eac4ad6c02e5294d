import Foundation
import CustomersSystem
import CustomersTestSupport
import Testing

extension CLISandbox {
  /// Returns an environment in which the list appears to be on another machine.
  ///
  /// A script takes the place of ssh. Like sshd, it passes its last word to a shell, in another folder and
  /// with an empty environment.
  ///
  /// - Parameters:
  ///   - path: the path of the customers file; by default that of the sandbox.
  ///   - serving: the shell command that handles the last word, `$word`; `run` in it runs a command on the
  ///     other machine.
  /// - Returns: the variables for a run of `customers`.
  /// - Throws: the error of writing the script.
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

  /// Where a program finds copies in a folder of the sandbox.
  ///
  /// - Parameters:
  ///   - place: `here`, or `there`: on another machine, whose key is for the folder alone.
  ///   - folder: the folder.
  /// - Returns: the start of their paths, and the variables for a run of `customers`.
  /// - Throws: the error of writing the script.
  func copies(_ place: String, in folder: String) throws -> (start: String, environment: [String: String]) {
    let far = try otherMachine(serving: "run customers serve --folder '\(folder)'")
    return (
      place == "here" ? "" : "ssh://elsewhere\(self.folder)/",
      ["CUSTOMERS_SSH": try #require(far["CUSTOMERS_SSH"])]
    )
  }

  /// Expects that the table appears, accepts an edit, and quits.
  func expectTable(
    _ words: String..., in environment: [String: String], sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    var keys = ["q", ":rename-is-none\r", ":add '$(touch owned)'\r"]
    let (screen, code) = try terminal([CLISandbox.program] + words, environment: environment) { screen in
      let text = String(decoding: screen, as: UTF8.self)
      let isReady = [3: text.contains("X"), 2: text.contains("Added"), 1: text.contains("unknown command")]
      return isReady[keys.count] == true ? keys.popLast() : nil
    }
    #expect(code == 0 && keys.isEmpty, "\(screen)", sourceLocation: sourceLocation)
    #expect(try order.contains("$(touch"), sourceLocation: sourceLocation)
  }
}
