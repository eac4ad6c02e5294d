import Foundation

extension Desk {
  /// An environment in which the person's editor is a script of the shell; the file to edit is `$1`.
  ///
  /// Temporary files are made in the folder `tmp`, see `leftovers`.
  func editor(_ script: String) throws -> [String: String] {
    try FileManager.default.createDirectory(atPath: folder + "/tmp", withIntermediateDirectories: true)
    let path = try write(script + "\n", to: "editor")
    return ["EDITOR": "sh '\(path)'", "TMPDIR": folder + "/tmp"]
  }

  /// What is left of temporary files.
  var leftovers: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder + "/tmp") }
  }

  /// A script for `editor` that replaces a text in the file, exactly.
  func replacing(_ old: String, with new: String) -> String {
    "python3 - \"$1\" <<'END'\nimport sys\np = sys.argv[1]\nt = open(p, newline='').read()\n"
      + "assert \(pythonText(old)) in t\nopen(p, 'w', newline='').write(t.replace(\(pythonText(old)), \(pythonText(new))))\nEND"
  }

  private func pythonText(_ text: String) -> String {
    "'" + text.unicodeScalars.map { "\\U" + String(format: "%08x", $0.value) }.joined() + "'"
  }
}
