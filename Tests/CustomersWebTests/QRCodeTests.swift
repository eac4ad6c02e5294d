import CustomersSystem
import CustomersTestSupport
import Testing

@testable import CustomersWeb

/// Compared with the symbols of another encoder, `qrcode` of PyPI.
@Suite(.onThreads) struct QRCodeTests {
  private static func text(_ count: Int) -> String {
    String(String(repeating: "https://list.example/#0123456789abcdef", count: 9).prefix(count))
  }

  private static func drawing(_ code: QRCode) -> String {
    code.rows.map { $0.map { $0 ? "#" : "." }.joined() + "\n" }.joined()
  }

  @Test func `a short text is this symbol`() throws {
    #expect(
      try Self.drawing(#require(QRCode(Self.text(10), mask: 2))) == """
        #######..#..#.#######
        #.....#.#..#..#.....#
        #.###.#..#....#.###.#
        #.###.#.#..#..#.###.#
        #.###.#...###.#.###.#
        #.....#.###.#.#.....#
        #######.#.#.#.#######
        ..........###........
        #####.####..##.#.#.#.
        .......##...#########
        ....####.###.###..##.
        #...##.#.#...#..###..
        .###.##...##..#.##..#
        ........##.########.#
        #######.#...#..#..##.
        #.....#...####.####.#
        #.###.#.#.#.#.####..#
        #.###.#.#.#.#.#.#.#..
        #.###.#.#..#.#.#..#..
        #.....#.###.....###..
        #######.##.#...#.#.#.

        """)
  }

  @Test(arguments: [
    (1, 0, "d08534bf42319aae"), (17, 1, "9be0fbff2d2adcb7"), (18, 2, "02cac0a363ba5e3d"),
    (33, 3, "302d7fddf514452e"), (54, 4, "2ab43af8078564d3"), (79, 5, "8768b8beefc02001"),
    (107, 6, "39161fde1324e649"), (134, 0, "aec233d8f71a9a87"), (135, 7, "07b087e2eb8450d4"),
    (155, 1, "7a82789f695c1555"), (192, 4, "252662d63776eb45"), (193, 2, "725f6375453af3af"),
    (230, 3, "63c281f6c8e5a388"),
  ])
  func `each version and mask has the right digest`(count: Int, mask: Int, digest: String) throws {
    let code = try #require(QRCode(Self.text(count), mask: mask))
    var hash = SHA256()
    hash.update(Array(Self.drawing(code).utf8))
    #expect(hash.hexadecimal.prefix(16) == digest)
  }

  @Test func `the mask is that with the lowest penalty`() throws {
    for count in [1, 54, 230] {
      let codes = try (0..<8).map { try #require(QRCode(Self.text(count), mask: $0)) }
      let chosen = try #require(QRCode(Self.text(count)))
      #expect(codes.contains { $0.rows == chosen.rows } && codes.allSatisfy { $0.penalty >= chosen.penalty })
    }
  }

  @Test func `a text that is too long has no code`() {
    #expect(QRCode(Self.text(231)) == nil && QRCode("") != nil)
  }

  @Test func `a terminal gets two rows a line, with a margin of four`() throws {
    let code = try #require(QRCode(Self.text(54)))
    let lines = code.lines.map { $0.dropFirst("\u{1b}[30;107m".count).dropLast("\u{1b}[0m".count) }
    #expect(code.width == 41 && lines.allSatisfy { $0.count == 41 } && lines.count == 21)
    let margin = Array(repeating: false, count: 41)
    var rows: [[Bool]] = []
    for line in lines {
      rows.append(line.map { "█▀".contains($0) })
      rows.append(line.map { "█▄".contains($0) })
    }
    #expect(rows.prefix(4).allSatisfy { $0 == margin } && rows.suffix(5).allSatisfy { $0 == margin })
    #expect(rows[4..<37].map { Array($0[4..<37]) } == code.rows)
    #expect(rows.allSatisfy { $0.prefix(4) + $0.suffix(4) == margin.prefix(8) })
  }
}
