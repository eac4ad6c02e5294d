import Foundation

extension CLISandbox {
  /// An environment in which the user's editor is a script of the shell; the file to edit is `$1`.
  ///
  /// Temporary files are made in the folder `tmp`, see `leftovers`.
  func editor(_ script: String) throws -> [String: String] {
    try FileManager.default.createDirectory(atPath: folder + "/tmp", withIntermediateDirectories: true)
    let path = try write(script + "\n", to: "editor")
    return ["EDITOR": "sh '\(path)'", "TMPDIR": folder + "/tmp"]
  }

  /// An editor that saves another string.
  func editor(saving lines: [String]) throws -> [String: String] {
    try editor("cat > \"$1\" <<'END'\n\(lines.joined(separator: "\n"))\nEND")
  }

  /// The temporary files that remain.
  var leftovers: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder + "/tmp") }
  }
}
