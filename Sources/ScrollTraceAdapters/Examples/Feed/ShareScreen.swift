import Foundation
import SwiftUI
import UIKit

/// Ends the recording and sends it to a Mac, for example by AirDrop.
struct ShareScreen: View {
  let recording: Recording
  @State private var isShared = false

  var body: some View {
    Button("Finish and share") {
      recording.finish()
      isShared = true
    }
    .sheet(isPresented: $isShared) { ShareSheet(file: recording.file) }
  }
}

struct ShareSheet: UIViewControllerRepresentable {
  let file: URL

  func makeUIViewController(context: Context) -> UIActivityViewController {
    UIActivityViewController(activityItems: [file], applicationActivities: nil)
  }

  func updateUIViewController(_ controller: UIActivityViewController, context: Context) {}
}
