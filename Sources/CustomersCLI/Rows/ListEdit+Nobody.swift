internal import CustomerStore

extension ListEdit {
  /// Whether the edit is about rows, but no row was selected.
  var isOfNobody: Bool {
    switch self {
    case .update(let ids, _), .delete(let ids, _), .move(let ids, _, _, _), .moveBy(let ids, _),
      .protect(let ids, _, _):
      ids.isEmpty
    default: false
    }
  }
}
