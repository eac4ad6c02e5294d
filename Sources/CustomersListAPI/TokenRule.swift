internal import CustomerStore

extension TransactionToken {
  /// The token in a request; nil for a text that is not 32 hexadecimal digits.
  ///
  /// Its time decides how long its outcome is known, so no other form is accepted.
  init?(request text: String) {
    guard text.utf8.count == 32, text.utf8.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else {
      return nil
    }
    self.init(rawValue: text.lowercased())
  }
}

extension RequestBody {
  /// The token of the transaction.
  func token() throws -> TransactionToken {
    guard let token = TransactionToken(request: try text("token")) else {
      throw wrong("token", "32 hexadecimal digits")
    }
    return token
  }
}
