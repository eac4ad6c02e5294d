import CustomersSystem
import CustomersHTTP
import CustomersTestSupport
import Foundation
import Testing

@testable import CustomersWeb

@Suite(.onThreads) struct WebAddressTests {
  @Test func `a token is 128 random bits in hexadecimal`() {
    let tokens = (0..<1000).map { _ in WebAddress().token }
    #expect(tokens.allSatisfy { $0.wholeMatch(of: /[0-9a-f]{32}/) != nil } && Set(tokens).count == 1000)
    // Each digit takes each value.
    for place in 0..<32 { #expect(Set(tokens.map { Array($0)[place] }).count == 16) }
  }

  @Test func `what is kept is read again, by its owner only, for this list only`() throws {
    try withTemporaryFolder { folder in
      let environment = ["HOME": folder]
      let file = try #require(WebAddress.File(ofList: "/a/list", environment))
      #expect(file.read() == nil)
      let address = WebAddress(port: 4711)
      try file.write(address)
      #expect(WebAddress.File(ofList: "/a/list", environment)?.read() == address)
      #expect(WebAddress.File(ofList: "/a/moved", environment)?.read() == nil)
      #expect(WebAddress.File(ofList: "/a/list", isReadOnly: true, environment)?.read() == nil)
      #expect(file.path.hasPrefix("\(folder)/.local/state/customers/web/"))
      for (path, mode) in [(file.path, 0o600), ("\(folder)/.local/state/customers/web", 0o700)] {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == mode)
      }
      // The path of the list is no one else's business.
      #expect(try !String(contentsOfFile: file.path, encoding: .utf8).contains("list"))
    }
  }

  @Test func `an address that others could read, or that is damaged, is not used`() throws {
    try withTemporaryFolder { folder in
      let file = try #require(WebAddress.File(ofList: "/a", ["XDG_STATE_HOME": folder, "HOME": "/nowhere"]))
      let permit = { mode in
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
      }
      let address = WebAddress(port: 4711)
      try file.write(address)
      try permit(0o644)
      #expect(file.read() == nil)
      try permit(0o600)
      #expect(file.read() == address)
      for text in [
        "", "4711", "4711 \(address.token)", "70000 \(address.token)\n",
        "4711 \(address.token.dropLast())\n", "4711 \(address.token)0\n",
        "4711 \(address.token.dropLast())x\n",
        "x \(address.token)\n", "4711 \(address.token) 1\n",
      ] {
        try write(Array(text.utf8), to: file.path)
        try permit(0o600)
        #expect(file.read() == nil, "\(text)")
      }
    }
  }

  @Test func `what is no regular file is neither read nor written`() throws {
    try withTemporaryFolder { folder in
      let file = try #require(WebAddress.File(ofList: "/a", ["XDG_STATE_HOME": folder]))
      try file.write(WebAddress(port: 1))
      try FileManager.default.removeItem(atPath: file.path)
      // Whoever opens it waits for the other end.
      try #require(unsafe mkfifo(file.path, 0o600) == 0)
      #expect(file.read() == nil)
      #expect(throws: FileError.self) { try file.write(WebAddress(port: 1)) }
    }
  }

  @Test func `without a home there is no file`() {
    #expect(WebAddress.File(ofList: "/a", [:]) == nil)
    #expect(WebAddress.File(ofList: "/a", ["XDG_STATE_HOME": "relative", "HOME": ""]) == nil)
  }

  @Test func `who listens on a port is read from the system's table`() throws {
    let table = """
        sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
         0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 1 1 0 100 0 0 10 0
         1: 0100007F:1F90 0100007F:C350 01 00000000:00000000 00:00000000 00000000     7        0 2 1 0 20 4 0 10 -1
         2: 0100007F:1F91 00000000:0000 0A 00000000:00000000 00:00000000 00000000    33        0 3 1 0 100 0 0 10 0
         3: 00000000000000000000000001000000:1F91 00000000000000000000000000000000:0000 0A 0:0 0:0 0 4294967294 0 4
         4: short
      """
    #expect(PortHolder.users(of: 8080, in: table) == [1000])
    #expect(PortHolder.users(of: 8081, in: table) == [33, 4_294_967_294])
    #expect(PortHolder.users(of: 8082, in: table) == [])
    let (listeners, port) = try Listener.loopback(port: 0)
    #expect(!PortHolder.mayBeAnotherUser(port))
    withExtendedLifetime(listeners) {}
    #expect(PortHolder.mayBeAnotherUser(1))
  }
}
