internal import CustomerStore
internal import CustomersText

extension ListAPI {
  /// Looks at the list again and again, and reports what any program changes, and what keeps it from being read.
  ///
  /// One who follows is enough for all streams: whoever owns them passes the events on.
  package func follow(_ report: @Sendable (APIEvent) async -> Void) async {
    var look = NewsLook(list, made)
    var isKnown = false
    var trouble: String?
    while !Task.isCancelled {
      let result: NewsLook.Result
      if look.isSlow {
        // Swift's shared threads are few; none of them waits for a cluster.
        (look, result) = await LongWork.onOwnThread { [look] in
          var next = look
          let result = next.look()
          return (next, result)
        }
      } else {
        result = look.look()
      }
      switch result {
      case .nothing: break
      case .trouble(let message):
        if trouble != message { await report(.trouble(message)) }
        trouble = message
      case .start(let version):
        await report(isKnown ? .reload(version) : .hello(version, program, isReadOnly: isReadOnly))
        isKnown = true
      case .edit(let version, let steps): await report(.edit(version, steps))
      case .well: break
      }
      if trouble != nil, result.isWell {
        trouble = nil
        await report(.well)
      }
      try? await Task.sleep(for: look.pause)
    }
  }
}

extension NewsLook.Result {
  /// Whether the list could be read.
  fileprivate var isWell: Bool {
    switch self {
    case .nothing, .trouble: false
    case .start, .edit, .well: true
    }
  }
}
