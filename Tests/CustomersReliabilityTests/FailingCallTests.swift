import CustomerStore
import Foundation
import CustomersSQLite
import CustomersTestSupport
import Testing

/// Makes the n-th file call of an operation fail, once or from then on, for n = 1, 2, … until the operation
/// makes fewer calls; SQLite tests itself this way (https://sqlite.org/testing.html#i_o_error_testing).
@Suite(.onThreads) struct FailingCallTests {
  /// The number of faults in a test and their outcomes.
  private struct Tally: CustomStringConvertible {
    var faults = 0
    var done = 0
    var doneWithError = 0

    var description: String {
      "\(faults) faults: \(done) times done without an error, \(doneWithError) times done with one"
    }
  }

  @Test(
    arguments: sampled(Operation.edits + Operation.upkeep + Operation.conversions, oneIn: 9),
    FaultInjector.Kind.allCases)
  func `if any call fails, the list is as before or after the operation`(
    operation: Operation, kind: FaultInjector.Kind
  ) throws {
    let injector = FaultInjector()
    let folder = try WatchedFolder(injector)
    try SampleFile.write(to: folder.list, for: operation)
    let sample = try bytes(of: folder.list)
    let before = try states(of: folder)
    try operation.run(folder, TransactionToken())
    let after = try states(of: folder)
    #expect(before != after)
    var tally = Tally()
    for isForEver in [false, true] {
      var number = 1
      repeat {
        try reset(folder, to: sample)
        injector.arm(.init(kind: kind, number: number, isForEver: isForEver))
        let token = TransactionToken()
        var failure: (any Error)?
        do { try operation.run(folder, token) } catch { failure = error }
        guard injector.disarm() else { break }
        let place =
          "\(kind) \(number), \(isForEver ? "for ever" : "once"): \(failure.map { "\($0)" } ?? "done")"
        let found = try states(of: folder)
        #expect(found == before || found == after, "\(place)")
        let isRepair = operation.testDescription == "repair"
        let kept = folder.list + (isRepair ? ".before-repair" : ".before-upgrade")
        let isKept = FileManager.default.fileExists(atPath: kept)
        if isKept { #expect(try bytes(of: kept) == sample, "\(place)") }
        let keeps = isRepair || operation.sample != nil
        #expect(isKept || !keeps || found != after, "\(place)")
        // If the disk works again, it is known.
        #expect(!isKept || isForEver || found == after, "\(place)")
        #expect(failure != nil || found == after, "\(place): acknowledged and lost")
        if try hasReceipt(token, in: folder.list) { #expect(found == after, "\(place)") }
        tally.faults += 1
        if found == after { failure == nil ? (tally.done += 1) : (tally.doneWithError += 1) }
        // The short form skips more calls the later they are.
        number += isLong ? 1 : 1 + number
      } while true
    }
    print("\(operation.testDescription), \(kind): \(tally)")
    // A backup has SQLite sync nothing: it syncs its copy once, before the copy takes its name.
    #expect((tally.faults > 0) != (operation.testDescription == "backup" && kind == .folderSync))
  }

  @Test(arguments: FaultInjector.Kind.allCases)
  func `if creating a file fails, the next program can create it`(kind: FaultInjector.Kind) throws {
    let injector = FaultInjector()
    let folder = try WatchedFolder(injector)
    let add = { try CustomerStore(path: folder.list).write { try $0.insert(CustomerFields(name: "Ann")) } }
    for isForEver in [false, true] {
      var number = 1
      repeat {
        try reset(folder, to: nil)
        injector.arm(.init(kind: kind, number: number, isForEver: isForEver))
        var isDone = false
        do {
          _ = try add()
          isDone = true
        } catch {}
        guard injector.disarm() else { break }
        _ = try add()
        let count = try CustomerStore(path: folder.list).read { list in
          #expect(try list.check() == [])
          return try list.count()
        }
        #expect(count == 2 || !isDone && count == 1, "\(kind) \(number)")
        #expect(try folder.names == ["list.sqlite"], "\(kind) \(number)")
        number += isLong ? 1 : 1 + number
      } while true
    }
  }

  /// Returns the states of all files in the folder, after rolling back any journal.
  private func states(of folder: WatchedFolder) throws -> [String: String] {
    var states = ["list.sqlite": try state(of: folder.list)]
    // A remaining journal has nothing to roll back: the next writer will use it.
    for name in try folder.names where states[name] == nil && name != "list.sqlite-journal" {
      // What a repair or an upgrade keeps stays if it can't be known whether it was done.
      if ["list.sqlite.before-repair", "list.sqlite.before-upgrade"].contains(name) { continue }
      states[name] = try state(of: "\(folder.path)/\(name)")
    }
    return states
  }

  private func reset(_ folder: WatchedFolder, to sample: [UInt8]?) throws {
    for name in try folder.names { try FileManager.default.removeItem(atPath: "\(folder.path)/\(name)") }
    if let sample { try write(sample, to: folder.list) }
  }
}
