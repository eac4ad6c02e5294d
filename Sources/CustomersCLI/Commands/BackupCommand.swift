internal import CustomerStore
internal import Formats
internal import Platform
internal import TerminalText

extension Command {
  static let backup = Command(
    name: "backup", summary: "copy the list safely, also while others write",
    description: [
      "The copy is of one moment, and is checked before it gets its name; only its owner can read it.",
      "A file that is there already is replaced only after a question, or with --yes. The address of a new",
      "cluster, dqlite://HOST:PORT,…/customers, gets the list with its history.",
    ],
    operands: [.one(.file())],
    examples: [
      CommandExample("Copy the list:", "customers backup copy.sqlite"),
      CommandExample("Keep a copy of each day:", "customers backup \"customers-$(date +%F).sqlite\""),
    ],
    seeAlso: ["restore", "export", "check"],
    run: { session in
      let path = session.invocation.operands[0]
      guard !["", "-"].contains(path) else { throw Failure.usage("backup needs the name of a file") }
      let store = try session.openFile(creating: false)
      var count: Int
      var isDamaged = false
      if session.isDryRun {
        count = try store.read { list in try list.count() }
      } else if CustomerStore.isClusterAddress(path) {
        count = try session.holdingOutput { try store.load(toCluster: path) }
      } else {
        let exists = unsafe access(path, F_OK) == 0
        if exists {
          let question = "Replace \(quoted(path))?"
          guard try session.confirm(question, to: "replacing \(quoted(path))") else { return .declined }
        }
        // The key that interrupts is heard between pages, so that no part of a copy is left.
        let interrupts = SignalSet([SIGINT, SIGTERM, SIGHUP])
        let copy = try interrupts.held {
          try store.backUp(to: path, replacing: exists) {
            if interrupts.isPending { throw Failure(code: .failed, message: "interrupted") }
          }
        }
        count = copy.count
        isDamaged = !copy.violations.isEmpty
      }
      if try session.format() == .json {
        try session.answer([
          ("op", .string("backup")), ("file", .string(path)), ("count", .int(count)),
          ("ok", .bool(!isDamaged)),
        ])
      } else {
        try session.tell(Sentence(.backUp, "\(rowCount(count)) → \(quoted(path))"))
        if isDamaged, !session.isQuiet {
          try session.writeAside(
            "note: the list is damaged, and so is its copy; customers check tells more")
        }
      }
      return .done
    })
}
