extension VCardProperty {
  /// The line as vCard 4.0 has it: without types that have no name, and with a URI in place of base 64.
  var inVersion4: String {
    var parts = head.split(separator: ";", omittingEmptySubsequences: false).map(String.init)
    let name = parts.removeFirst()
    let isMarked = preference == 1 && !head.uppercased().contains("PREF=")
    let isOld = isBase64 || isMarked || parts.contains { !$0.contains("=") }
    guard isOld, !head.contains("\"") else { return line }
    var parameters: [String] = []
    for part in parts {
      let pair = part.split(separator: "=", maxSplits: 1).map(String.init)
      let (key, values) = pair.count == 2 ? (pair[0].uppercased(), pair[1]) : ("TYPE", part)
      switch key {
      case "ENCODING": break
      case "TYPE":
        let words = values.split(separator: ",").map { $0.lowercased() }
        for word in words where word != "pref" && word != "base64" && !(isBase64 && word.count > 2) {
          parameters.append("TYPE=\(word)")
        }
      default: parameters.append(part)
      }
    }
    if isMarked { parameters.append("PREF=1") }
    let value = isBase64 ? "data:\(mediaType);base64,\(value)" : value
    return ([name] + parameters).joined(separator: ";") + ":" + value
  }

  /// The media type of a value in base 64.
  private var mediaType: String {
    let type = types.first { !["base64", "pref", "home", "work"].contains($0) } ?? ""
    return switch (name, type) {
    case (_, let type) where type.contains("/"): type
    case ("PHOTO", ""), ("LOGO", ""): "image/jpeg"
    case ("PHOTO", let type), ("LOGO", let type): "image/\(type == "jpg" ? "jpeg" : type)"
    case ("SOUND", let type) where !type.isEmpty: "audio/\(type)"
    default: "application/octet-stream"
    }
  }
}
