// swift-format-ignore-file
// What the examples of the guide leave to the app.

import UIKit

struct Article: Identifiable {
  let id: UInt64
  let title: String
}

struct Post: Hashable {
  let id: UInt64
  @MainActor func show(in cell: UICollectionViewCell) {}
}
