internal import CustomerStore
internal import CustomersFormats

/// The columns of a file of another program that its names explain.
struct UnderstoodColumns {
  /// What they become, by index; the others are extra columns.
  private(set) var targets: [Int: ColumnTarget] = [:]
  /// The columns that together are the ways to reach a customer; nil if there are none.
  private(set) var contacts: ContactPlan?

  /// Understands no column.
  init() {}

  /// Understands names, except those of columns that have a target already.
  init(_ columns: [String], besides mapped: [Int: ColumnTarget]) {
    var meanings = columns.map { ColumnMeaning($0) }
    let wholes = meanings.enumerated().map { index, meaning in
      mapped[index].map { UnderstoodColumns.whole($0) } ?? meaning?.whole
    }
    let plain = UnderstoodColumns.bareNumbers(columns)
    for (index, whole) in wholes.enumerated() where mapped[index] == nil {
      switch whole {
      case .field(.tags)?: targets[index] = .tags
      case .field(let field)?: targets[index] = .field(field)
      case .name?: targets[index] = .name
      case .anyName?: targets[index] = UnderstoodColumns.anyName(wholes)
      case .phone(let label)?: meanings[index] = ColumnMeaning(phone: label)
      case nil:
        if let label = plain[index] { meanings[index] = ColumnMeaning(phone: label) }
      }
    }
    for index in mapped.keys { meanings[index] = nil }
    let plan = ContactPlan(meanings, besides: Set(mapped.values))
    targets.merge(plan.targets) { own, _ in own }
    if !plan.isEmpty { contacts = plan }
  }

  /// A target as the meaning of a name.
  private static func whole(_ target: ColumnTarget) -> ColumnVocabulary.Whole? {
    if case .field(let field) = target { .field(field) } else { nil }
  }

  /// What "Name" is: the name that the other columns leave out.
  private static func anyName(_ wholes: [ColumnVocabulary.Whole?]) -> ColumnTarget {
    let (hasFirst, hasLast) = (
      wholes.contains(.field(.firstName)), wholes.contains(.field(.lastName))
    )
    return switch (hasFirst, hasLast) {
    case (false, true): .field(.firstName)
    case (true, false): .lastName
    default: .name
    }
  }

  /// The labels of the columns "Home", "Work", and "Other", which are phone numbers in a file that has the
  /// first two.
  private static func bareNumbers(_ columns: [String]) -> [Int: String] {
    let labels = columns.map { ["home", "work", "other"].contains($0.lowercased()) ? $0.lowercased() : nil }
    guard labels.contains("home"), labels.contains("work") else { return [:] }
    return Dictionary(
      uniqueKeysWithValues: labels.enumerated().compactMap { index, label in label.map { (index, $0) } })
  }
}
