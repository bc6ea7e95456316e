import Foundation
import ScrollTraceAdapters
import ScrollTraceRecorder
import UIKit

/// The recording of this launch, which replaces that of the last one.
@MainActor
final class Recording {
  let recorder: TraceRecorder
  /// The file, which is readable at any time.
  let file: URL
  /// How the two lists move.
  let table: ScrollRecorder
  let list: ScrollRecorder
  private var frames: FrameRecorder?

  init() throws {
    var options = RecorderOptions()
    options.replacesExistingFile = true
    options.stackSampling = StackSampling()
    let path = try RecordingFolder.path(of: "feed.fxt")
    recorder = try TraceRecorder(writingTo: path, options: options)
    file = URL(fileURLWithPath: path)
    table = ScrollRecorder(recorder)
    list = ScrollRecorder(recorder)
  }

  /// Starts recording the frames of a window.
  func start(in window: UIWindow) {
    guard frames == nil else { return }
    let frames = FrameRecorder(recorder, in: window)
    frames.follow(table)
    frames.follow(list)
    self.frames = frames
  }

  func finish() {
    frames?.stop()
    do { try recorder.finish() } catch { print(error) }
  }
}
