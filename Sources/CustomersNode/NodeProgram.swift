#if Cluster
  internal import CustomersCluster
  internal import CustomersPlatform
  internal import CustomersSQLite

  /// Runs a node until a signal stops it.
  enum NodeProgram {
    /// - Returns: the exit code.
    static func run(_ words: [String]) -> Int32 {
      // Report a closed connection and the limit of a file's size as errors; don't end the process.
      signal(SIGPIPE, SIG_IGN)
      signal(SIGXFSZ, SIG_IGN)
      do {
        let arguments = try NodeArguments(words)
        if arguments.asksForHelp {
          print(NodeArguments.help)
        } else if let removed = arguments.removed {
          guard try Membership(nodes: arguments.join).remove(removed) else {
            say("the cluster has no node at \(removed)")
            return 3
          }
          print("Removed the node at \(removed).")
        } else if let folder = arguments.folder, let address = arguments.address {
          try run(folder, address, arguments)
        }
        return 0
      } catch let problem as NodeArguments.Problem {
        say(problem.message)
        say("run customers-node --help for usage")
        return 2
      } catch let problem as NodeFolder.Problem {
        say(problem.message)
      } catch let problem as Node.Problem {
        say(problem.message)
      } catch let problem as Membership.Problem {
        say(problem.message)
      } catch {
        say("\(error)")
      }
      return 1
    }

    private static func run(_ path: String, _ address: NodeAddress, _ arguments: NodeArguments) throws {
      if !address.isLoopback {
        say(
          "warning: anyone who can reach \(address) can read and change the list, because dqlite has no "
            + "login and no encryption; let only the nodes and their clients reach it, through a VPN or ssh")
      }
      let folder = try NodeFolder(path, for: address, founds: arguments.join.isEmpty)
      // Before dqlite starts its thread, which inherits the blocked signals.
      let signals = StopSignals()
      let node = try Node(folder, at: address, electionTimeout: arguments.electionTimeout)
      say("node \(folder.id) is listening on \(address)")
      var watch = NodeWatch(folder.id, address, arguments)
      repeat { watch.look() } while !signals.arrives(within: 1)
      try? Membership.handOver(folder.id, at: address)
      node.stop()
    }
  }

  /// The signals that stop a node.
  @safe struct StopSignals {
    private var signals = sigset_t()

    /// Blocks the signals, so that `arrives(within:)` can wait for them.
    init() {
      unsafe sigemptyset(&signals)
      for number in [SIGTERM, SIGINT, SIGHUP] { unsafe sigaddset(&signals, number) }
      unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    /// Waits for a signal; returns false after the timeout.
    func arrives(within seconds: Int) -> Bool { waitForSignal(signals, for: .seconds(seconds)) }
  }
#endif
