package struct ImageSize: Equatable, Sendable {
  /// The width and the height in points.
  package var width: Int64
  package var height: Int64
  /// Pixels per point.
  package var scale: Int64

  package init(width: Int64, height: Int64, scale: Int64) {
    (self.width, self.height, self.scale) = (width, height, scale)
  }

  /// The number of pixels.
  package var pixels: Int64 { width * height * scale * scale }

  /// Returns the pixels of a thumbnail of this size: never more than the image has.
  func thumbnailPixels(of item: ListItem) -> Int64 { min(item.pixels, max(1, pixels)) }
}
