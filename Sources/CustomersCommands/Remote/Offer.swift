internal import CustomerStore
internal import CustomersSystem
internal import CustomersText

/// What `customers serve` offers to a program on another machine.
///
/// The context of a request carries it from its beginning, and so do those of the runs that the request starts.
/// Every command and every address of a list is put before it, so it alone decides.
struct Offer: Sendable {
  private enum Lists: Sendable {
    /// These files, by their paths.
    case listed([String])
    /// The files in a folder, where lists and backups may be created.
    case folder(String)
    /// Whatever the account may use, with its other files and its programs.
    case any
  }

  static let list = Option.values(
    "--list", .file(.list, "PATH"), "offer the list in this file (repeatable)")
  static let folder = Option.value(
    "--folder", .file(.list, "PATH"), "offer the lists in this folder and the folders in it")
  static let any = Option.flag("--any", "offer whatever the account may use, which is worth a shell")
  static let person = Option.value(
    "--person", .text("NAME"), "say in the history that NAME made the changes: whoever has this key")
  static let readOnly = Option.flag("--read-only", "offer them for reading only")

  private let lists: Lists
  /// Whether the lists are offered for reading only.
  let isReadOnly: Bool
  /// Who makes the changes, if the key says it; empty otherwise.
  private let person: String

  /// The offer that the options of `serve` describe; without any, the list that the account uses by default.
  ///
  /// - Throws: a `Failure` with code `usage` if an option is invalid.
  init(_ session: Session) throws {
    let invocation = session.invocation
    let (named, folder) = (invocation[Offer.list], invocation[Offer.folder])
    for (option, texts) in [(Offer.list.name, named), (Offer.folder.name, folder.map { [$0] } ?? [])] {
      for text in texts {
        guard !text.isEmpty, try ListAddress(text).path != nil else {
          throw Failure.usage("\(option) needs a path, not \(quoted(text))", offendingArgument: option)
        }
      }
    }
    (isReadOnly, person) = (invocation[Offer.readOnly], invocation[Offer.person] ?? "")
    if invocation[Offer.any] {
      if isReadOnly { throw Failure.contradictory("--any", "--read-only") }
      lists = .any
    } else if let folder {
      lists = .folder(folder)
    } else {
      lists = .listed(try named.isEmpty ? session.list.address.path.map { [$0] } ?? [] : named)
    }
  }

  /// Whether a request may use less than the account.
  var isLimited: Bool { if case .any = lists { false } else { true } }

  /// Refuses a command that is not about an offered list, or that would leave another file.
  ///
  /// - Throws: a `Failure` with code `refused`.
  func admit(_ command: String, _ need: CommandNeed) throws {
    guard isLimited else { return }
    switch need {
    case .list, .terminal, .completion: break
    case .nothing, .typist, .cluster:
      throw Offer.refusal("\(command) is not offered: it is about more than an offered list")
    case .copies:
      guard case .folder = lists else {
        throw Offer.refusal("the copies in a folder are not offered: only named lists are")
      }
    case .file, .copy:
      // A command may need this in one of its forms only, and a person does not type the one for a copy.
      let what = if case .file(let form, _, _) = need { form } else { "a new copy" }
      if isReadOnly { throw Offer.refusal("\(what) is not offered: the lists are for reading only") }
      guard case .listed = lists, need.leavesFile else { return }
      throw Offer.refusal("\(what) is not offered: it leaves a file beside the list")
    }
  }

  /// Refuses a list that is not offered.
  ///
  /// - Parameters:
  ///   - address: an address on this machine.
  ///   - name: the address from where the user is.
  /// - Returns: the address, without links.
  /// - Throws: a `Failure` with code `refused`, the same whether or not there is such a file.
  func admit(_ address: ListAddress, called name: String) throws -> ListAddress {
    if case .any = lists { return address }
    guard let path = address.path, let place = place(of: path),
      CustomerStore.reservation(of: place, byListAt: nil) == nil
    else { throw Offer.refusal("\(quoted(name)) is not offered") }
    return .file(place)
  }

  /// Refuses a series of copies that is not offered.
  ///
  /// - Parameters:
  ///   - path: the name of the series, or the folder itself.
  ///   - name: its address from where the user is.
  /// - Returns: the path, without links.
  /// - Throws: a `Failure` with code `refused`, the same whether or not there is anything.
  func admitCopies(_ path: String, called name: String) throws -> String {
    if case .folder(let folder) = lists, let folder = try? Folder.resolve(folder),
      (try? Folder.resolve(path)) == folder
    {
      return folder
    }
    guard let place = try admit(.file(path), called: name).path else {
      throw Offer.refusal("\(quoted(name)) is not offered")
    }
    return place
  }

  /// Returns how an offered list is opened: whatever has been put in its place since is not followed.
  func limit(_ options: CustomerStore.Options) -> CustomerStore.Options {
    var options = options
    options.person = person
    guard isLimited else { return options }
    options.refusesLinks = true
    options.isReadOnly = isReadOnly
    options.createsFolders = false
    if case .folder = lists, !isReadOnly { return options }
    options.createsFile = false
    return options
  }

  /// The path of an offered file, without links; nil if it is not offered.
  private func place(of path: String) -> String? {
    if case .any = lists { return path }
    // The system would not read on after a zero. And a way through another folder and back would tell whether there
    // is such a folder.
    guard !path.utf8.contains(0), !path.split(separator: "/").contains(where: { [".", ".."].contains($0) })
    else {
      return nil
    }
    switch lists {
    case .any: return path
    case .listed(let paths):
      return Offer.realPath(path).flatMap { real in paths.contains { Offer.realPath($0) == real } ? real : nil
      }
    case .folder(let folder): return Offer.place(of: path, in: folder)
    }
  }

  /// The path without links of a file that need not exist; nil if its folder does not.
  private static func realPath(_ path: String) -> String? {
    if let real = try? Folder.resolve(path) { return real }
    guard !["", ".", ".."].contains(Folder.name(ofFile: path)),
      let folder = try? Folder.resolve(Folder(ofFile: path).path)
    else { return nil }
    return (folder == "/" ? "" : folder) + "/" + Folder.name(ofFile: path)
  }

  /// The path of a file in a folder; nil if it is elsewhere, or hidden, or if the way from the folder to it
  /// contains a link.
  private static func place(of path: String, in folder: String) -> String? {
    guard let folder = try? Folder.resolve(folder) else { return nil }
    let names = path.split(separator: "/", omittingEmptySubsequences: false)
    // The folder may have been named by another path.
    for count in names.indices.dropFirst()
    where (try? Folder.resolve(names[..<count].joined(separator: "/") + "/")) == folder {
      var place = folder == "/" ? "" : folder
      for name in names[count...] where !name.isEmpty {
        guard !name.hasPrefix(".") else { return nil }
        place += "/" + name
        var status = stat()
        if unsafe lstat(place, &status) == 0, status.st_mode & S_IFMT == S_IFLNK { return nil }
      }
      return names.last == "" ? nil : place
    }
    return nil
  }

  private static func refusal(_ message: String) -> Failure {
    Failure.refused(message, hint: "to see what a key may be given: customers help serve")
  }
}

extension CommandNeed {
  /// Whether the command leaves a file beside the list, other than the old list after a restore.
  fileprivate var leavesFile: Bool {
    switch self {
    case .file(_, _, let leavesFile): leavesFile
    case .copy: true
    case .nothing, .list, .cluster, .terminal, .typist, .completion, .copies: false
    }
  }
}
