internal import TerminalText

/// A word that a shell may offer.
struct Candidate: Sendable {
  /// The whole word, without quotes.
  var word: String
  /// What it stands for, in a few printable words.
  var about = ""
}

/// What a shell is to offer at the cursor.
enum Completion: Sendable {
  case words([Candidate])
  /// The names of files, which shells know best.
  case files

  static let nothing = Completion.words([])
}

/// Gathers words that begin with what was typed, small or capital letters; not too many of them.
struct CandidateList: Sendable {
  private let typed: String
  private(set) var candidates: [Candidate] = []
  private var words: Set<String> = []

  /// A person looks at no more, and a shell asks once a page.
  private static let limit = 200

  init(typed: String) { self.typed = typed.lowercased() }

  var isFull: Bool { candidates.count >= CandidateList.limit }

  /// Takes a word that fits; one with letters that could steer a terminal can't be typed, and is left out.
  mutating func offer(_ word: String, _ about: @autoclosure () -> String = "") {
    guard !isFull, !word.isEmpty, word.lowercased().hasPrefix(typed), printable(word) == word,
      words.insert(word).inserted
    else { return }
    candidates.append(Candidate(word: word, about: printable(about())))
  }
}
