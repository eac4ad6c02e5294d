/// Where an object of SQLite's lies.
///
/// Unlike a pointer it may be kept by a `Sendable` type; that the object bears being used from any
/// thread is what the keeper promises.
struct Address: Sendable {
  private let bits: UInt

  init(_ pointer: OpaquePointer) { bits = UInt(bitPattern: pointer) }

  init(_ pointer: UnsafeMutableRawPointer) { bits = UInt(bitPattern: pointer) }

  var pointer: OpaquePointer {
    guard let pointer = unsafe OpaquePointer(bitPattern: bits) else { preconditionFailure("no address") }
    return unsafe pointer
  }
}
