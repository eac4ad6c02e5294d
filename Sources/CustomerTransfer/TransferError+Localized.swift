// Apple's systems have Foundation loaded anyway; elsewhere FoundationEssentials lets a program start faster.
#if Foundation
  internal import CustomerStore

  #if canImport(FoundationEssentials)
    internal import FoundationEssentials
  #else
    internal import Foundation
  #endif

  extension TransferError: LocalizedError {
    /// The description, for `localizedDescription` in an app.
    package var errorDescription: String? { description }
  }
#endif
