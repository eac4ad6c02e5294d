#if Foundation
  #if canImport(FoundationEssentials)
    public import FoundationEssentials
  #else
    public import Foundation
  #endif

  extension HistoryStep {
    /// ``time`` as a date, to the millisecond; nil if another program has left something else there.
    public var date: Date? {
      try? Date(time, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }
  }
#endif
