import CustomerFixtures
@testable import CustomerStore
@testable import CustomerTable
import CustomersTestSupport
import Testing

/// No event and no other call of a table traps on a number.
@Suite(.onThreads) struct NumberedEventTests {
  /// What the table does when an event with a number arrives.
  enum Situation: Int, CaseIterable {
    case resting, editing, dragging, typing, filtering, inForm, empty, sorted
  }

  @Test(arguments: Situation.allCases)
  func `a table answers events with any number`(situation: Situation) throws {
    let cases = anyNumber.flatMap { number in events(number).map { (number, $0) } }
    for (number, event) in sampled(cases, oneIn: 48, salt: situation.rawValue) {
      var table = try prepared(situation)
      for next in [event, .resize(7), .go(.by(1)), .fade] {
        table.send(next)
        use(table.state, number)
      }
      #expect(try table.store.read { try $0.check() } == [], "\(event)")
    }
  }

  @Test func `a table draws on a screen of any size, with lines of any height`() throws {
    for number in sampled(anyNumber, oneIn: 3) {
      for heights in [
        LineHeights(header: number), LineHeights(subtitle: number),
        LineHeights(header: number, subtitle: number),
      ] {
        for height in [number, 7] {
          var table = try prepared(.resting)
          for event in [
            .resize(height, heights: heights), .go(.last), .go(.pages(-1)), .scroll(number),
            .go(.halfPages(number)),
            .setEditing(true), .pickUp(nil), .go(.by(number)), .drop,
          ] as [TableEvent] {
            table.send(event)
            use(table.state, number)
          }
        }
      }
    }
  }

  @Test func `a layout answers any number`() {
    for number in anyNumber {
      for parts in [
        [], [.init(rows: 3, hasHeader: true), .init(rows: 0)], [.init(rows: number)],
        [
          .init(rows: number, hasHeader: true, hasAddRow: true, hasFooter: true), .init(rows: number),
          .init(rows: 3),
        ],
      ] as [[TableLayout.Part]] {
        let layout = TableLayout(parts)
        for other in anyNumber {
          _ = (layout[other], layout.path(ofRow: other))
          for item in [.header(other), .row(other), .add(other), .footer(other)] as [TableItem] {
            _ = layout.line(of: item)
          }
          _ = (layout.rows(inSection: other), layout.firstRow(ofSection: other))
        }
      }
    }
    let layout = TableLayout([.init(rows: 3), .init(rows: 2)])
    #expect([-1, 0, 1, 2].map(layout.rows(inSection:)) == [0, 3, 2, 0])
    #expect([-1, 0, 1, 2].map(layout.firstRow(ofSection:)) == [0, 0, 3, 5])
  }

  @Test func `rows are read for any goal`() throws {
    let store = try CustomerStore.inMemory(.sections)
    for number in anyNumber {
      let id = CustomerID(rawValue: Int64(number))
      var state = TableState()
      _ = state.update(.resize(number))
      for goal in [.keep, .gap(row: number), .cursor([id], row: number)] as [TableGoal] {
        let contents = try store.read { list in try state.read(list, for: goal) }
        #expect(contents.ids.count == 8)
        for other in anyNumber { _ = (contents[other], contents[CustomerID(rawValue: Int64(other))]) }
        _ = contents.row(of: id)
      }
    }
  }

  @Test func `a scan searches any rows, and its matches have any number`() throws {
    let store = try CustomerStore.inMemory(.sections)
    for number in anyNumber {
      for (first, end) in [(number, 8), (0, number), (number, number), (number, .max), (.min, number)] {
        let scan = SearchScan(text: "a", first: first, end: end)
        let result = try store.read { try scan.run($0) }
        #expect(result.hits.count <= 8)
      }
    }
    var table = try prepared(.filtering)
    let hits = try #require(table.state.search?.hits)
    #expect(hits.count > 0)
    for number in anyNumber {
      _ = hits.index(of: CustomerID(rawValue: Int64(number)), row: number)
      #expect((hits[number] != nil) == (0..<hits.count).contains(number))
      var result = SearchScan.Result(
        hits: [(1, number)], next: number, version: table.state.contents.version.at(Int64(number)))
      result.next = number
      table.send(.scanned(SearchScan(text: "a", first: number, end: number), result))
      use(table.state, number)
    }
  }

  @Test func `a write with any place leaves the list whole`() throws {
    let store = try CustomerStore.inMemory(.sections)
    for number in anyNumber {
      for work in [
        .save(1, from: CustomerFields(), to: CustomerFields(), place: number),
        .save(CustomerID(rawValue: Int64(number)), from: CustomerFields(), to: CustomerFields(), place: 1),
        .revert(.undo, expecting: HistoryStep(id: Int64(number), time: "")),
        .revert(.redo, expecting: HistoryStep(id: Int64(number), time: "")),
        .edits([.move([1], to: .place(number))]),
      ] as [TableWrite.Work] {
        let violations = try store.dryRun { list in
          _ = try? TableWrite(work: work, action: "").run(&list)
          return try list.check()
        }
        #expect(violations == [])
      }
    }
  }

  @Test func `a form answers any number`() {
    for number in anyNumber {
      var options = FormState.Options()
      (options.firstFocus, options.places) = (number, number...number)
      for mode in [.add(at: .place(number), in: SectionID(rawValue: Int64(number))), .edit(1)]
        as [FormState.Mode]
      {
        var form = FormState(
          mode, place: CustomerPlace(section: 1, order: number), options: options)
        for event in [
          .focus(.field(number)), .text(.cursor(number)), .text(.insert("x")), .text(.replace("\(number)")),
          .next,
          .previous, .enter, .save,
        ] as [FormEvent] {
          form.update(event)
          _ = (form.editedPlace, form.hasChanges, form.edited)
        }
      }
      var text = FormText("ab")
      text.perform(.cursor(number))
      text.perform(.deleteWord)
      #expect((0...2).contains(text.cursor))
    }
  }

  // MARK: Situations and events

  private func prepared(_ situation: Situation) throws -> TestTable {
    var table = try TestTable(situation == .empty ? "" : .sections, height: 7)
    switch situation {
    case .resting, .empty: break
    case .editing: table.send(.setEditing(true), .markRange, .go(.by(2)))
    case .dragging: table.send(.setEditing(true), .pickUp(2))
    case .typing: table.send(.search, .searchText(.insert("a")))
    case .filtering: table.send(.search, .searchText(.insert("a")), .acceptSearch, .filter)
    case .inForm: table.send(.open)
    case .sorted: table.send(.sort(SortOrder(by: [.name], isDescending: true)))
    }
    return table
  }

  private func events(_ number: Int) -> [TableEvent] {
    let (id, section) = (CustomerID(rawValue: Int64(number)), SectionID(rawValue: Int64(number)))
    return [
      .resize(number), .resize(7, heights: LineHeights(header: number, subtitle: number)), .scroll(number),
      .go(.by(number)), .go(.pages(number)), .go(.halfPages(number)), .go(.number(number)),
      .go(.sections(number)),
      .point(.row(id)), .point(.end(of: section)), .click(.row(id)), .click(.end(of: section)),
      .askToDelete(id), .pickUp(id), .drag(over: .row(id)), .drag(over: .end(of: section)), .shift(number),
      .move(to: number), .adopt([Int64(number)]), .form(.focus(.field(number))),
      .form(.text(.cursor(number))),
      .searchText(.cursor(number)),
    ]
  }

  /// Looks at everything that a screen shows, and at lines and rows that are not there.
  private func use(_ state: TableState, _ number: Int) {
    _ = (state.lines, state.layout.count, state.cursorLine, state.current, state.subject, state.hitNumber)
    for item in [.header(number), .row(number), .add(number), .footer(number)] as [TableItem] {
      _ = state.height(of: item)
    }
  }
}
