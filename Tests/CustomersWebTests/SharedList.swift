import CustomerFixtures
import CustomerStore
import CustomersSQLite
import CustomersTestSupport
import Foundation
import Testing

/// A list of three customers in a file, its API, and another program's connection to it.
struct SharedList {
  let folder: TemporaryFolder
  let list: TestAPI
  let other: Connection

  init() throws {
    folder = try TemporaryFolder()
    let store = try CustomerStore(path: folder.path + "/list.sqlite")
    try store.fill(with: "A, B, C")
    list = TestAPI(store)
    other = try Connection(path: folder.path + "/list.sqlite")
  }

  /// Puts another list in the place of the file.
  func replaceFile() throws {
    let new = folder.path + "/new.sqlite"
    try CustomerStore(path: new).fill(with: "N")
    let result = unsafe rename(new, folder.path + "/list.sqlite")
    try #require(result == 0)
  }
}
