package import CustomerStore

/// What a screen says of an edit, in one line.
extension TextPresenter {
  /// What is said of rows whose protection an edit left as they are; nil if there are none.
  package var sameRights: String? {
    unchanged(
      \.hasOtherRights, { ", row \($0), already has this setting" }, "already have this setting")
  }

  /// What an edit changed or, if it changed nothing, why.
  package func notice(of edit: ListEdit) -> String {
    let unchanged: String? =
      switch edit {
      case .move, .moveBy: unmoved
      case .protect: sameRights
      default: nil
      }
    return sentence ?? unchanged ?? "Nothing was changed."
  }
}
