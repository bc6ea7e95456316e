/// The main-thread work of a category, or of one name in it.
package struct WorkName: Hashable, Sendable {
  /// The category.
  package let category: String
  /// The name, or `nil` for all of the category.
  package let name: String?

  /// Creates a name for the work called `name` of `category`, or for all of it.
  package init(category: String, name: String? = nil) {
    self.category = category
    self.name = name
  }
}
