import ScrollTraceAdapters
import ScrollTraceRecorder
import SwiftUI
import UIKit

struct FeedList: View {
  let recording: Recording

  var body: some View {
    List(FeedRow.all) { row in
      RecordedRow(recording.recorder, item: ItemID(row.id)) { Text(row.title) }
    }
    .recordsScrolling(recording.list)
  }
}

/// Finds the window that SwiftUI's views are in.
struct WindowFinder: UIViewRepresentable {
  let found: @MainActor (UIWindow) -> Void

  func makeUIView(context: Context) -> WindowFinderView {
    let view = WindowFinderView(frame: .zero)
    view.found = found
    return view
  }

  func updateUIView(_ view: WindowFinderView, context: Context) {}
}

final class WindowFinderView: UIView {
  var found: (@MainActor (UIWindow) -> Void)?

  override func didMoveToWindow() {
    super.didMoveToWindow()
    if let window { found?(window) }
  }
}
