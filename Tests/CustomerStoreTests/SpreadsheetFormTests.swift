@testable import CustomerStore
import Testing

/// What a spreadsheet writes in place of a text, and what only a person does.
struct SpreadsheetFormTests {
  @Test(arguments: [
    ("0301234", "301234"), ("007", "7"), ("+1", "1"), ("1e5", "100000"), ("1e5", "1.00E+05"), ("1,5", "1.5"),
    ("1.200", "1200"), ("50%", "0.5"), ("12.50", "12.5"), ("=1+1", "2"), ("=A1", "#REF!"), ("=A1", "Ann"),
    ("=foo", "#NAME?"), ("=> call", "Err:509"), ("=1=1", "WAHR"), ("=UPPER(B2)", "ANN"),
    ("01.02.2026", "2026-02-01"), ("01.02.2026", "02/01/2026"), ("1/2", "2026-02-01"), ("1/2", "01/02/26"),
    ("3-4", "04/03/26"), ("Mai 2026", "01.05.2026"), ("March 3", "03/03/26"), ("12:30", "12:30:00 PM"),
    ("TRUE", "WAHR"), ("VRAI", "yes"), ("$5", "5"), ("1.2.3", "2003-02-01"), ("10-02-03", "10/02/2003"),
    ("+493012345678901", "493012345678901"), ("5-3", "05. Mrz"), ("5-3", "3-May"), ("5/3", "05. mars"),
    ("5/3", "5月3日"), ("49301234567890123456", "4.93012345678901E+19"),
  ])
  func `a spreadsheet writes it so`(text: String, written: String) {
    #expect(SpreadsheetForm.mayBe(written, of: text), "\(text) \(written)")
  }

  @Test(arguments: [
    ("0301234", "301235"), ("0301234", "030 1234"), ("301234", "0301234"), ("7", "007"), ("2026", "2027"),
    ("01.02.2026", "02.01.2026"), ("1/2", "2/1"), ("1/2", "2026-03-05"), ("Mai 2026", "01.06.2026"),
    ("Room 5", "2026-05-05"), ("5-3", "05. Apr"), ("5/3", "5月4日"), ("5/3", "6月3日"), ("5-3", "5 km"),
    ("7", "7. Mrz"), ("12:30", "12:31:00 PM"),
    ("yes", "no"), ("soon", "7"), ("7", "soon"),
    ("=1+1", "=1+2"), ("==== VIP ====", "no longer VIP"), ("=> call first", "do not call"),
    ("Ann", "ann"), ("", "7"), ("49301234567890123456", "5.12E+19"),
  ])
  func `a person has changed it`(text: String, written: String) {
    #expect(!SpreadsheetForm.mayBe(written, of: text), "\(text) \(written)")
  }

  @Test func `a number whose decimals became thousands was not typed so`() {
    let numbers = ColumnKinds().adding([("n", .init(.number))])
    func kept(_ old: String, _ new: String) -> String? {
      var (base, fields) = (CustomerFields(), CustomerFields())
      (base.extraColumns["n"], fields.extraColumns["n"]) = (.text(old), .text(new))
      _ = fields.keepForms(of: base, numbers, onlyCertain: false)
      return fields.extraColumns["n"]?.text
    }
    for (old, new) in [("1.234", "1234"), ("0.125", "125"), ("-0.001", "-1"), ("2.25", "2.250")] {
      #expect(kept(old, new) == old, "\(old) \(new)")
    }
    for (old, new) in [("1.23", "123"), ("1.234", "1235"), ("1234", "1.234"), ("1.2345", "12345")] {
      #expect(kept(old, new) == new, "\(old) \(new)")
    }
  }
}
