/// A time as `1.234 ms`.
func milliseconds(_ time: Duration) -> String { "\(decimal(time / .milliseconds(1), places: 4)) ms" }

/// A number with about three significant digits.
func decimal(_ value: Double, places: Int = 2) -> String {
  var places = places
  var size = value
  while size >= 10, places > 0 { (size, places) = (size / 10, places - 1) }
  var unit = 1
  for _ in 0..<places { unit *= 10 }
  let scaled = Int((value * Double(unit)).rounded())
  guard places > 0 else { return grouped(scaled) }
  let fraction = String(scaled % unit)
  return "\(scaled / unit).\(String(repeating: "0", count: places - fraction.count))\(fraction)"
}

/// An integer as `1,000,000`.
func grouped(_ number: Int) -> String {
  guard number >= 1000 else { return String(number) }
  let rest = String(number % 1000)
  return "\(grouped(number / 1000)),\(String(repeating: "0", count: 3 - rest.count))\(rest)"
}
