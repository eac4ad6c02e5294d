// The C library of the system, imported here and nowhere else; `import Platform` is all that other files say.

#if canImport(Glibc)
  @_exported public import Glibc
#elseif canImport(Musl)
  @_exported public import Musl
#elseif canImport(Darwin)
  // Never built on a Mac so far: what differs there will show in the compiler's words.
  @_exported public import Darwin
#endif
