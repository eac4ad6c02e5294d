internal import CustomersFormats
internal import CustomersListAPI

/// Requests of pages, their answers and events, as messages between two machines. A number says what belongs together.
extension Message {
  init(_ request: APIRequest, number: Int) {
    let query = request.query.flatMap { [$0.key, $0.value] }
    self.init(.pageRequest, ["\(number)", request.method, request.path] + query, body: request.body)
  }

  init(_ answer: APIAnswer, number: Int) {
    self.init(.pageAnswer, ["\(number)", "\(answer.status)", answer.type.rawValue], body: answer.body)
  }

  /// An event; nil is the end of its stream.
  init(_ event: APIEvent?, number: Int) {
    self.init(.pageEvent, ["\(number)"] + (event.map { [$0.name, $0.data] } ?? []))
  }

  /// - Throws: `Malformed`.
  var pageRequest: (number: Int, request: APIRequest) {
    get throws {
      let (texts, body) = try parts
      guard kind == .pageRequest, texts.count >= 3, texts.count.isMultiple(of: 2) == false,
        let number = Int(texts[0])
      else { throw Malformed() }
      var query: [String: String] = [:]
      for index in stride(from: 3, to: texts.count, by: 2) { query[texts[index]] = texts[index + 1] }
      return (number, APIRequest(method: texts[1], path: texts[2], query: query, body: body))
    }
  }

  /// - Throws: `Malformed`, also for a status or a type that no answer has.
  var pageAnswer: (number: Int, answer: APIAnswer) {
    get throws {
      let (texts, body) = try parts
      guard texts.count == 3, let number = Int(texts[0]), let status = Int(texts[1]),
        (200..<600).contains(status), let type = APIAnswer.MediaType(rawValue: texts[2])
      else { throw Malformed() }
      return (number, APIAnswer(status: status, type: type, body: body))
    }
  }

  /// - Throws: `Malformed`, also for data that is no object.
  var pageEvent: (number: Int, event: APIEvent?) {
    get throws {
      let texts = try texts
      guard let number = texts.first.flatMap({ Int($0) }) else { throw Malformed() }
      guard texts.count > 1 else { return (number, nil) }
      guard texts.count == 3, APIEvent.names.contains(texts[1]),
        (try? JSON.columns(ofObject: texts[2], keepsNull: true)) != nil
      else { throw Malformed() }
      return (number, APIEvent(name: texts[1], data: texts[2]))
    }
  }
}
