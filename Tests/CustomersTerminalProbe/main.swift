internal import CustomerStore
internal import CustomersSystem
internal import CustomersTerminal

// An app that shows a list in one call.
if CommandLine.arguments.count > 2 {
  try CustomerStore(path: CommandLine.arguments[1]).showTable(
    named: "Guests", isReadOnly: CommandLine.arguments[2] == "read-only")
  exit(0)
}

// A program that ends abruptly while it shows a screen: the tests examine the state of the terminal.
let terminal = try Terminal(usesMouse: true)
print("ready", terminator: "")
fflush(nil)
unsafe write(STDERR_FILENO, "kept\n", 5)

func dig(_ depth: Int) -> Int { depth < 0 ? 0 : dig(depth + 1) + dig(depth + 2) }

switch CommandLine.arguments.last {
case "trap": fatalError("the end")
case "overflow": print(dig(0))
case "abort": abort()
case "exit": exit(7)
case "error": throw CancellationError()
case "segment":
  let nowhere = unsafe UnsafeMutablePointer<Int>(bitPattern: 8)
  unsafe nowhere?.pointee = 1
default: terminal.leave()
}
