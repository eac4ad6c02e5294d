internal import Foundation

/// Whether the tests run in their long form (`CUSTOMERS_LONG=1`).
package let isLong = ProcessInfo.processInfo.environment["CUSTOMERS_LONG"] == "1"
