// Apple's systems have Foundation loaded anyway; elsewhere FoundationEssentials lets a program start faster.
#if Foundation
  #if canImport(FoundationEssentials)
    public import FoundationEssentials
  #else
    public import Foundation
  #endif

  extension TransferError: LocalizedError {
    /// The description, for `localizedDescription` in an app.
    public var errorDescription: String? { description }
  }
#endif
