import ScrollTraceModel

/// Common formats without frames, or that another tool must open first: each is rejected with what
/// to export instead.
enum RefusedFormats {
  /// The number of bytes that are inspected.
  static let sniffedByteCount = 1 << 16

  /// Returns the error for a file that starts with `bytes`, or `nil` if it is none of these.
  static func error(for bytes: [UInt8]) -> ImportError? {
    if let archive = archive(bytes) { return archive }
    let text = String(decoding: bytes.prefix(sniffedByteCount), as: UTF8.self)
    let start = text.drop { $0.isWhitespace }
    if start.hasPrefix("<") { return page(start) ?? named(bytes) }
    return start.hasPrefix("{") ? profile(start) : named(bytes)
  }

  private static func named(_ bytes: [UInt8]) -> ImportError? {
    FileKind.name(of: bytes).map {
      ImportError("This is \($0), not a trace. Run `scrolltrace formats`.")
    }
  }

  /// Returns the error for a directory at `path`, by its name, or `nil` for any other.
  static func error(forFolder path: String) -> ImportError? {
    let name = path.hasSuffix("/") ? String(path.dropLast()) : path
    guard name.hasSuffix(".trace") else { return nil }
    return ImportError(
      "is an Instruments recording, which only Xcode can open",
      advice:
        "export its hitches on a Mac: xcrun xctrace export --input FILE.trace --output run.xml"
        + " --xpath '/trace-toc/run[@number=\"1\"]/data/table[@schema=\"hitches\"]'")
  }

  private static func archive(_ bytes: [UInt8]) -> ImportError? {
    if bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) || bytes.starts(with: [0x50, 0x4B, 0x05, 0x06])
    {
      return ImportError(
        "is a zip archive", advice: "unpack it with unzip and name the trace inside")
    }
    if bytes.starts(with: [0xFD, 0x37, 0x7A, 0x58, 0x5A]) {
      return ImportError("is compressed with xz", advice: "decompress it first: xz -d FILE")
    }
    if bytes.starts(with: Array("TRACE:\n\u{78}".utf8)) {
      return ImportError(
        "is a trace that atrace -z compressed", advice: "record it without the option -z")
    }
    return nil
  }

  private static func page(_ text: Substring) -> ImportError? {
    let lower = text.lowercased()
    guard lower.includes("<html") || lower.hasPrefix("<!doctype html") else { return nil }
    if lower.includes("systrace") || lower.includes("trace-viewer") || lower.includes("trace-data")
      || lower.includes("catapult")
    {
      return ImportError(
        "is a systrace web page, which embeds the trace as text",
        advice: "record with Perfetto instead (record_android_trace -o FILE.pftrace)")
    }
    return nil
  }

  private static func profile(_ text: Substring) -> ImportError? {
    let isFirefox =
      text.includes("\"meta\"")
      && (text.includes("\"preprocessedProfileVersion\"") || text.includes("\"geckoProfile")
        || text.includes("\"processType\"") && text.includes("\"stackwalk\""))
    if isFirefox {
      return ImportError(
        "is a Firefox profile, which has samples but no frames",
        advice: "record the page in Chrome's Performance panel and save that profile")
    }
    let isSafari =
      text.includes("\"recording\"") && text.includes("\"instrumentTypes\"")
      || text.includes("\"timeline-record-type-")
    if isSafari {
      return ImportError(
        "is a Safari timeline, which has no presented frames",
        advice: "record Safari with Instruments (Animation Hitches) and export that with xctrace")
    }
    return nil
  }
}
