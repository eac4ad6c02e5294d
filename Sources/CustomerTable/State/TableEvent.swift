public import CustomerStore

/// Where the cursor, or the rows in hand, are to go.
public enum TableMotion: Hashable, Sendable {
  /// So many rows down, or up if negative.
  case by(Int)
  /// So many screens down, or up if negative.
  case pages(Int)
  /// So many half screens down, or up if negative.
  case halfPages(Int)
  /// To the first row, or the last one.
  case first, last
  /// To the row that is shown with a number, from 1.
  case number(Int)
  /// To the start of the section so many sections further down, or up if negative.
  case sections(Int)
}

/// What a pointer is over.
public enum TableTarget: Hashable, Sendable {
  /// A row, by its customer.
  case row(CustomerID)
  /// The row that adds a customer to a section, or the text below it.
  case end(of: SectionID)
}

/// What happens to a table: by a person, by the clock, or as the answer to one of its effects.
public enum TableEvent: Sendable {
  // The screen
  /// The screen has room for so many lines.
  case resize(Int)
  /// The list scrolls by so many lines; the cursor stays.
  case scroll(Int)
  /// A second has passed since rows were highlighted.
  case fade

  // The cursor
  /// A key that moves the cursor, or the rows in hand.
  case go(TableMotion)
  /// A click on a row.
  case click(TableTarget)
  /// Opens the form of the row with the cursor; on the row that adds, one for a new customer.
  case open
  /// Opens the form for a new customer, just above or below the cursor or at the end of its section.
  case add(TableAddition)
  /// What a person does in the open form.
  case form(FormEvent)

  // Edit mode and deletion
  /// Begins or ends edit mode.
  case setEditing(Bool)
  /// Shows the button that deletes: of a row by its control, or for the marked rows, or the one with the
  /// cursor.
  case askToDelete(CustomerID?)
  /// Answers yes: to the button that deletes, or to a question about undo.
  case confirm
  /// A key or click that means nothing; it takes away a button or question that shows.
  case dismiss
  /// One thing less: what is in hand, a question, the search, the marks, edit mode.
  case escape

  // Moving
  /// Moves the marked rows, or the one with the cursor, by so many places; not out of the section.
  case shift(Int)
  /// Moves the marked rows, or the one with the cursor, to a row number, from 1.
  case move(to: Int)
  /// Takes rows into the hand: one by its handle, or the marked rows, or the one with the cursor.
  case pickUp(CustomerID?)
  /// The pointer with the rows in hand is over something.
  case drag(over: TableTarget)
  /// Puts the rows in hand where they are shown.
  case drop
  /// Cuts the marked rows, or the one with the cursor; they stay until they are put elsewhere.
  case cut
  /// Puts the rows that were cut above or below the cursor.
  case put(above: Bool)

  // Marks
  /// Marks or unmarks the row with the cursor, which goes one down.
  case mark
  /// Begins or ends marking all rows that the cursor passes.
  case markRange
  /// Marks the rows on the page that are not marked, and the other way round.
  case invertMarks

  // Search
  /// Opens the search line.
  case search
  /// A key in the search line.
  case searchText(TextField.Edit)
  /// Stays at the hit.
  case acceptSearch
  /// Goes to the next hit, or the one before.
  case nextHit, previousHit
  /// Shows only the hits, or all rows again.
  case filter

  // History
  case undo, redo

  // Answers
  /// A page that was asked for.
  case loaded(TablePage)
  /// The person has made steps by other means, such as a command line: they count as the table's own.
  case adopt([HistoryStep.ID])
  /// The list was changed, by any program; the steps, or nil if they are too many or forgotten.
  case changed([ListStep]?, TablePage)
  /// An edit was made.
  case wrote(TableWrite, TableWrite.Result)
  /// The step that would be undone, or redone; nil if there is none.
  case offered(HistoryStep?, TableWrite.Reversal)
  /// Hits were found.
  case scanned(TableScan, TableScan.Result)
  /// An effect failed; nothing was changed.
  case failed(TableEffect, any Error)
}

/// Where a new customer comes.
public enum TableAddition: Hashable, Sendable {
  /// Just above the cursor, just below it, at the end of its section.
  case above, below, last
}
