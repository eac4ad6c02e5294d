/// How the characters of a file are written as bytes.
public enum TextEncoding: String, CaseIterable, Sendable {
  case utf8 = "utf-8"
  /// In the byte order given by the mark at the start; without one, in that of its ASCII characters, otherwise
  /// big-endian (RFC 2781, 4.3).
  case utf16 = "utf-16"
  /// ISO 8859-1: the first 256 characters of Unicode.
  case latin1
  /// Latin 1 with letters and symbols instead of most of the controls 80…9F.
  case windows1252 = "windows-1252"
  /// The encoding of old Macs.
  case macRoman = "mac-roman"
}
