#if Cluster
  internal import Dqlite
  internal import Files
  internal import Platform
  internal import SQLite

  /// Runs a node until a signal ends it.
  enum NodeProgram {
    /// - Returns: the exit code.
    static func run(_ words: [String]) -> Int32 {
      // A closed connection and a file that may not grow are errors, not deaths.
      signal(SIGPIPE, SIG_IGN)
      signal(SIGXFSZ, SIG_IGN)
      do {
        let arguments = try NodeArguments(words)
        if arguments.asksForHelp {
          print(NodeArguments.help)
        } else if let removed = arguments.removed {
          guard try Membership(nodes: arguments.join).remove(removed) else {
            say("no node at \(removed) is in the cluster")
            return 3
          }
          print("Removed the node at \(removed).")
        } else if let folder = arguments.folder, let address = arguments.address {
          try run(folder, address, arguments)
        }
        return 0
      } catch let problem as NodeArguments.Problem {
        say(problem.message)
        say("customers-node --help shows how to use it")
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
          "warning: whoever reaches \(address) can read and change the list, as dqlite has no login and no "
            + "encryption; let only the nodes and the clients reach it, by a VPN or by ssh")
      }
      let folder = try NodeFolder(path, for: address, founds: arguments.join.isEmpty)
      // Before dqlite starts its thread, which inherits them.
      let signals = StopSignals()
      let node = try Node(folder, at: address, electionTimeout: arguments.electionTimeout)
      say("node \(folder.id) listens at \(address)")
      var watch = NodeWatch(folder.id, address, arguments)
      repeat { watch.look() } while !signals.arrives(within: 1)
      try? Membership.handOver(folder.id, at: address)
      node.stop()
    }

    /// Writes a line for the person, or for the log of the system.
    static func say(_ text: String) {
      try? FileDescriptor.standardError.write(Array("customers-node: \(text)\n".utf8))
    }
  }

  /// The signals that end a node.
  @safe struct StopSignals {
    private var signals = sigset_t()

    /// Blocks them from now on, so that they can be waited for.
    init() {
      unsafe sigemptyset(&signals)
      for number in [SIGTERM, SIGINT, SIGHUP] { unsafe sigaddset(&signals, number) }
      unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    /// Waits for one.
    func arrives(within seconds: Int) -> Bool {
      var (signals, timeout) = (signals, timespec(tv_sec: seconds, tv_nsec: 0))
      return unsafe sigtimedwait(&signals, nil, &timeout) > 0
    }
  }
#endif
