extension String {
  /// Replaces what could control a terminal or reorder its line.
  ///
  /// These are the C0 and C1 controls, delete, bidi controls, and line separators.
  ///
  /// - Parameter escape: returns the replacement for such a scalar.
  /// - Returns: the text without them.
  public func escapingUnsafe(_ escape: (Unicode.Scalar) -> String) -> String {
    guard unicodeScalars.contains(where: isUnsafe) else { return self }
    return escaping(escape) { scalars, index in isUnsafe(scalars[index]) }
  }

  /// Replaces the scalars for which `isReplaced` returns true, given all scalars and the index.
  func escaping(
    _ escape: (Unicode.Scalar) -> String, where isReplaced: ([Unicode.Scalar], Int) -> Bool
  ) -> String {
    let scalars = Array(unicodeScalars)
    var escaped = ""
    for (index, scalar) in scalars.enumerated() {
      if isReplaced(scalars, index) {
        escaped += escape(scalar)
      } else {
        escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}

func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.value {
  case 0..<0x20, 0x7f..<0xa0: true
  case 0x061c, 0x200e, 0x200f, 0x2028...0x202e, 0x2066...0x2069, 0xfeff: true
  default: false
  }
}
