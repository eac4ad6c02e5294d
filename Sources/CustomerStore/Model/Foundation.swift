// Apple's systems have Foundation loaded anyway; elsewhere FoundationEssentials lets a program start faster.
#if Foundation
  #if canImport(FoundationEssentials)
    public import FoundationEssentials
  #else
    public import Foundation
  #endif

  extension ListError: LocalizedError {
    /// The description, for `localizedDescription` in an app.
    public var errorDescription: String? { description }
  }

  extension StoreError: LocalizedError {
    /// The description, for `localizedDescription` in an app.
    public var errorDescription: String? { description }
  }

  extension BackupError: LocalizedError {
    /// The description, for `localizedDescription` in an app.
    public var errorDescription: String? { description }
  }

  extension BatchError: LocalizedError {
    /// The description, for `localizedDescription` in an app.
    package var errorDescription: String? { description }
  }

  extension FieldConflict: LocalizedError {
    /// The description, for `localizedDescription` in an app.
    public var errorDescription: String? { description }
  }

  extension FieldError: LocalizedError {
    /// The description, for `localizedDescription` in an app.
    package var errorDescription: String? { description }
  }

  extension CommitError: LocalizedError {
    /// The description, for `localizedDescription` in an app.
    public var errorDescription: String? { description }
  }

  extension RepairError: LocalizedError {
    /// The description, for `localizedDescription` in an app.
    package var errorDescription: String? { description }
  }

  extension RestoreError: LocalizedError {
    /// The description, for `localizedDescription` in an app.
    package var errorDescription: String? { description }
  }

  extension LoadError: LocalizedError {
    /// The description, for `localizedDescription` in an app.
    package var errorDescription: String? { description }
  }

  extension RevertError: LocalizedError {
    /// The description, for `localizedDescription` in an app.
    public var errorDescription: String? { description }
  }

  extension HistoryStep {
    /// ``time`` as a date, to the millisecond; nil if another program has left something else there.
    package var date: Date? {
      try? Date(time, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }
  }

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
