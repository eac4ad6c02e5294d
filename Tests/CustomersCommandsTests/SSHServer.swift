import CustomerFixtures
import Foundation
import CustomersSystem
import CustomersTestSupport
import Testing

/// An `sshd` for one test, with its own keys; `ssh` starts it for each connection and talks to it over a pipe, so
/// it needs no port.
final class SSHServer {
  /// The environment in which `customers` uses the server.
  let environment: [String: String]
  /// The path of the configuration file for `ssh`.
  let configuration: String
  /// The home folder of the account on the server; whatever program the account prefers as editor or pager
  /// leaves a file `started` there.
  let home: String
  private let folder: TemporaryFolder
  private var master: pid_t?

  static let program = "/usr/sbin/sshd"

  /// Starts the server for the list of a sandbox; with `isShared`, all runs share one connection, which makes
  /// them cheap.
  init(for sandbox: CLISandbox, isShared: Bool, keyOptions: String = "") throws {
    guard FileManager.default.isExecutableFile(atPath: SSHServer.program) else {
      throw Missing()
    }
    folder = try TemporaryFolder()
    let path = folder.path
    let keys = try sandbox.shell(
      """
      set -e; cd '\(path)'
      for key in host user; do ssh-keygen -q -t ed25519 -N '' -f $key; done
      printf '%s' '\(keyOptions)' | cat - user.pub > authorized_keys
      mkdir bin home home/.ssh; printf '#!/bin/sh\\ntouch %s/home/started\\n' '\(path)' > bin/start; chmod +x bin/start
      ln -s '\(CLISandbox.program)' bin/customers
      [ "$(id -u)" != 0 ] || mkdir -p -m 755 /run/sshd
      """)
    try #require(keys.code == 0, "\(keys)")
    let library =
      ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"].map { " LD_LIBRARY_PATH=\($0)" } ?? ""
    let programs = ["EDITOR", "VISUAL", "PAGER", "CUSTOMERS_PAGER", "CUSTOMERS_SSH"]
      .map { " \($0)=\(path)/bin/start" }.joined()
    try CustomersTestSupport.write(
      Array(
        """
        HostKey \(path)/host
        AuthorizedKeysFile \(path)/authorized_keys
        PidFile none
        StrictModes no
        UsePAM no
        PasswordAuthentication no
        MaxStartups 100
        MaxSessions 10
        LogLevel ERROR
        SetEnv LOGNAME= USER= HOME=\(path)/home PATH=\(path)/bin:/usr/local/bin:/usr/bin:/bin\(library)\(programs)

        """.utf8), to: path + "/sshd_config")
    let host = try String(contentsOfFile: path + "/host.pub", encoding: .utf8)
    try CustomersTestSupport.write(Array("customers-test \(host)".utf8), to: path + "/known_hosts")
    configuration = path + "/ssh_config"
    home = path + "/home"
    try CustomersTestSupport.write(
      Array(
        """
        Host *
          ProxyCommand \(SSHServer.program) -i -f \(path)/sshd_config -E \(path)/log
          IdentityFile \(path)/user
          IdentitiesOnly yes
          UserKnownHostsFile \(path)/known_hosts
          HostKeyAlias customers-test
          StrictHostKeyChecking yes
          \(isShared ? "ControlPath \(path)/master" : "")

        """.utf8), to: configuration)
    environment = [
      "CUSTOMERS_SSH": "ssh -F '\(configuration)'", "CUSTOMERS_DB": "ssh://far\(sandbox.file)",
    ]
    guard isShared else { return }
    master = try Spawn(
      words: ["ssh", "-F", configuration, "-M", "-N", "far"], environment: sandbox.environment, folder: path
    ).start()
    let shared = try sandbox.shell(
      "for try in $(seq 100); do ssh -F '\(configuration)' far -O check 2> /dev/null && exit; sleep 0.1; done; exit 1"
    )
    try #require(shared.code == 0)
  }

  deinit {
    guard let master else { return }
    // At SIGTERM it ends only once its loop wakes up, which it may never do.
    kill(master, SIGKILL)
    _ = Spawn.wait(master)
  }

  /// The error of a machine without `sshd`.
  struct Missing: Error, CustomStringConvertible {
    var description: String {
      "\(SSHServer.program) is missing: apt-get install openssh-server (the tests start their own; no service needs to run)"
    }
  }
}
