/// The paths of the page, and the methods that each of them takes.
enum Route {
  /// The path of the stream, which `ListAPI.answer` does not know.
  static let events: Substring = "/api/events"

  /// Those that need the token.
  private static let api: [Substring: [String]] = [
    "/api/rows": ["GET"], "/api/customer": ["GET"], "/api/form": ["GET"], "/api/outcome": ["GET"],
    "/api/columns": ["GET"], "/api/view": ["POST"], "/api/hit": ["POST"], "/api/matches": ["POST"],
    "/api/edit": ["POST"], "/api/undo": ["POST"], "/api/redo": ["POST"], events: ["GET"],
    "/api/history": ["GET"], "/api/revert": ["POST"], "/api/photo": ["GET"],
    upload: ["POST"], "/api/preview": ["POST"], "/api/import": ["POST"], "/api/formats": ["GET"],
    "/api/export": ["POST"], "/api/download": ["GET"], "/api/cancel": ["POST"],
  ]

  /// The path that takes pieces of files instead of JSON.
  private static let upload: Substring = "/api/upload"

  /// All paths.
  static var all: [Substring] { Array(api.keys) + Array(PageFiles.own.files.keys) }

  /// The methods that a path takes; nil if there is nothing at the path.
  static func methods(of path: Substring) -> [String]? {
    api[path] ?? (PageFiles.own.files[path] == nil ? nil : ["GET", "HEAD"])
  }

  /// The type of the body that a path takes.
  static func bodyType(of path: Substring) -> String {
    path == upload ? "application/octet-stream" : "application/json"
  }

  /// Whether only those who know the token get an answer.
  static func isPrivate(_ path: Substring) -> Bool { api[path] != nil }
}
