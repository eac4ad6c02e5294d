internal import CustomersSystem

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

  extension LocalizedError where Self: CustomStringConvertible {
    /// The description, for `localizedDescription` in an app.
    package var errorDescription: String? { description }
  }

  extension BackupError: LocalizedError {}
  extension BatchError: LocalizedError {}
  extension FieldConflict: LocalizedError {}
  extension FieldError: LocalizedError {}
  extension FileError: LocalizedError {}
  extension FilterError: LocalizedError {}
  extension KindError: LocalizedError {}
  extension CommitError: LocalizedError {}
  extension PullError: LocalizedError {}
  extension RepairError: LocalizedError {}
  extension RestoreError: LocalizedError {}
  extension LoadError: LocalizedError {}
  extension RevertError: LocalizedError {}
#endif
