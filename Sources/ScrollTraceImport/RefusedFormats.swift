import ScrollTraceModel

/// Common formats without frames, or that another tool must open first: each is rejected with what
/// to export instead.
enum RefusedFormats {
  static let sniffedByteCount = 1 << 16

  /// Returns the error for a file that starts with `bytes`, or `nil` if it is none of these.
  static func error(for bytes: [UInt8]) -> ImportError? {
    if let archive = archive(bytes) { return archive }
    let text = String(decoding: bytes.prefix(sniffedByteCount), as: UTF8.self)
    let start = text.drop { $0.isWhitespace }
    let line = start.prefix { !$0.isNewline }
    if line.includes("Percentile FPS") {
      return ImportError("is a MangoHud summary: no frames", advice: "use its log")
    }
    if line.includes("Hardware monitoring log v") {
      return ImportError("is an Afterburner log", advice: "record with PresentMon")
    }
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

  /// Returns the error for a file at `path` that only its name tells apart, or `nil` for any other.
  static func error(forFile path: String) -> ImportError? {
    guard path.lowercased().hasSuffix(".etl") else { return nil }
    return ImportError("is a Windows event log (ETL)", advice: "record with PresentMon")
  }

  private static func archive(_ bytes: [UInt8]) -> ImportError? {
    if bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) || bytes.starts(with: [0x50, 0x4B, 0x05, 0x06])
    {
      return ImportError(
        "is a zip archive", advice: "unpack it and name the trace inside")
    }
    if bytes.starts(with: [0xFD, 0x37, 0x7A, 0x58, 0x5A]) {
      return ImportError("is compressed with xz", advice: "decompress it first: xz -d FILE")
    }
    if bytes.starts(with: [0x5E, 0x97, 0xCA, 0xFD]) {
      return ImportError("is a Sysprof capture", advice: "record in the app (scrolltrace.h)")
    }
    if bytes.starts(with: "SLOW".utf8) && bytes.dropFirst(5).first == 0
      || bytes.starts(with: "*version\n".utf8)
    {
      return ImportError("is a method trace of ART: no frames", advice: "record with Perfetto")
    }
    if bytes.starts(with: "PERFILE2".utf8) {
      return ImportError("is a perf recording: no frames", advice: "record frames too")
    }
    // Space that was reserved for a recording and never filled.
    if bytes.count >= 512, bytes.allSatisfy({ $0 == 0 }) {
      return ImportError("has zero bytes only, no data", advice: "copy or record it again")
    }
    if bytes.starts(with: Array("TRACE:\n\u{78}".utf8)) {
      return ImportError(
        "is compressed by atrace -z", advice: "record without -z")
    }
    return nil
  }

  private static func page(_ text: Substring) -> ImportError? {
    let lower = text.lowercased()
    guard lower.includes("<html") || lower.hasPrefix("<!doctype html") else { return nil }
    let words = ["systrace", "trace-viewer", "trace-data", "catapult", "android system trace"]
    return words.contains { lower.includes($0) }
      ? ImportError("is a systrace web page", advice: "record with Perfetto instead") : nil
  }

  private static func profile(_ text: Substring) -> ImportError? {
    let isFirefox =
      text.includes("\"meta\"")
      && (text.includes("\"preprocessedProfileVersion\"") || text.includes("\"geckoProfile")
        || text.includes("\"processType\"") && text.includes("\"stackwalk\""))
    if isFirefox {
      return ImportError(
        "is a Firefox profile: no frames", advice: "record in Chrome")
    }
    if text.includes("\"lighthouseVersion\"") {
      return ImportError("is a Lighthouse report: no frames", advice: "record in DevTools")
    }
    if text.includes("\"nodes\"") && text.includes("\"callFrame\"") {
      return ImportError("is a V8 CPU profile: no frames", advice: "record frames too")
    }
    if text.includes("speedscope.app/file-format-schema") {
      return ImportError("is a speedscope profile: no frames", advice: "record frames too")
    }
    if text.includes("\"CaptureData\"") && text.includes("\"Runs\"") {
      return ImportError("is a CapFrameX recording", advice: "export it as CSV")
    }
    let isSafari =
      text.includes("\"recording\"") && text.includes("\"instrumentTypes\"")
      || text.includes("\"timeline-record-type-")
    if isSafari {
      return ImportError(
        "is a Safari timeline: no frames", advice: "use Instruments")
    }
    return nil
  }
}

/// Files that are not traces, recognized by their first bytes so that an error can name them.
enum FileKind {
  private struct Signature {
    let offset: Int
    let bytes: [UInt8]
    let name: String

    init(_ bytes: [UInt8], at offset: Int = 0, _ name: String) {
      (self.offset, self.bytes, self.name) = (offset, bytes, name)
    }

    init(_ text: String, at offset: Int = 0, _ name: String) {
      self.init(Array(text.utf8), at: offset, name)
    }
  }

  /// A signature before others that it contains.
  private static let signatures = [
    Signature([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], "a PNG image"),
    Signature([0xFF, 0xD8, 0xFF], "a JPEG image"),
    Signature("GIF8", "a GIF image"),
    Signature("WEBP", at: 8, "a WebP image"),
    Signature([0x49, 0x49, 0x2A, 0x00], "a TIFF image"),
    Signature([0x4D, 0x4D, 0x00, 0x2A], "a TIFF image"),
    Signature("ftypheic", at: 4, "a HEIC image"),
    Signature("ftypavif", at: 4, "an AVIF image"),
    Signature("ftyp", at: 4, "a video"),
    Signature("AVI ", at: 8, "a video"),
    Signature([0x1A, 0x45, 0xDF, 0xA3], "a video"),
    Signature("FLV\u{1}", "a video"),
    Signature("OggS", "a sound or video file"),
    Signature("WAVE", at: 8, "a sound file"),
    Signature("%PDF-", "a PDF document"),
    Signature("ustar", at: 257, "a tar archive"),
    Signature([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], "a 7z archive"),
    Signature("Rar!\u{1A}\u{7}", "a RAR archive"),
    Signature("xar!", "a xar archive"),
    Signature("BZh", "a bzip2 archive"),
    Signature("!<arch>\n", "a static library"),
    Signature([0x7F, 0x45, 0x4C, 0x46], "a program or library (ELF)"),
    Signature([0xFE, 0xED, 0xFA, 0xCE], "a program or library (Mach-O)"),
    Signature([0xFE, 0xED, 0xFA, 0xCF], "a program or library (Mach-O)"),
    Signature([0xCE, 0xFA, 0xED, 0xFE], "a program or library (Mach-O)"),
    Signature([0xCF, 0xFA, 0xED, 0xFE], "a program or library (Mach-O)"),
    Signature([0xCA, 0xFE, 0xBA, 0xBE], "a program or library (Mach-O or Java)"),
    Signature([0x4D, 0x5A, 0x90, 0x00], "a program or library (Windows)"),
    Signature([0x00, 0x61, 0x73, 0x6D], "a program (WebAssembly)"),
    Signature("SQLite format 3\0", "a SQLite database"),
    Signature("bplist00", "a binary property list"), Signature("#!", "a script"),
  ]

  /// Returns the kind of a file that starts with `bytes`, with an article, or `nil` if it is unknown.
  static func name(of bytes: [UInt8]) -> String? {
    let signature = signatures.first { bytes.dropFirst($0.offset).starts(with: $0.bytes) }
    if let signature { return signature.name }
    return isPage(bytes) ? "a web page (HTML)" : nil
  }

  static func isPage(_ bytes: some Collection<UInt8>) -> Bool {
    let start = bytes.drop { $0 <= 0x20 }.prefix(15)
    let text = String(decoding: start, as: UTF8.self).lowercased()
    return text.hasPrefix("<!doctype html") || text.hasPrefix("<html")
  }
}
