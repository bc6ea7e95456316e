/// Looks for the root element of an export behind what may come before it.
struct XctraceSniffer {
  private let bytes: [UInt8]
  private var place = 0

  /// A look at UTF-8.
  init(_ prefix: Slice<UnsafeRawBufferPointer>) {
    // The root element comes early; a comment before it may be long, not endless.
    bytes = Array(prefix.prefix(1 << 16))
  }

  /// A look at one byte of each unit of UTF-16, so that the encoding can be refused by name.
  init(everySecondOf prefix: Slice<UnsafeRawBufferPointer>) {
    bytes = prefix.prefix(1 << 16).enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
  }

  /// Whether this is an export.
  var answer: Sniff {
    var copy = self
    return copy.look()
  }

  private mutating func look() -> Sniff {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { place = 3 }
    while true {
      while place < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[place]) { place += 1 }
      guard place < bytes.count else { return undecided }
      if starts(with: "<?") {
        guard pass(until: "?>") else { return undecided }
      } else if starts(with: "<!--") {
        guard pass(until: "-->") else { return undecided }
      } else {
        return root()
      }
    }
  }

  private var undecided: Sniff { bytes.count < 1 << 16 ? .needMoreBytes : .no }

  private func root() -> Sniff {
    let openings: [StaticString] = [
      "<trace-query-result", "<trace-toc", "<!DOCTYPE trace-query-result", "<!DOCTYPE trace-toc",
    ]
    if openings.contains(where: starts) { return .yes }
    let rest = bytes[place...]
    let mayStart = openings.contains { opening in
      rest.count < opening.utf8CodeUnitCount
        && UnsafeBufferPointer(start: opening.utf8Start, count: rest.count).elementsEqual(rest)
    }
    return mayStart ? .needMoreBytes : .no
  }

  private func starts(with text: StaticString) -> Bool {
    bytes[place...].prefix(text.utf8CodeUnitCount).matches(text)
  }

  /// Passes all bytes up to and with `mark`; `false` where there is none.
  private mutating func pass(until mark: StaticString) -> Bool {
    while place < bytes.count, !starts(with: mark) { place += 1 }
    guard place < bytes.count else { return false }
    place += mark.utf8CodeUnitCount
    return true
  }
}
