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
