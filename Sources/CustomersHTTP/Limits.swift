/// What a peer may use, in size, number, and time.
///
/// The limits of a head are in `HeadParser`.
package struct Limits: Sendable {
  /// The maximum number of bytes of a body.
  package var body = 1 << 20
  /// The maximum number of bytes that wait for the reader of a stream.
  package var unsent = 4 << 20
  /// The maximum number of connections, without those whose last answer is sent: of them, a quarter of this.
  package var connections = 200
  /// How long a new connection keeps its place in a crowd without a request that was authorized.
  package var firstTime = Duration.milliseconds(300)
  /// How long a head may take.
  package var headTime = Duration.seconds(10)
  /// How long a body may take after its head.
  package var bodyTime = Duration.seconds(30)
  /// How long a connection may stay open without another request.
  package var idleTime = Duration.seconds(60)
  /// How long the peer may take to receive an answer.
  package var answerTime = Duration.seconds(30)
  /// How long to read on after the last answer, so that it is not lost with what the peer was still sending.
  package var lingerTime = Duration.seconds(2)
  /// How long a stream may be silent.
  package var heartbeatTime = Duration.seconds(15)
  /// How long requests that are being answered may take when the server stops.
  package var stopTime = Duration.seconds(1)

  package init() {}
}
