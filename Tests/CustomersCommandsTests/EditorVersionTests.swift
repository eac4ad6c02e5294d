import CustomersTestSupport
import Testing

/// A list that is restored while a string is open in the editor: the same ids mean other customers.
@Suite(.onThreads) struct EditorVersionTests {
  @Test(arguments: [
    (["arrange", "-y"], "sed -i 's/^@7/d @7/' \"$1\""),
    (["edit", "@7", "--editor"], "sed -i 's/^note:.*/note: x/I' \"$1\""),
  ])
  func `an edited text is refused if the list was restored`(words: [String], change: String) throws {
    let sandbox = try CLISandbox.withLetters()
    #expect(try sandbox.run("backup", "../b", "-q") == .done())
    #expect(try sandbox.run("add", "Old", "-q") == .done())
    let environment = try sandbox.editor(
      #""$CUSTOMERS" restore ../b -y -q && "$CUSTOMERS" add Important -q && "# + change)
    let result = try sandbox.run(words: words, environment: environment)
    #expect(result.code == 4 && result.errors.contains("the list was restored"), "\(result)")
    #expect(try sandbox.sqlite("SELECT first_name || note FROM customers WHERE id = 7") == "Important\n")
  }

  @Test func `a row that was changed is not deleted by its old line`() throws {
    let sandbox = try CLISandbox.withLetters()
    let environment = try sandbox.editor(
      "\"$CUSTOMERS\" edit @2 --name Other -q; sed -i 's/^@2/d @2/' \"$1\"")
    #expect(try sandbox.run(words: ["arrange", "-y"], environment: environment).code == 4)
    #expect(try sandbox.run("show", "@2").code == 0)
  }
}
