/// A row of the list as it is to be seen; places are thousandths of a point.
struct LiveRow: Sendable {
  /// The number of the item, which decides what its picture looks like.
  var item: UInt64
  /// What the item is called; from anywhere, so escaped when it is drawn.
  var title: String
  /// A line below the title; from anywhere, too.
  var detail: String
  /// Where the row begins below the top of the viewport; negative above it.
  var top: Int64
  /// How high the row is.
  var height: Int64
  /// Which of `columns` it stands in, from 0.
  var column = 0
  /// How many rows stand beside each other.
  var columns = 1
  /// Whether the item is a photo; others have a small picture beside their text.
  var isPhoto = true
  /// How far the picture is.
  var content = LiveContent.final
  /// Whether it shows the picture of another item.
  var isWrong = false
  /// Whether somebody holds it to put it elsewhere.
  var isHeld = false
}
