/// What a screen reader gets, in Chromium.
extension Tab {
  /// The accessibility tree below an element: a line for each role and name, indented by its depth.
  package func accessibilityTree(of selector: String) async throws -> String {
    let document = try await devTools("DOM.getDocument")
    let root = (document["root"] as? [String: Any])?["nodeId"] as? Int ?? 0
    let found =
      try await devTools("DOM.querySelector", ["nodeId": root, "selector": selector])["nodeId"] as? Int ?? 0
    let described = try await devTools("DOM.describeNode", ["nodeId": found])
    let wanted = (described["node"] as? [String: Any])?["backendNodeId"] as? Int
    let nodes = try await devTools("Accessibility.getFullAXTree")["nodes"] as? [[String: Any]] ?? []
    var byID: [String: [String: Any]] = [:]
    for node in nodes { byID[node["nodeId"] as? String ?? ""] = node }
    guard let start = nodes.first(where: { $0["backendDOMNodeId"] as? Int == wanted }) else { return "" }
    var lines: [String] = []
    func text(_ node: [String: Any], _ name: String) -> String {
      (node[name] as? [String: Any])?["value"] as? String ?? ""
    }
    func visit(_ node: [String: Any], _ depth: Int) {
      let isHidden = node["ignored"] as? Bool == true
      let role = text(node, "role")
      if ["InlineTextBox", "StaticText"].contains(role) { return }
      if !isHidden, role != "none", role != "generic" {
        lines.append(
          String(repeating: "  ", count: depth) + "\(role) \"\(text(node, "name"))\"\(states(node))")
      }
      for child in node["childIds"] as? [String] ?? [] {
        if let child = byID[child] { visit(child, isHidden || role == "generic" ? depth : depth + 1) }
      }
    }
    visit(start, 0)
    return lines.joined(separator: "\n") + "\n"
  }

  /// The states that are said, such as a selected row.
  private func states(_ node: [String: Any]) -> String {
    let states = node["properties"] as? [[String: Any]] ?? []
    return states.compactMap { state in
      guard let name = state["name"] as? String,
        ["selected", "focused", "pressed", "disabled", "invalid"].contains(name),
        let value = (state["value"] as? [String: Any])?["value"]
      else { return nil }
      let text = "\(value)"
      return ["0", "false", "NO"].contains(text) ? nil : " \(name)"
    }.joined()
  }
}
