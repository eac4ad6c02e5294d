internal import CustomersCLI
internal import Glibc

exit(run(CommandLine.arguments.dropFirst()))
