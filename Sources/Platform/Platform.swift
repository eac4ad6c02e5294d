// The C library, imported in one place. Who imports this module has it, under whatever name the system
// gives it. Built and tested on Linux with Glibc; never on a Mac.
#if canImport(Glibc)
  @_exported public import Glibc
#elseif canImport(Musl)
  @_exported public import Musl
#elseif canImport(Darwin)
  @_exported public import Darwin
#endif

/// A number that no other running thread has, and never 0.
public var currentThreadNumber: UInt {
  #if canImport(Darwin)
    unsafe UInt(bitPattern: pthread_self())
  #else
    UInt(pthread_self())
  #endif
}
