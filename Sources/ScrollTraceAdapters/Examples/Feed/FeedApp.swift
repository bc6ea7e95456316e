import SwiftUI

/// An app with a list in UIKit and one in SwiftUI, which records how they scroll and shares the recording.
@main
struct FeedApp: App {
  private let recording = try? Recording()

  var body: some Scene {
    WindowGroup {
      if let recording {
        TabView {
          FeedTable(recording: recording).tabItem { Text("UIKit") }
          FeedList(recording: recording).tabItem { Text("SwiftUI") }
          ShareScreen(recording: recording).tabItem { Text("Share") }
        }
        .background { WindowFinder(found: recording.start) }
      } else {
        Text("The recording cannot start.")
      }
    }
  }
}

/// A row of the lists.
struct FeedRow: Identifiable, Hashable {
  let id: UInt64
  var title: String { "Row \(id)" }

  static let all = (0..<2000).map { FeedRow(id: $0) }
}
