#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension CustomerStore {
  /// Opens the customers file at a file URL.
  ///
  /// - Throws: `StoreError`, for a file that is not ours without having changed it.
  public convenience init(path url: URL, options: Options = Options()) throws {
    precondition(url.isFileURL, "a customers file is a file on this computer")
    try self.init(path: url.path(percentEncoded: false), options: options)
  }
}
