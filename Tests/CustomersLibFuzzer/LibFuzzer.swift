internal import CustomerStore
internal import CustomersText
internal import CustomerTransfer
internal import CustomersHTTP
internal import CustomersSystem
internal import CustomersTerminal

/// What is read: `csv`, `json`, `ldif`, or `vcard`; `list`, a customers file that is opened, read, checked, and edited;
/// `input`, what a terminal sends; `http`, the head of a request.
private let kind = unsafe getenv("CUSTOMERS_FUZZ").map { unsafe String(cString: $0) } ?? "csv"

/// The file that a list is in while it is tried.
private let path = "/tmp/customers-libfuzzer-\(getpid()).sqlite"

/// The function that libFuzzer calls (https://llvm.org/docs/LibFuzzer.html); it ends the program at a crash.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzerTestOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  switch kind {
  case "csv": readCSV(bytes)
  case "json": drain(JSONReader(readChunk: chunks(bytes)))
  case "ldif": drain(LDIFReader(readChunk: chunks(bytes)))
  case "vcard": drain(VCardReader(readChunk: chunks(bytes)))
  case "input": parseInput(bytes)
  case "http": parseHead(bytes)
  default: openList(bytes)
  }
  return 0
}

private func readCSV(_ bytes: [UInt8]) {
  var reader = CSVReader(readChunk: chunks(bytes))
  while (try? reader.next()) != nil {}
}

private func drain(_ reader: some RecordReader) {
  var reader = reader
  while (try? reader.next()) != nil {}
}

/// Wherever the bytes are split, they are the same events.
private func parseInput(_ bytes: [UInt8]) {
  let (first, rest) = (bytes.prefix(bytes.count / 2), bytes.dropFirst(bytes.count / 2))
  var (whole, split) = (InputParser(), InputParser())
  let events = split.parse(first) + split.parse(rest) + split.flush()
  precondition(whole.parse(bytes) + whole.flush() == events)
}

private func parseHead(_ bytes: [UInt8]) {
  var parser = HeadParser()
  guard let head = bytes.lazy.compactMap({ try? parser.take($0) }).first else { return }
  precondition(head.target.hasPrefix("/") && head["host"] != nil && head["transfer-encoding"] == nil)
}

/// The bytes in one piece, then none.
private func chunks(_ bytes: [UInt8]) -> () throws -> [UInt8] {
  var rest = bytes
  return {
    defer { rest = [] }
    return rest
  }
}

private func openList(_ bytes: [UInt8]) {
  let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
  _ = unsafe write(descriptor, bytes, bytes.count)
  close(descriptor)
  defer { for suffix in ["", "-journal", "-wal", "-shm"] { unsafe unlink(path + suffix) } }
  var options = CustomerStore.Options()
  options.createsFile = false
  guard let store = try? CustomerStore(path: path, options: options) else { return }
  _ = try? store.read { list in
    try list.forEach { _ in true }
    _ = try list.check()
    _ = try list.history()
  }
  try? store.write { list in
    let new = try list.insert(CustomerFields(name: "New"), at: .first)
    try list.move([new.id], to: .last)
    _ = try list.undo()
  }
  _ = try? store.repair(removingForeignTriggers: true, acceptingLoss: true)
}
