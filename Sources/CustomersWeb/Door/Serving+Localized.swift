internal import CustomersHTTP

// Apple's systems have Foundation loaded anyway; elsewhere FoundationEssentials lets a program start faster.
#if Foundation
  #if canImport(FoundationEssentials)
    internal import FoundationEssentials
  #else
    internal import Foundation
  #endif

  extension Listener.Refused: LocalizedError {
    /// The description, for `localizedDescription` in an app.
    package var errorDescription: String? { "the port can't be used: \(description)" }
  }
#endif
