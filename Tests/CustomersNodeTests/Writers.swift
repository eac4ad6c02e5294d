import CustomerStore
import CustomerStoreCluster
import CustomersTestSupport
import Foundation
import Synchronization
import Testing

/// Programs that add rows with unique names to a list on a cluster, and record the outcome of each.
final class Writers: Sendable {
  /// The recorded outcomes.
  struct Report {
    /// The rows that were written.
    var done: [String] = []
    /// The rows that were not written, and the reasons.
    var notDone: [String: String] = [:]
    /// The rows that may have been written.
    var unknown: [String] = []
    /// When the last row was written.
    var lastDone = ContinuousClock.now
  }

  private let report = Mutex(Report())
  private let isEnding = Atomic(false)
  private let group = DispatchGroup()

  private let prefix: String

  init(_ count: Int, on url: String, named prefix: String = "w") {
    self.prefix = prefix
    for number in 0..<count {
      group.enter()
      Thread.detachNewThread { [self] in
        run(number, url)
        group.leave()
      }
    }
  }

  var doneCount: Int { report.withLock(\.done.count) }

  private func run(_ number: Int, _ url: String) {
    var options = CustomerStore.Options()
    options.busyTimeout = .seconds(30)
    var store: CustomerStore?
    var row = 0
    while !isEnding.load(ordering: .relaxed) {
      row += 1
      let name = "\(prefix)\(number)-\(row)"
      do {
        if store == nil { store = try CustomerStore(cluster: url, options: options) }
        try store?.write(action: "test") { list in
          _ = try list.insert(CustomerFields(firstName: name), at: .place(1 + row % 7 % (list.count() + 1)))
        }
        report.withLock { report in
          report.done.append(name)
          report.lastDone = .now
        }
      } catch let error as CommitError {
        report.withLock { report in
          if error.outcome == .committed { report.done.append(name) } else { report.unknown.append(name) }
        }
      } catch {
        report.withLock { $0.notDone[name] = "\(error)" }
        // After a recovery, the cluster is another one, which a client must be started again for.
        if case .failed? = error as? StoreError { store = nil }
      }
    }
  }

  /// Waits until more rows are written.
  ///
  /// - Returns: how long that took.
  func waitForMore(_ count: Int) throws -> Duration {
    let start = ContinuousClock.now
    let wanted = doneCount + count
    try waitUntil("rows are written again") { doneCount >= wanted }
    return ContinuousClock.now - start
  }

  /// Stops the writers.
  func end() -> Report {
    isEnding.store(true, ordering: .relaxed)
    group.wait()
    return report.withLock { $0 }
  }
}

extension Writers.Report {
  /// Compares the outcomes with the list on all nodes, which must have the same.
  func expectTruth(on cluster: TestCluster) throws {
    let copies = try NodeCopy.ofAll(cluster)
    for copy in copies { #expect(copy.isSound) }
    let names = copies[0].names
    #expect(Set(names).count == names.count, "a row was written twice")
    #expect(Set(done).subtracting(names) == [], "an acknowledged row is lost")
    #expect(notDone.filter { names.contains($0.key) } == [:], "a rejected row was written")
    #expect(Set(names) == Set(done).union(Set(unknown).intersection(names)))
    print("rows: \(done.count) written, \(notDone.count) not, \(unknown.count) unknown")
  }
}
