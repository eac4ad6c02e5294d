#if Foundation
  #if canImport(FoundationEssentials)
    public import FoundationEssentials
  #else
    public import Foundation
  #endif

  extension CustomerStore {
    /// Opens the customers file at a file URL.
    ///
    /// - Throws: `StoreError`; a file that is not a customers file is left untouched.
    public convenience init(path url: URL, options: Options = Options()) throws {
      precondition(url.isFileURL, "not a file URL")
      try self.init(path: url.path(percentEncoded: false), options: options)
    }
  }
#endif
