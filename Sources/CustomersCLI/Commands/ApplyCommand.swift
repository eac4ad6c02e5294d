internal import Formats
internal import CustomerStore

extension Command {
  static let apply = Command(
    name: "apply", summary: "run a script of edits, all or nothing",
    description: [
      "A line of a script is what stands behind `customers` on a command line, quoted as in a shell:",
      "add, edit, delete, move, swap, sort, protect, section, and expect, which checks. # begins a comment,",
      "\\ at the end continues a line, $'…' may have \\n in it. `add … --as NAME` names a new row, and $NAME",
      "is that row further down.",
      "Between begin and end stands a batch: rows are named as the list was before it, and add --at and",
      "move --to give places in the list as it is after it, whatever comes first.",
      "All mistakes are told before anything is done; the first line that fails takes all back.",
    ],
    operands: [.one(.file("FILE|-"))],
    options: [.flag("--check", "only tell whether the script can be understood")],
    examples: [
      CommandExample(
        "See what a script would do, and run it:",
        "customers apply spring-clean --dry-run\ncustomers apply spring-clean"),
      CommandExample(
        "Run lines that another program writes:", "printf 'add Ann\\nadd Bob\\n' | customers apply -"),
    ],
    seeAlso: ["expect", "scripts"],
    run: { session in
      let progress = ProgressBar(session)
      let script = try ScriptFile(session.invocation.operands[0], session.context)
      let check = try ScriptCheck(script)
      if session.invocation.has("--check") {
        try session.tell(check, of: script)
      } else {
        try session.apply(script, check, progress)
      }
      return .done
    })
}

extension Session {
  fileprivate func tell(_ check: ScriptCheck, of script: ScriptFile) throws {
    if try format() == .json {
      try output.write(
        JSON.object([
          ("op", .string("apply")), ("check", .bool(true)), ("ok", .bool(true)), ("lines", .int(check.count)),
        ]).text + "\n")
    } else if !isQuiet {
      let lines = check.count == 1 ? "1 line, without a mistake" : "\(check.count) lines, without a mistake"
      try output.write("\(printable(script.name)): \(lines).\n")
    }
  }

  fileprivate func apply(_ script: ScriptFile, _ check: ScriptCheck, _ progress: ProgressBar) throws {
    let dataFile = try dataFile().path
    var changes = try ChangeWriter(self)
    defer { progress.erase() }
    let (edits, rows, step, changed, count) = try write(creating: check.createsFile) { list in
      var run = ScriptRun(script, check, dataFile: dataFile)
      let first = try list.lastEdit()
      try run.perform(&list, progress)
      progress.erase()
      let changed = first..<(try list.lastEdit())
      // They will not have happened when the list is read again.
      if isDryRun { try changes.write(changed, of: list) }
      return (run.edits, run.rows, try list.currentStep()?.id, changed, try list.count())
    }
    if try format() == .json {
      if !isDryRun { try read { list in try changes.write(changed, of: list) } }
      let named = rows.map { ($0.name, JSON.int(Int($0.row.rawValue))) }
      let undo = isDryRun ? [] : step.map { [("undo", JSON.int(Int($0)))] } ?? []
      try changes.end(
        [("edits", .int(edits)), ("count", .int(count)), ("rows", .object(named))] + undo)
    } else {
      let made = edits == 1 ? "1 edit" : "\(edits) edits"
      try tell(["Applied \(made); the list has \(rowCount(count))."])
    }
  }
}
