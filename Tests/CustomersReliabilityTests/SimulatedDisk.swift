import CustomerFixtures

/// A folder on a simulated disk: a power cut may lose any part of the data that was not synced.
///
/// It follows SQLite's crash tests (https://sqlite.org/testing.html#crash_testing). Each sector of an unsynced
/// write may be old, new, or torn; a file may have its old length; a name that was created or deleted may exist
/// or not until the folder is synced.
struct SimulatedDisk {
  fileprivate static let sector = 512

  fileprivate struct File {
    var synced: [UInt8] = []
    var pending: [Change] = []
  }

  fileprivate enum Change {
    case write(at: Int, [UInt8])
    case truncate(to: Int)
  }

  private var files: [File] = []
  /// The files of each name: the one at the last sync of the folder, then later ones; nil for no file.
  private var names: [String: [Int?]] = [:]

  /// The unsynced data that a power cut loses.
  enum Loss: CaseIterable {
    /// Nothing is lost, as when only the program is killed.
    case nothing
    /// Everything is lost.
    case everything
    /// Some sectors are lost.
    case some
    /// Some sectors are lost, and others contain garbage.
    case torn
  }

  mutating func apply(_ event: Recorder.Event) {
    switch event {
    case .create(let name):
      files.append(File())
      names[name, default: [nil]].append(files.count - 1)
    case .write(let name, let offset, let bytes): change(name, .write(at: offset, bytes))
    case .truncate(let name, let size): change(name, .truncate(to: size))
    case .sync(let name, let andFolder):
      if let file = present(name) {
        for change in files[file].pending { change.apply(to: &files[file].synced) }
        files[file].pending = []
      }
      if andFolder { syncFolder() }
    case .delete(let name, let andSyncFolder):
      names[name, default: []].append(nil)
      if andSyncFolder { syncFolder() }
    case .acknowledge: break
    }
  }

  /// Returns the files of the folder after a power cut.
  func afterPowerCut(_ loss: Loss, _ random: inout SplitMix64) -> [String: [UInt8]] {
    var found: [String: [UInt8]] = [:]
    for (name, versions) in names {
      let last: Int
      switch loss {
      case .nothing: last = versions.count - 1
      case .everything: last = 0
      case .some, .torn: last = random.below(versions.count)
      }
      guard let file = versions[last] else { continue }
      found[name] = files[file].afterPowerCut(loss, &random)
    }
    return found
  }

  private func present(_ name: String) -> Int? { names[name]?.last ?? nil }

  private mutating func change(_ name: String, _ change: Change) {
    if let file = present(name) { files[file].pending.append(change) }
  }

  private mutating func syncFolder() { for name in names.keys { names[name] = [present(name)] } }
}

extension SimulatedDisk.Change {
  fileprivate func apply(to bytes: inout [UInt8]) {
    switch self {
    case .write(let offset, let new):
      if bytes.count < offset + new.count {
        // An array, because in a debug build iterating over anything else is slow.
        bytes += [UInt8](repeating: 0, count: offset + new.count - bytes.count)
      }
      bytes.replaceSubrange(offset..<offset + new.count, with: new)
    case .truncate(let size): bytes.removeSubrange(min(size, bytes.count)...)
    }
  }
}

extension SimulatedDisk.File {
  fileprivate func afterPowerCut(_ loss: SimulatedDisk.Loss, _ random: inout SplitMix64) -> [UInt8] {
    var bytes = synced
    guard loss != .everything else { return bytes }
    for change in pending {
      guard case .write(let offset, let new) = change, loss != .nothing else {
        if loss == .nothing || random.oneIn(2) { change.apply(to: &bytes) }
        continue
      }
      for start in stride(from: 0, to: new.count, by: SimulatedDisk.sector) {
        var piece = Array(new[start..<min(start + SimulatedDisk.sector, new.count)])
        guard !random.oneIn(2) else { continue }
        if loss == .torn, random.oneIn(3) {
          for index in random.below(piece.count)..<piece.count {
            piece[index] = UInt8(truncatingIfNeeded: random.next())
          }
        }
        SimulatedDisk.Change.write(at: offset + start, piece).apply(to: &bytes)
      }
    }
    return bytes
  }
}
