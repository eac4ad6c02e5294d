internal import CustomersCLI
internal import Platform

exit(run(CommandLine.arguments.dropFirst()))
