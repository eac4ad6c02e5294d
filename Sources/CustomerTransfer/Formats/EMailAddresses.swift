package import CustomerStore
package import CustomersFormats

extension CustomerFields {
  /// All e-mail addresses, with their labels: the main one, which has none, and those in the other contacts.
  package var emailAddresses: [ContactLine] {
    let main = String(email.trimmingBlanks)
    return (main.isEmpty ? [] : [ContactLine(.email, main)]) + otherEMailAddresses
  }

  /// The e-mail addresses in the other contacts.
  package var otherEMailAddresses: [ContactLine] {
    guard !otherContacts.isEmpty else { return [] }
    return otherContacts.split(separator: "\n").compactMap { ContactLine(String($0)) }.filter {
      $0.kind == .email
    }
  }
}
