import CustomerFixtures
import CustomerStore
import Foundation
import CustomersTestSupport
import Testing

/// Power cuts at every moment of a list's life, with any loss of unsynced data: every acknowledged edit
/// survives, and no edit is there in part.
@Suite(.onThreads) struct PowerCutTests {
  /// The life of a list: its creation, then one operation after another.
  private struct Life {
    var events: [Recorder.Event]
    /// The state after each operation; `nothing` before the first.
    var states: [String]
  }

  private static let operations = (Operation.edits + Operation.upkeep).filter {
    $0.damage == nil && $0.testDescription != "backup"
  }

  private static let life = Result {
    let recorder = Recorder()
    let folder = try WatchedFolder(recorder)
    var states = ["nothing"]
    func note() throws {
      recorder.acknowledge(states.count)
      states.append(try state(of: folder.list))
    }
    try SampleFile.write(to: folder.list)
    try note()
    for operation in operations {
      try operation.run(folder, TransactionToken())
      try note()
    }
    return Life(events: recorder.events, states: states)
  }

  /// Returns the number of power cuts to try at a moment: more around syncs and deletions.
  private static func cuts(after event: Recorder.Event, at moment: Int) -> Int {
    switch event {
    case .sync, .delete, .acknowledge: isLong ? 15 : 1
    case .create, .write, .truncate: isLong ? 7 : moment % 16 == 0 ? 1 : 0
    }
  }

  @Test(arguments: 0..<(isLong ? 9 : 1))
  func `after a power cut at any moment, the list is as before or after the edit`(seed: Int) throws {
    let life = try Self.life.get()
    var random = SplitMix64(seed: seed)
    var disk = SimulatedDisk()
    var acknowledged = 0
    var (cuts, before, after) = (0, 0, 0)
    let folder = try WatchedFolder(Bystander())
    for (moment, event) in life.events.enumerated() {
      disk.apply(event)
      if case .acknowledge(let number) = event { acknowledged = number }
      for number in 0..<Self.cuts(after: event, at: moment) {
        let loss = SimulatedDisk.Loss.allCases[(moment + number + seed) % 4]
        try folder.replace(with: disk.afterPowerCut(loss, &random))
        cuts += 1
        guard acknowledged > 0 else {
          // The sample list is being created, in several transactions.
          #expect(try CustomerStore(path: folder.list).read { try $0.check() } == [], "moment \(moment)")
          continue
        }
        let found = Result { try state(of: folder.list) }
        if case .success(life.states[acknowledged]) = found {
          before += 1
          continue
        }
        if acknowledged + 1 < life.states.count, case .success(life.states[acknowledged + 1]) = found {
          after += 1
          continue
        }
        Issue.record("seed \(seed), moment \(moment) (\(loss)), after \(acknowledged) edits: \(found)")
        return
      }
    }
    print(
      "\(cuts) power cuts at \(life.events.count) moments: \(before) times before the edit, \(after) after it"
    )
    #expect(before > 0 && after > 0)
  }
}

/// An observer that does nothing; it only makes the folder a watched one, which skips real syncs.
private final class Bystander: FileCallObserver {
  func answer(to call: FileCall) -> Int32 { 0 }
}

extension WatchedFolder {
  fileprivate func replace(with files: [String: [UInt8]]) throws {
    for name in try names where files[name] == nil {
      try FileManager.default.removeItem(atPath: "\(path)/\(name)")
    }
    for (name, bytes) in files { try write(bytes, to: "\(path)/\(name)") }
  }
}
