internal import CustomersFiles
internal import CustomersNode
internal import CustomersPlatform

#if Cluster
  exit(NodeProgram.run(Array(CommandLine.arguments.dropFirst())))
#else
  let text = "customers-node: this program was built without dqlite; build it with --traits Cluster\n"
  try? FileDescriptor.standardError.write(Array(text.utf8))
  exit(1)
#endif
