/// The main-thread work of a category, or of one name in it.
package struct WorkName: Hashable, Sendable {
  package let category: String
  /// The name, or `nil` for all of the category.
  package let name: String?

  package init(category: String, name: String? = nil) {
    self.category = category
    self.name = name
  }
}
