internal import CustomerFixtures
internal import CustomerStore
internal import Platform

/// Makes the lists that are measured, one for each size.
///
/// Ids that rise with the order, short rows and blocks that were never edited flatter every design
/// two to five times. So ids are shuffled, notes have 200 bytes, and some thousand edits come first.
final class ListFactory {
  let folder: ScratchFolder
  private var made: [Int: SampleList] = [:]

  init(folder: ScratchFolder) { self.folder = folder }

  /// The list that had `rows` rows at first; edits of the parts that ran before have left their marks.
  func list(rows: Int) throws -> SampleList {
    if let list = made[rows] { return list }
    let list = try make(rows)
    made[rows] = list
    return list
  }

  private func make(_ rows: Int) throws -> SampleList {
    let path = folder.file()
    // A new file counts its ids from 1.
    var random = SplitMix64(seed: 0x4375_7374)
    let ids = (1...Int64(rows)).map { CustomerID(rawValue: $0) }.shuffled(using: &random)
    let section = try CustomerStore(path: path).write { list in
      let section = try list.sections()[0].id
      var samples = CustomerFields.samples(rows)
      try list.insert { samples.next() }
      try list.arrange(ids, in: section)
      return section
    }
    let sample = SampleList(path: path, section: section, ids: ids)
    try CustomerStore(path: path).write { list in
      for _ in 0..<min(rows, 5_000) {
        try sample.move(in: &list)
        try sample.insert(into: &list)
        try sample.delete(from: &list)
      }
    }
    // What is still on its way to the disk would slow the first commits that are measured.
    sync()
    return sample
  }
}
