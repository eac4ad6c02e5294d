// A program that knows one step more than the released ones: upgrades the file that it is given when its
// standard input ends, so that a test can start several at the same moment.
import Foundation
import CustomersMigrations
import CustomersSQLite

let words = CommandLine.arguments
let step = try String(contentsOfFile: words[2], encoding: .utf8)
while readLine() != nil {}
let migrator = Migrator(applicationID: Migrations.applicationID, steps: Migrations.steps + [step])
let connection = try Connection(path: words[1])
try migrator.migrate(connection)
print(try migrator.state(of: connection))
