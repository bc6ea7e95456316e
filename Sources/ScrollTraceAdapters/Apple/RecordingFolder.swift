#if canImport(UIKit) || canImport(AppKit)
  internal import Foundation

  /// Where an app keeps its recordings: a folder among its caches, readable while the device is locked.
  ///
  /// A mapped file that is protected completely loses its pages when the device is locked, and the app
  /// dies with its next event. Files in this folder are protected until the device is unlocked for the
  /// first time, and stay mapped. Caches are in no backup; the system may remove them while the app
  /// does not run.
  public enum RecordingFolder {
    /// The path of a recording called `name`, in a folder that exists then.
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
      #if !os(macOS)
        // A file gets the protection of the folder it is made in.
        try FileManager.default.setAttributes(
          [.protectionKey: FileProtectionType.completeUntilFirstUserAuthentication],
          ofItemAtPath: folder.path)
      #endif
      return folder.appendingPathComponent(name).path
    }
  }
#endif
