#if canImport(UIKit) || canImport(AppKit)
  internal import Foundation

  /// A folder for an app's recordings in its caches.
  ///
  /// Caches are not backed up, and the system may delete them while the app is not running.
  public enum RecordingFolder {
    /// Returns the path of a recording in the folder, which it creates if necessary.
    ///
    /// ```swift
    /// let path = try RecordingFolder.path(of: "feed.fxt")
    /// let recorder = try TraceRecorder(writingTo: path, options: options)
    /// ```
    public static func path(of name: String) throws -> String {
      let caches = try FileManager.default.url(
        for: .cachesDirectory, in: .userDomainMask, appropriateFor: nil, create: true)
      let folder = caches.appendingPathComponent("ScrollTrace", isDirectory: true)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      return folder.appendingPathComponent(name).path
    }
  }
#endif
