internal import CustomerFixtures
internal import CustomerStore
import CustomersTestSupport
internal import CustomersSystem

/// Creates the lists to measure, one for each size.
///
/// Ids in list order, short rows, and unedited blocks make every design look two to five times faster. So ids
/// are shuffled, notes have 200 bytes, and a few thousand edits come first.
final class ListFactory {
  let folder: ScratchFolder
  private var made: [Int: MeasuredList] = [:]

  init(folder: ScratchFolder) { self.folder = folder }

  /// The list that started with `rows` rows; earlier parts have edited it.
  func list(rows: Int) throws -> MeasuredList {
    if let list = made[rows] { return list }
    let list = try make(rows)
    made[rows] = list
    return list
  }

  private func make(_ rows: Int) throws -> MeasuredList {
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
    let sample = MeasuredList(path: path, section: section, ids: ids)
    try CustomerStore(path: path).write { list in
      for _ in 0..<min(rows, 5_000) {
        try sample.move(in: &list)
        try sample.insert(into: &list)
        try sample.delete(from: &list)
      }
    }
    // Pending writes would slow down the first measured commits.
    sync()
    return sample
  }
}
