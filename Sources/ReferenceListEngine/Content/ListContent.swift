internal import ScrollTraceLayout
package import ScrollTraceRecorder

/// The items of the list, in their order.
package struct ListContent: Sendable {
  package internal(set) var items: [ListItem]
  private var random: SeededGenerator
  private var newest: UInt64
  private let percentOfPhotos: UInt64

  /// A feed of `count` items, made of `seed`: every other item or so is a photo, or as many of a
  /// hundred as are asked for.
  ///
  /// The newest item comes first and has the greatest number, so an item's number is never its
  /// position.
  package init(feedOf count: Int, seed: UInt64, percentOfPhotos: Int = 50) {
    let count = max(1, count)
    self.percentOfPhotos = UInt64(min(max(0, percentOfPhotos), 100))
    random = SeededGenerator(seed: seed)
    newest = 10_000 + UInt64(count)
    items = []
    items.reserveCapacity(count)
    for position in 0..<count { items.append(makeItem(10_000 + UInt64(count - position))) }
  }

  mutating func insert(_ count: Int, at position: Int) {
    let index = min(max(0, position), items.count)
    var new: [ListItem] = []
    for _ in 0..<max(0, count) {
      newest += 1
      new.append(makeItem(newest))
    }
    // The newest comes first.
    items.insert(contentsOf: new.reversed(), at: index)
  }

  /// Takes items from `position` on away, and gives them; one always stays.
  mutating func remove(_ count: Int, at position: Int) -> [ListItem] {
    let index = min(max(0, position), items.count - 1)
    let removed = Array(items[index...].prefix(min(max(0, count), items.count - 1)))
    items.removeSubrange(index..<(index + removed.count))
    return removed
  }

  /// Puts the item at `from` at `to`, where there are such positions.
  mutating func move(from: Int, to: Int) {
    guard items.indices.contains(from), items.indices.contains(to) else { return }
    items.insert(items.remove(at: from), at: to)
  }

  private mutating func makeItem(_ id: UInt64) -> ListItem {
    let kind: ItemKind = random.next(below: 100) < percentOfPhotos ? .photo : .text
    let bytes =
      kind == .photo ? 60_000 + random.next(below: 180_000) : 300 + random.next(below: 900)
    return ListItem(id: ItemID(id), kind: kind, bytes: Int64(bytes))
  }
}

package struct ListItem: Equatable, Sendable {
  package let id: ItemID
  package let kind: ItemKind
  /// The size of its data as it is loaded, in bytes.
  package let bytes: Int64

  /// The pixels of its image at its full size: a fifth of a byte each in the file.
  package var pixels: Int64 { kind == .photo ? bytes * 5 : 0 }

  /// The height of a self-sizing cell for it, which is close to that of its kind and always the
  /// same.
  package var ownHeight: Millipoints {
    var random = SeededGenerator(seed: id.number &* 0x51ED)
    return kind.height / 100 * (60 + Int64(random.next(below: 81)))
  }
}

/// What an item consists of; each kind has cells of its own.
package enum ItemKind: Int, CaseIterable, Sendable {
  /// A few lines of text.
  case text
  /// A photo with a caption.
  case photo

  package var height: Millipoints {
    switch self {
    case .text: 96_000
    case .photo: 280_000
    }
  }
}

package struct ImageSize: Equatable, Sendable {
  /// The width and the height in points.
  package var width: Int64
  package var height: Int64
  /// Pixels per point.
  package var scale: Int64

  package init(width: Int64, height: Int64, scale: Int64) {
    (self.width, self.height, self.scale) = (width, height, scale)
  }

  /// Returns the pixels of a thumbnail of this size: never more than the image has.
  func thumbnailPixels(of item: ListItem) -> Int64 {
    min(item.pixels, max(1, width * height * scale * scale))
  }
}

/// A position or length in thousandths of a point, because integers are equal on every machine.
package typealias Millipoints = Int64
