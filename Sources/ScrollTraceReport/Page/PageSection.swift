/// A part of a page under a heading.
struct PageSection {
  /// The heading; empty for the part that the page begins with.
  let title: String
  /// What stands there.
  let blocks: [PageBlock]
  /// Whether it can be folded away, and left out where there is no room.
  var isDetail = false
}
