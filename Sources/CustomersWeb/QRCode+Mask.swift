/// The mask, which keeps the modules from looking like the patterns around them.
extension QRCode {
  /// Whether a mask inverts a module.
  static func isInverted(_ x: Int, _ y: Int, _ mask: Int) -> Bool {
    switch mask {
    case 0: (x + y) % 2 == 0
    case 1: y % 2 == 0
    case 2: x % 3 == 0
    case 3: (x + y) % 3 == 0
    case 4: (x / 3 + y / 2) % 2 == 0
    case 5: x * y % 2 + x * y % 3 == 0
    case 6: (x * y % 2 + x * y % 3) % 2 == 0
    default: ((x + y) % 2 + x * y % 3) % 2 == 0
    }
  }

  /// How hard it is to read: long runs, squares, what looks like a corner, and too much of a color.
  var penalty: Int {
    var sum = 0
    for line in rows + rows.indices.map({ x in rows.map { $0[x] } }) { sum += QRCode.penalty(ofLine: line) }
    for y in 1..<size {
      for x in 1..<size {
        let square = [rows[y][x - 1], rows[y - 1][x], rows[y - 1][x - 1]]
        if square.allSatisfy({ $0 == rows[y][x] }) { sum += 3 }
      }
    }
    let (dark, all) = (rows.joined().count { $0 }, size * size)
    return sum + abs(dark * 20 - all * 10) / all * 10
  }

  private static let corner = [true, false, true, true, true, false, true]
  private static let corners = [
    corner + [false, false, false, false], [false, false, false, false] + corner,
  ]

  private static func penalty(ofLine line: [Bool]) -> Int {
    var (sum, run) = (0, 0)
    for (index, isDark) in line.enumerated() {
      run = index > 0 && line[index - 1] == isDark ? run + 1 : 1
      if run >= 5 { sum += run == 5 ? 3 : 1 }
      for corner in corners where line[index...].starts(with: corner) { sum += 40 }
    }
    return sum
  }
}
