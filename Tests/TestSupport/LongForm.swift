internal import Foundation

/// Whether the long form of the tests was asked for, by `CUSTOMERS_LONG=1`.
public let isLong = ProcessInfo.processInfo.environment["CUSTOMERS_LONG"] == "1"
