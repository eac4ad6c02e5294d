internal import CustomerStore
internal import CustomersTerminalText

/// A word that a shell may offer.
struct Candidate: Sendable {
  /// The whole word, without quotes.
  var word: String
  /// Its meaning, in a few printable words.
  var about = ""
}

/// The completions that a shell offers at the cursor.
enum Completion: Sendable {
  case words([Candidate])
  /// The names of files, which shells know best.
  case files

  static let nothing = Completion.words([])
}

/// Collects a limited number of words that start with what was typed, ignoring case.
struct CandidateList: Sendable {
  private let typed: String
  private(set) var candidates: [Candidate] = []
  private var words: Set<String> = []

  /// A person does not read more.
  private static let limit = 200

  init(typed: String) { self.typed = caseFolded(typed) }

  var isFull: Bool { candidates.count >= CandidateList.limit }

  /// Adds a matching word; words that could control a terminal are omitted.
  mutating func offer(_ word: String, _ about: @autoclosure () -> String = "") {
    guard !isFull, !word.isEmpty, caseFolded(word).hasPrefix(typed), printable(word) == word,
      words.insert(word).inserted
    else { return }
    candidates.append(Candidate(word: word, about: printable(about())))
  }
}
