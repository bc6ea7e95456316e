/// The lines of the kernel's trace in a web page, which systrace writes behind the scripts of its viewer.
///
/// They are in an element, or, in the oldest pages, in a string, in which each line ends in `\n\`.
struct SystracePage {
  private enum Place { case start, noPage, before, element, string, after }

  /// The start of the first line of the trace; the viewer has none that starts so.
  private static let firstLine: StaticString = "# tracer:"
  private static let endInString: StaticString = "\\n\\"

  private var place = Place.start

  var hasEnded: Bool { place == .after }
  /// Whether the last line was one of the trace in a page.
  var isInside: Bool { place == .element || place == .string }

  /// Whether the start of a page has the first line of a trace.
  static func hasTrace(_ page: UnsafeRawBufferPointer) -> Bool {
    var offset = 0
    while case let end = LineBytes.firstIndex(of: 0x0A, in: page, from: offset), end < page.count {
      offset = end + 1
      if UnsafeRawBufferPointer(rebasing: page[offset...]).hasPrefix(firstLine) { return true }
    }
    return false
  }

  /// Returns what a line contains of the trace, or `nil` for a line of the page; of several traces, the first
  /// is read. A text without a page is the trace.
  mutating func text(of line: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    if place == .noPage { return line }
    let first = line.firstIndex { $0 > 0x20 } ?? line.count
    if place == .start, first < line.count {
      place = FileKind.isPage(line) ? .before : .noPage
      return place == .noPage ? line : nil
    }
    if place == .before, line.hasPrefix(Self.firstLine) {
      place = line.hasSuffix(Self.endInString) ? .string : .element
    }
    switch place {
    case .element where UnsafeRawBufferPointer(rebasing: line[first...]).hasPrefix("</"),
      .string where line.hasSuffix("\";"):
      place = .after
      return nil
    case .start, .element: return line
    case .string:
      let isWhole = line.hasSuffix(Self.endInString)
      return UnsafeRawBufferPointer(
        rebasing: line.dropLast(isWhole ? Self.endInString.utf8CodeUnitCount : 0))
    case .noPage, .before, .after: return nil
    }
  }
}

extension UnsafeRawBufferPointer {
  fileprivate func hasSuffix(_ text: StaticString) -> Bool {
    UnsafeRawBufferPointer(rebasing: suffix(text.utf8CodeUnitCount)).hasBytes(of: text)
  }
}
