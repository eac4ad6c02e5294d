internal import CustomersFiles
internal import CustomersWeb

/// A file that leads a browser to the page.
///
/// The address itself is not put on a command line, where every user of the machine could read the key.
struct BrowserPage {
  private let file: StateFile
  private let url: String

  /// Chooses a file in the home folder, with a name that is not hidden.
  ///
  /// Browsers that are packed as snaps, such as Firefox and Chromium of Ubuntu, read nothing below a hidden folder, and
  /// have a `/tmp` of their own. Only its owner can read the file, and it goes away with the program.
  ///
  /// - Returns: nil if no home folder is known.
  init?(of door: WebDoor, _ environment: [String: String]) {
    guard let home = environment["HOME"], !home.isEmpty, let state = door.file else { return nil }
    file = StateFile("\(home)/customers-web-\(Folder.name(ofFile: state.path).prefix(8)).html")
    url = door.url
  }

  /// Writes the file, and opens it in a browser, which goes on after the program.
  func open(_ session: Session) throws {
    do { try file.write(bytes) } catch {
      return try session.writeAside("note: can't open a browser: \(session.failure(error).message)")
    }
    let script = """
      browser=${BROWSER:-xdg-open}
      command -v ${browser%% *} > /dev/null || exit 1
      $browser "$1" > /dev/null 2>&1 &
      """
    guard try Child(script, [file.path]).wait() != 0 else { return }
    try session.writeAside("note: can't open a browser: $BROWSER names none, and there is no xdg-open")
    try session.errors.flush()
  }

  private var bytes: [UInt8] {
    Array(
      """
      <!doctype html><meta charset="utf-8"><title>customers</title>
      <meta http-equiv="refresh" content="0;url=\(url)"><a href="\(url)">Open the list</a>

      """.utf8)
  }

  func remove() { try? Folder.removeFile(file.path) }
}
