internal import CustomerStore
internal import CustomersText

/// Looks for changes of the list, without waiting.
struct NewsLook: Sendable {
  /// What a look has found.
  enum Result: Sendable {
    /// No change; the list may be locked for a moment.
    case nothing
    /// The list can be read and has not changed.
    case well
    /// The list is read for the first time or is another one now.
    case start(ListVersion)
    /// The list was changed, by these steps.
    case edit(ListVersion, steps: [JSON])
    /// The list can't be read.
    case trouble(String)
  }

  /// The most steps that an event describes.
  private static let stepLimit = 20

  private let list: OpenList
  private let made: MadeSteps
  private var feed: ListFeed
  private var wasInTrouble = false
  private var idleLooks = 0
  /// How long to wait until the next look.
  var pause: Duration { .milliseconds(list.isOnCluster ? 300 : idleLooks < 200 ? 25 : 50) }
  /// Whether a look waits for other machines.
  var isSlow: Bool { list.isOnCluster }

  init(_ list: OpenList, _ made: MadeSteps) {
    (self.list, self.made) = (list, made)
    feed = ListFeed(list.store, after: nil) { try list.openAgain() }
  }

  /// Looks once.
  mutating func look() -> Result {
    idleLooks += 1
    guard feed.mayHaveNews else { return .nothing }
    do {
      if let found = try feed.follow(found) {
        (wasInTrouble, idleLooks) = (false, 0)
        return found
      }
    } catch {
      wasInTrouble = true
      return .trouble("The list can't be read: \(error).")
    }
    if let start = feed.lockedSince, ContinuousClock.now - start >= .milliseconds(500) {
      wasInTrouble = true
      return .trouble(list.obstacle)
    }
    guard wasInTrouble, !feed.isInTrouble else { return .nothing }
    wasInTrouble = false
    return .well
  }

  private func found(
    _ list: borrowing CustomerList, after known: ListVersion?
  ) throws -> (result: Result, version: ListVersion) {
    let version = try list.version()
    guard let known else { return (.start(version), version) }
    return (.edit(version, steps: try steps(list, after: known.edit, to: version.edit)), version)
  }

  /// The latest steps after an edit; none if there were many, because the page reads the list again anyway.
  private func steps(_ list: borrowing CustomerList, after edit: Int64, to last: Int64) throws -> [JSON] {
    guard last > edit, edit >= last &- HistoryStep.describedEdits else { return [] }
    let steps = Array(
      try list.history(after: edit).suffix(NewsLook.stepLimit).filter { $0.isShort(at: last) })
    return zip(steps, try list.outcomes(of: steps)).map { $0.event($1, page: made.page(of: $0)) }
  }
}

extension HistoryStep {
  /// The most changes of a step that an event lists.
  private static let mostChanges = 100

  /// The step as an event reports it, with the name of the caller that made it, if it is known.
  func event(_ outcome: EditOutcome, page: String?) -> JSON {
    json(
      outcome, mostChanges: HistoryStep.mostChanges,
      [("page", page.map(JSON.string) ?? .null), ("ids", .ids(outcome.ids))])
  }
}

extension APIEvent {
  static func hello(_ version: ListVersion, _ program: ListAPI.Program, isReadOnly: Bool) -> APIEvent {
    APIEvent(
      "hello",
      [
        ("version", .version(version)), ("program", .string(program.version)),
        ("build", .string(program.build)), ("read_only", .bool(isReadOnly)),
      ] + (program.list.map { [("list", .string($0))] } ?? []))
  }

  static func edit(_ version: ListVersion, _ steps: [JSON]) -> APIEvent {
    APIEvent("edit", [("version", .version(version)), ("steps", .array(steps))])
  }

  static func reload(_ version: ListVersion) -> APIEvent {
    APIEvent("reload", [("version", .version(version))])
  }

  package static func trouble(_ message: String) -> APIEvent {
    APIEvent("trouble", [("message", .string(message))])
  }

  static let well = APIEvent("well")
}
