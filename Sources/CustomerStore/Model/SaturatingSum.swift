extension FixedWidthInteger {
  /// The sum or the number nearest to it: callers may pass any number, and nothing traps on it.
  package func saturatingAdding(_ other: Self) -> Self {
    let (sum, isTooFar) = addingReportingOverflow(other)
    return isTooFar ? (other < 0 ? .min : .max) : sum
  }
}
