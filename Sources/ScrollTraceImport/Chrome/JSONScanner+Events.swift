import ScrollTraceModel

extension JSONScanner {
  /// Passes the array of events that starts here, and hands each one to `collector`.
  ///
  /// - Parameters:
  ///   - isWholeText: Whether the array is all there is, so that it may end without its bracket.
  ///   - count: How many events there are so far.
  mutating func passEvents(
    isWholeText: Bool = false, countingIn count: inout Int,
    into collector: inout ChromeEventCollector, _ builder: inout TraceBuilder
  ) throws(ScanFault) {
    outerDepth += 1
    position += 1
    guard try peek() != UInt8(ascii: "]") else {
      position += 1
      outerDepth -= 1
      return
    }
    while true {
      if try peek() == UInt8(ascii: "{") {
        let event = try passEvent()
        builder.offset = offset - UInt64(position - anchor)
        collector.add(event, in: anchored, to: &builder)
        count += 1
        anchor = -1
      } else if isWholeText, count > 0, isAtEnd {
        return Self.noteMissingBracket(in: &builder)
      } else {
        // Something that is no event, such as a null: valid, and nothing.
        _ = try passValue()
        builder.offset = offset
        builder.countLoss(.unknownRecord)
      }
      switch try peek() {
      case UInt8(ascii: ","): position += 1
      case UInt8(ascii: "]"):
        position += 1
        outerDepth -= 1
        return
      case 0 where isWholeText && isAtEnd: return Self.noteMissingBracket(in: &builder)
      default: throw fault("',' or ']' was expected")
      }
    }
  }

  /// The array form may end without its bracket, so that a killed writer leaves a valid file.
  private static func noteMissingBracket(in builder: inout TraceBuilder) {
    builder.source.wasClosed = false
    builder.addNotice(.notClosed)
  }
}
