import CustomerFixtures
import Foundation
import CustomersPlatform
import CustomersTestSupport
import Testing

/// An `sshd` for one test, with its own keys, on a free port of the loopback interface.
final class SSHServer {
  /// The environment in which `customers` uses the server.
  let environment: [String: String]
  /// The path of the configuration file for `ssh`.
  let configuration: String
  private let folder: TemporaryFolder
  private let process: pid_t
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
      mkdir bin; ln -s '\(CLISandbox.program)' bin/customers
      [ "$(id -u)" != 0 ] || mkdir -p -m 755 /run/sshd
      """)
    try #require(keys.code == 0, "\(keys)")
    let port = try SSHServer.freePort()
    let library =
      ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"].map { " LD_LIBRARY_PATH=\($0)" } ?? ""
    try CustomersTestSupport.write(
      Array(
        """
        Port \(port)
        ListenAddress 127.0.0.1
        HostKey \(path)/host
        AuthorizedKeysFile \(path)/authorized_keys
        PidFile none
        StrictModes no
        UsePAM no
        PasswordAuthentication no
        MaxStartups 100
        MaxSessions 100
        LogLevel ERROR
        SetEnv LOGNAME= USER= PATH=\(path)/bin:/usr/local/bin:/usr/bin:/bin\(library)

        """.utf8), to: path + "/sshd_config")
    let host = try String(contentsOfFile: path + "/host.pub", encoding: .utf8)
    try CustomersTestSupport.write(Array("customers-test \(host)".utf8), to: path + "/known_hosts")
    configuration = path + "/ssh_config"
    try CustomersTestSupport.write(
      Array(
        """
        Host *
          HostName 127.0.0.1
          Port \(port)
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
    process = try Spawn(
      words: [SSHServer.program, "-D", "-e", "-f", path + "/sshd_config"],
      environment: sandbox.environment, folder: path
    ).start()
    let ssh = "ssh -F '\(configuration)' far"
    let reached = try sandbox.shell(
      "for try in $(seq 100); do \(ssh) true > /dev/null 2> '\(path)/words'; [ $? = 255 ] || exit 0; sleep 0.1; done; cat '\(path)/words'; exit 1"
    )
    try #require(reached.code == 0, "\(reached)")
    guard isShared else { return }
    master = try Spawn(
      words: ["ssh", "-F", configuration, "-M", "-N", "far"], environment: sandbox.environment, folder: path
    ).start()
    let shared = try sandbox.shell(
      "for try in $(seq 100); do \(ssh) -O check 2> /dev/null && exit; sleep 0.1; done; exit 1")
    try #require(shared.code == 0)
  }

  deinit {
    for process in [master, process].compactMap(\.self) {
      kill(process, SIGTERM)
      _ = Spawn.wait(process)
    }
  }

  /// The error of a machine without `sshd`.
  struct Missing: Error, CustomStringConvertible {
    var description: String {
      "\(SSHServer.program) is missing: apt-get install openssh-server (the tests start their own; no service needs to run)"
    }
  }

  private static func freePort() throws -> UInt16 {
    let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    try #require(socket >= 0)
    defer { close(socket) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let bound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe bind(socket, address, size) == 0 && getsockname(socket, address, &size) == 0
      }
    }
    try #require(bound)
    return UInt16(bigEndian: address.sin_port)
  }
}
