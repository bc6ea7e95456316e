import ScrollTraceLayout
package import ScrollTraceRecorder

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
