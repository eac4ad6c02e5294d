internal import CustomersText

/// The effect of `repair` on one customer.
package struct ListRepair: Hashable, Sendable {
  /// The customer.
  package var customer: CustomerID
  /// The place that could still be read from the file; nil if there was none.
  package var from: CustomerPlace?
  /// The place now.
  package var to: CustomerPlace
}

/// What a repair did or would do, without people's data.
package struct RepairReport: Hashable, Sendable {
  /// The customers whose place changed.
  package var moves: [ListRepair] = []
  /// What is in the damaged file, but not in the repaired one, each in one line, as in `the phone of customer @3`.
  ///
  /// These are rows and values that can't be read, and objects of other programs that can't be created again.
  package var losses: [String] = []
  /// The customers among these.
  package var lostCustomers: [CustomerID] = []
  /// The values and rows that are in the repaired file in another form, each in one line.
  package var changes: [String] = []
  /// The deleted customers, sections, and lines among these that are in the list again.
  package var restored: [String] = []
  /// The triggers of other programs on our tables, which are not carried.
  package var removedTriggers: [String] = []
  /// Where the damaged file is kept, byte for byte; nil if nothing was written.
  package var backup: String?
  /// The repaired list, if SQLite could not lock the damaged file to overwrite it: the file to put in its place.
  package var replacement: String?

  init() {}
}

/// Why a file was not repaired.
///
/// It is unchanged.
package enum RepairError: Error, Hashable, Sendable {
  /// Not everything can be read; the report says what would be lost.
  case loss(RepairReport)
  /// The file can't be copied first; the value is the system's message.
  case noCopy(String)
  /// What can be read does not make a whole list: it would still have this many problems.
  case isDamaged(Int)
  /// Other programs kept changing the file.
  case isBusy
}

extension RepairError: ExplainedError {
  package func task(with file: String) -> String? { "repair \(quoted(file))" }

  package var explanation: Explanation {
    switch self {
    case .loss(let report):
      .refused(
        "\(counted(report.losses.count, "thing")) would be lost",
        nothing: "changed")
    case .noCopy(let reason):
      .failed(
        "the damaged file can't be copied first: \(reason)",
        .advice("copy it to a folder with room, and repair it there"), nothing: "changed")
    case .isDamaged(let count):
      .failed(
        "a list made from what can be read would still have \(counted(count, "problem"))",
        .run(.exportPartial, to: "save what can be read"), nothing: "changed")
    case .isBusy:
      .failed(
        "other programs keep changing the file",
        .advice("try again when the other programs have finished"), nothing: "changed")
    }
  }
}
