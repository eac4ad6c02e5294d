@testable import CustomersCommands
import Foundation

extension CLISandbox {
  /// Keeps a Python program that speaks the protocol between two machines, byte by byte.
  ///
  /// `Wire` sends and receives messages; `serve` starts `customers serve`, and `request` is a request for this
  /// sandbox's list.
  ///
  /// - Returns: the path of the program.
  func keepProgram(speakingProtocol program: String) throws -> String {
    try keep(
      """
      import os, select, signal, struct, subprocess, sys, time, uuid
      REQUEST, REPLY, FAILURE, DATA, END = range(1, 6)
      OUTPUT, ERRORS, OPEN, READ_LINE, EDIT, MAY_WRITE, CREATE, WRITE, SYNC, FINISH, WILL_CHANGE, EXIT, PAGE = range(32, 45)

      class Wire:
          '''Messages over two pipes.'''
          def __init__(self, reading, writing): self.reading, self.writing = reading, writing
          def frame(self, kind, content): self.writing.write(struct.pack('>BI', kind, len(content)) + content)
          def send(self, kind, *texts, content=b''):
              self.frame(kind, content + b''.join(struct.pack('>I', len(text)) + text for text in texts))
              self.writing.flush()
          def receive(self):
              '''Returns the kind and the content of a short message; None at the end.'''
              header = self.reading.read(5)
              if len(header) < 5: return None, b''
              kind, count = struct.unpack('>BI', header)
              return kind, self.reading.read(count)
          def is_silent(self, seconds): return not select.select([self.reading], [], [], seconds)[0]

      def serve():
          '''Starts the program; returns it, its messages and the number of its protocol.'''
          server = subprocess.Popen(
              [os.environ['CUSTOMERS'], 'serve', '--any'], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
          wire = Wire(server.stdout, server.stdin)
          greeting = b''
          while not greeting.endswith(b'\\n'): greeting += server.stdout.read(1)
          return server, wire, greeting.split()[2]

      def request(number, *words):
          '''Returns the texts of a request.'''
          facts = [number, uuid.uuid4().hex.encode(), b'UTC0', b'', b'', b'', b'', b'', b'', b'0']
          return facts + [word.encode() for word in words] + [b'--db=' + os.environ['CUSTOMERS_DB'].encode()]

      def ending(server):
          '''Waits for the end of the program, but not forever; returns its exit code, or the signal.'''
          try: code = server.wait(60)
          except subprocess.TimeoutExpired:
              server.kill()
              server.wait()
              return 'still running'
          return code if code >= 0 else signal.Signals(-code).name

      \(program)
      """)
  }

  /// Returns an environment in which a Python program is the machine of the list, after it has got the request.
  ///
  /// `say` sends a message, `hear` returns the kind and the content of the next one, and `ask` does both; standard
  /// error is that of ssh.
  func lyingMachine(_ program: String) throws -> [String: String] {
    let path = try keepProgram(
      speakingProtocol: """
        wire = Wire(sys.stdin.buffer, sys.stdout.buffer)
        say, hear = wire.send, wire.receive
        def ask(kind, *texts):
            say(kind, *texts)
            return hear()
        print('customers serve \(Message.protocolNumber) \(version)', flush=True)
        hear()
        \(program)
        """)
    return try otherMachine(serving: "exec python3 '\(path)'")
  }
}
