internal import CustomerFixtures
internal import Foundation

/// Returns one in `count` of the elements in their order, others each day; all of them in the long form, or with
/// `CUSTOMERS_SAMPLE=all`.
///
/// A failure names the example, so that what one day has found can be tried on another. Tests of one size that have
/// a `salt` each try different elements on one day.
public func sampled<Elements: Collection>(
  _ elements: Elements, oneIn count: Int, salt: Int = 0
) -> [Elements.Element] {
  guard !samplesAll else { return Array(elements) }
  var random = SplitMix64(seed: day &* 1000 &+ salt)
  let chosen = Set((0..<elements.count).shuffled(using: &random).prefix((elements.count + count - 1) / count))
  return elements.enumerated().filter { chosen.contains($0.offset) }.map(\.element)
}

private let samplesAll = isLong || ProcessInfo.processInfo.environment["CUSTOMERS_SAMPLE"] == "all"

/// The day since 1970.
private let day = Int(Date().timeIntervalSince1970 / 86400)
