import ScrollTraceModel
import ScrollTraceTestSupport

/// Writes small tables in the shape of those that other tools write.
enum FrameTableSamples {
  static let refresh = 16_666_667

  /// Each sample's file, format and content.
  static let all = [
    ("presentmon.csv", "presentmon", presentMon),
    ("mangohud.csv", "mangohud", mangoHud),
    ("list.gfxinfo.txt", "gfxinfo", gfxinfo),
  ]

  /// The path of a sample in the package.
  static func path(_ name: String) -> String {
    PackageFiles.sample("Foreign/\(name)")
  }

  /// Nanoseconds as milliseconds with four places.
  static func milliseconds(_ nanoseconds: Int) -> String {
    let tenths = nanoseconds / 100
    let rest = "\(tenths % 10_000)"
    return "\(tenths / 10_000)." + String(repeating: "0", count: 4 - rest.count) + rest
  }
}

extension Surface {
  /// All frames, in order.
  var allFrames: [Frame] { (0..<frames.count).map { frames[$0] } }
}
