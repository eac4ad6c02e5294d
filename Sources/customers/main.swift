internal import CustomersCLI
internal import CustomersPlatform

exit(run(CommandLine.arguments.dropFirst()))
