// A program that knows the next format: upgrades the file that it is given when its standard input ends, so that a
// test can start several at the same moment.
import CustomersSQLite
import CustomersTestSupport

while readLine() != nil {}
let connection = try Connection(path: CommandLine.arguments[1])
try NextFormat.migrator.migrate(connection)
print(try NextFormat.migrator.state(of: connection))
