package import ScrollTraceAnalysis

extension Messages {
  /// The columns of a list of categories from which on it is cut.
  private static let longestList = 20

  /// A category without the prefix that the reserved ones share.
  package static func label(ofCategory category: String) -> String {
    let prefix = "scrolltrace."
    return category.hasPrefix(prefix) ? String(category.dropFirst(prefix.count)) : category
  }

  /// The same where there is little room: of a list of categories only the first ones.
  static func shortLabel(ofCategory category: String, ellipsis: String) -> String {
    let label = label(ofCategory: category)
    guard label.utf8.count > longestList else { return label }
    let front = label.prefix(longestList)
    guard let comma = front.lastIndex(of: ",") ?? label.firstIndex(of: ",") else { return label }
    return label[..<comma] + "," + ellipsis
  }

  /// On what items work was, for the end of its name: ` (149)`, ` (12 items, most 149)`.
  package static func items(
    of group: Attribution.Group, name: (String) -> String = { $0 }
  ) -> String {
    guard let item = group.largestItem else { return "" }
    return group.itemCount > 1
      ? " (\(group.itemCount) items, most \(name(item)))" : " (\(name(item)))"
  }
}
