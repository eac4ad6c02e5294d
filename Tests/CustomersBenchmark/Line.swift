internal import CustomersSystem

/// A line of the table: two medians, their ratio, and the bar for it.
struct Line {
  /// The bar for a ratio.
  enum Bar {
    /// Measured ÷ baseline.
    case atMost(Double)
    /// Baseline ÷ measured: how many times faster.
    case timesFaster(Double)
    /// No bar; the figure, measured ÷ baseline, is only printed.
    case none
  }

  var what: String
  var rows: Int
  var baseline: Duration
  var measured: Duration
  var bar: Bar
  /// What else was counted, after the other columns.
  var note = ""

  static let head = columns("", "rows", "baseline", "measured", "ratio", "bar", "")

  /// The line, at most 100 columns wide besides the note.
  var text: String {
    let slower = measured / baseline
    func line(_ ratio: Double, _ bar: String, _ isMet: Bool) -> String {
      Line.columns(
        what, grouped(rows), milliseconds(baseline), milliseconds(measured), "\(decimal(ratio)) ×", bar,
        bar.isEmpty ? note : isMet ? "met" : "MISSED")
    }
    switch bar {
    case .atMost(let limit): return line(slower, "≤ \(decimal(limit)) ×", slower <= limit)
    case .timesFaster(let limit): return line(1 / slower, "≥ \(decimal(limit)) ×", 1 / slower >= limit)
    case .none: return line(slower, "", true)
    }
  }

  private static func columns(
    _ what: String, _ rows: String, _ baseline: String, _ measured: String, _ ratio: String, _ bar: String,
    _ verdict: String
  ) -> String {
    what.padded(to: 34, left: true) + rows.padded(to: 10) + baseline.padded(to: 14)
      + measured.padded(to: 14) + ratio.padded(to: 9) + bar.padded(to: 9) + "  " + verdict
  }
}

extension String {
  fileprivate func padded(to width: Int, left: Bool = false) -> String {
    let space = String(repeating: " ", count: max(width - count, 0))
    return left ? self + space : space + self
  }
}

extension Stopwatch {
  /// Prints the line that compares a lane with the baseline.
  func printLine(_ what: String, _ rows: Int, _ lane: Lane, _ bar: Line.Bar) {
    print(Line(what: what, rows: rows, baseline: median(.baseline), measured: median(lane), bar: bar).text)
    // Flushes each line, even into a pipe: a run takes minutes.
    fflush(nil)
  }
}
