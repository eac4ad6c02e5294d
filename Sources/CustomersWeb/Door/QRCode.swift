/// A QR code of a short text (ISO/IEC 18004): bytes, with error correction of level L.
///
/// Versions 1 to 9 are enough for an address, and are alike: all blocks are of the same length, and so are all counts.
package struct QRCode: Sendable {
  /// A version: the bytes of data, the bytes that correct each block, the blocks, and where marks are.
  private typealias Version = (data: Int, correction: Int, blocks: Int, marks: [Int])

  private static let versions: [Version] = [
    (19, 7, 1, []), (34, 10, 1, [6, 18]), (55, 15, 1, [6, 22]), (80, 20, 1, [6, 26]), (108, 26, 1, [6, 30]),
    (136, 18, 2, [6, 34]), (156, 20, 2, [6, 22, 38]), (194, 24, 2, [6, 24, 42]), (232, 30, 2, [6, 26, 46]),
  ]

  /// The modules in rows from the top; true is dark.
  private(set) var rows: [[Bool]]
  /// Whether a module is no part of the data.
  private var isFixed: [[Bool]]
  var size: Int { rows.count }

  /// Creates the code of a text; nil if it is longer than 230 bytes.
  package init?(_ text: String) {
    let codes = (0..<8).compactMap { QRCode(text, mask: $0) }
    guard let best = codes.min(by: { $0.penalty < $1.penalty }) else { return nil }
    self = best
  }

  /// Creates the code with one of the eight masks.
  init?(_ text: String, mask: Int) {
    let bytes = Array(text.utf8)
    // The mode, the count, and the end take two bytes.
    guard let index = QRCode.versions.firstIndex(where: { bytes.count + 2 <= $0.data }) else { return nil }
    let size = 21 + 4 * index
    rows = Array(repeating: Array(repeating: false, count: size), count: size)
    isFixed = rows
    drawPatterns(QRCode.versions[index], number: index + 1, mask)
    draw(QRCode.codewords(bytes, QRCode.versions[index]), mask)
  }

  private mutating func set(_ x: Int, _ y: Int, _ isDark: Bool) {
    guard rows.indices.contains(x), rows.indices.contains(y) else { return }
    (rows[y][x], isFixed[y][x]) = (isDark, true)
  }

  /// Draws rings around a center: those at the distances in `light` are light.
  private mutating func drawRings(_ x: Int, _ y: Int, _ radius: Int, light: Set<Int>) {
    for down in -radius...radius {
      for right in -radius...radius {
        set(x + right, y + down, !light.contains(max(abs(right), abs(down))))
      }
    }
  }

  private mutating func drawPatterns(_ version: Version, number: Int, _ mask: Int) {
    for place in 0..<size {
      set(6, place, place % 2 == 0)
      set(place, 6, place % 2 == 0)
    }
    let end = size - 7
    for (x, y) in [(0, 0), (end, 0), (0, end)] { drawRings(x + 3, y + 3, 4, light: [2, 4]) }
    for x in version.marks {
      // The corners are taken.
      for y in version.marks where [(6, 6), (6, end), (end, 6)].allSatisfy({ $0 != (x, y) }) {
        drawRings(x, y, 2, light: [1])
      }
    }
    let format = QRCode.protected(0b01 << 3 | mask, bits: 10, by: 0x537) ^ 0x5412
    for bit in 0..<15 {
      let isDark = format >> bit & 1 == 1
      // Around the first corner and again at the other two.
      set(bit < 8 ? 8 : bit == 8 ? 7 : 14 - bit, bit < 6 ? bit : bit < 8 ? bit + 1 : 8, isDark)
      set(bit < 8 ? size - 1 - bit : 8, bit < 8 ? 8 : size - 15 + bit, isDark)
    }
    set(8, size - 8, true)
    guard number >= 7 else { return }
    let bits = QRCode.protected(number, bits: 12, by: 0x1f25)
    for bit in 0..<18 {
      set(size - 11 + bit % 3, bit / 3, bits >> bit & 1 == 1)
      set(bit / 3, size - 11 + bit % 3, bits >> bit & 1 == 1)
    }
  }

  /// The value and after it the remainder that protects it.
  private static func protected(_ value: Int, bits: Int, by divisor: Int) -> Int {
    var rest = value
    for _ in 0..<bits {
      let isLong = rest >> (bits - 1) & 1 == 1
      rest = rest << 1 ^ (isLong ? divisor : 0)
    }
    return value << bits | rest
  }

  private static func codewords(_ bytes: [UInt8], _ version: Version) -> [UInt8] {
    let count = UInt8(bytes.count)
    let halves: [UInt8] = [0b0100, count >> 4, count & 15] + bytes.flatMap { [$0 >> 4, $0 & 15] } + [0]
    var data = stride(from: 0, to: halves.count, by: 2).map { halves[$0] << 4 | halves[$0 + 1] }
    while data.count < version.data { data.append(data.count % 2 == bytes.count % 2 ? 0xec : 0x11) }
    let length = version.data / version.blocks
    let blocks = (0..<version.blocks).map { Array(data[$0 * length..<($0 + 1) * length]) }
    return interleaved(blocks) + interleaved(blocks.map { correction($0, version.correction) })
  }

  /// The first byte of each block, then the second ones, and so on.
  private static func interleaved(_ blocks: [[UInt8]]) -> [UInt8] {
    blocks[0].indices.flatMap { index in blocks.map { $0[index] } }
  }

  /// The remainder of a division in the field of 256 elements (Reed–Solomon).
  private static func correction(_ data: [UInt8], _ count: Int) -> [UInt8] {
    var divisor = Array(repeating: UInt8(0), count: count - 1) + [1]
    var root: UInt8 = 1
    for _ in 0..<count {
      for index in divisor.indices {
        divisor[index] = product(divisor[index], root) ^ (index + 1 < count ? divisor[index + 1] : 0)
      }
      root = product(root, 2)
    }
    return data.reduce(into: Array(repeating: 0, count: count)) { rest, byte in
      let factor = byte ^ rest.removeFirst()
      rest.append(0)
      for index in rest.indices { rest[index] ^= product(divisor[index], factor) }
    }
  }

  private static func product(_ first: UInt8, _ second: UInt8) -> UInt8 {
    var product: UInt8 = 0
    for bit in (0..<8).reversed() {
      product = product << 1 ^ (product >> 7 == 1 ? 0x1d : 0)
      if second >> UInt8(bit) & 1 == 1 { product ^= first }
    }
    return product
  }

  /// Draws bits in columns of two modules, from the right, up and down in turn.
  private mutating func draw(_ codewords: [UInt8], _ mask: Int) {
    var index = 0
    for (turn, right) in (Array(stride(from: size - 1, to: 6, by: -2)) + [5, 3, 1]).enumerated() {
      for step in 0..<size {
        for x in [right, right - 1] {
          let y = turn % 2 == 0 ? size - 1 - step : step
          guard !isFixed[y][x] else { continue }
          let isSet = index < 8 * codewords.count && codewords[index / 8] << (index % 8) >= 0x80
          rows[y][x] = isSet != QRCode.isInverted(x, y, mask)
          index += 1
        }
      }
    }
  }
}

extension QRCode {
  /// The number of columns of `lines`.
  package var width: Int { size + 8 }

  /// The code for a terminal, two rows a line, dark on light whatever its colors are, with the margin that readers need.
  package var lines: [String] {
    let margin = Array(repeating: false, count: 4)
    let empty = Array(repeating: Array(repeating: false, count: width), count: 4)
    // A row more makes the number of rows even.
    let all = empty + rows.map { margin + $0 + margin } + empty + [empty[0]]
    return stride(from: 0, to: all.count, by: 2).map { index in
      let halves = zip(all[index], all[index + 1]).map { upper, lower in
        upper ? (lower ? "█" : "▀") : lower ? "▄" : " "
      }
      return "\u{1b}[30;107m\(halves.joined())\u{1b}[0m"
    }
  }
}

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
