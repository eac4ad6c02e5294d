extension String {
  /// Replaces what could steer a terminal or reorder its line.
  ///
  /// That are the controls C0 and C1, delete, bidi and line separators.
  ///
  /// - Parameter escape: gives what stands for such a scalar.
  /// - Returns: the text without them.
  public func escapingUnsafe(_ escape: (Unicode.Scalar) -> String) -> String {
    guard unicodeScalars.contains(where: isUnsafe) else { return self }
    var escaped = ""
    for scalar in unicodeScalars {
      if isUnsafe(scalar) {
        escaped += escape(scalar)
      } else {
        escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}

private func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.value {
  case 0..<0x20, 0x7f..<0xa0: true
  case 0x061c, 0x200e, 0x200f, 0x2028...0x202e, 0x2066...0x2069, 0xfeff: true
  default: false
  }
}
