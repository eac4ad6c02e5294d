import Foundation
import CustomersTestSupport
import Testing

/// Tables of an app in the file that refer to customers.
@Suite(.onThreads) struct ReferencingAppTests {
  @Test(arguments: ["customer_record(id)", "customer_record(id) ON DELETE CASCADE", "customers(id)"])
  func `a reference to a customer neither stops an edit nor is damage`(target: String) throws {
    let sandbox = try CLISandbox.withLetters()
    _ = try sandbox.sqlite(
      """
      CREATE TABLE calls (customer INTEGER REFERENCES \(target), note TEXT);
      INSERT INTO calls VALUES (1, 'a'), (2, 'b'), (3, 'c');
      UPDATE history_limit SET steps = 2;
      """)
    #expect(try sandbox.run("backup", "copy", "-q") == .done())
    #expect(try sandbox.run("delete", "@2", "-y", "-q") == .done())
    for name in ["E", "F", "G", "H"] { #expect(try sandbox.run("add", name, "-q") == .done()) }
    // The deletion has expired, and with it the record.
    #expect(try sandbox.sqlite("SELECT count(*) FROM customer_record WHERE id = 2") == "0\n")
    #expect(try sandbox.sqlite("SELECT group_concat(customer, ' ') FROM calls") == "1 2 3\n")
    #expect(try sandbox.run("check", "-q") == .done())
    #expect(try sandbox.run("check", "--repair", "-q") == .done())
    #expect(try sandbox.run("backup", "later", "-q") == .done())
    #expect(try sandbox.run("restore", "copy", "-y", "-q").code == 0)
    #expect(try sandbox.order == "A B C D | X Y")
    #expect(try sandbox.sqlite("SELECT group_concat(customer, ' ') FROM calls") == "1 2 3\n")
    #expect(try sandbox.run("restore", "later", "-y", "-q").code == 0)
    #expect(try sandbox.order == "A C D E F G H | X Y")
    #expect(try sandbox.run("check", "-q") == .done())
  }
}
