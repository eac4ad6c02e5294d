internal import Foundation
internal import Synchronization

/// The script of axe-core, the checker of accessibility, if `$CUSTOMERS_AXE` names it.
private let axe = ProcessInfo.processInfo.environment["CUSTOMERS_AXE"].flatMap {
  try? String(contentsOfFile: $0, encoding: .utf8)
}

/// What was looked at, by its shape: a test of gestures ends with a page like that of many others.
private let looked = Mutex<Set<String>>([])

/// What is shown, without the texts, as JavaScript.
private let shape = """
  [...new Set([...document.querySelectorAll('*')].filter((e) => e.checkVisibility()).map((e) =>
    [e.tagName, e.id, e.className, e.role, e.disabled, e.getAttribute('aria-expanded')].join()))].sort().join(' ')
  """

/// The rules of axe-core that a page keeps, and those for which the colors matter.
private let (all, ofColors) = (
  "['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']",
  "{type: 'rule', values: ['color-contrast', 'link-in-text-block']}"
)

extension Tab {
  /// What axe-core finds wrong with the page as it is now: the rule and the element.
  ///
  /// Chromium shows the page in dark colors, then in light ones; Firefox as it is, because it takes no colors.
  /// Without axe-core, it is nothing. What moves is at its end, because it would keep the colors that it began with.
  package func inaccessible() async throws -> [String] {
    guard let axe, try await looked.insert(value(shape)) else { return [] }
    _ = try await value("(() => { if (!self.axe) { \(axe) }; return 1 })()", as: Int.self)
    var found: [String] = []
    for (scheme, rules) in SharedBrowser.isFirefox ? [("light", all)] : [("dark", all), ("light", ofColors)] {
      if !SharedBrowser.isFirefox {
        try await devTools(
          "Emulation.setEmulatedMedia", ["features": [["name": "prefers-color-scheme", "value": scheme]]])
      }
      found += try await value(
        """
        (document.getAnimations().forEach((animation) => animation.finish()), axe.run(document, {
          runOnly: \(rules), rules: {'target-size': {enabled: true}}, resultTypes: ['violations'],
          selectors: false,
        }).then((found) => found.violations.flatMap((rule) =>
          rule.nodes.map((node) => `\(scheme): ${rule.id}: ${node.html.slice(0, 200)} ${node.failureSummary}`))))
        """)
    }
    return found
  }
}

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

extension Mutex<Set<String>> {
  /// Inserts a text, and says whether it was not there.
  fileprivate func insert(_ text: String) -> Bool { withLock { $0.insert(text).inserted } }
}
