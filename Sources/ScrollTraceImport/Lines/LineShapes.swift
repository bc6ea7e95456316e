/// How the lines before were put together: hosts print most lines by one and the same statement, so
/// that only the values differ.
///
/// A line that has the bytes of such a line between its values has its grammar and its keys too, and
/// needs only its values read.
struct LineShapes: ~Copyable {
  /// The bytes before a value, and what the value is.
  struct Segment {
    /// What stands behind the bytes.
    enum Content {
      case value(LineKey)
      /// The value of a key that is not ours; the key's place counts from the first of the bytes.
      case extra(start: Int, count: Int)
      /// The line's end.
      case end
    }

    /// Where the bytes begin, and how many there are.
    var start: Int
    var count: Int
    var content: Content
  }

  /// The most shapes that are kept; a host whose keys come in any order has too many.
  private static let maximumCount = 16

  /// The bytes of all segments, each filled up to whole words.
  private var bytes: [UInt8] = []
  private var segments: [Segment] = []
  private var shapes: [Range<Int>] = []
  private var last = 0

  /// Whether another shape would be kept.
  var hasRoom: Bool { shapes.count < Self.maximumCount }

  /// Keeps the shape of a line, whose segments are given by where they begin in it.
  mutating func add(_ shape: [Segment], of line: UnsafeRawBufferPointer) {
    guard hasRoom else { return }
    let first = segments.count
    for var segment in shape {
      let start = bytes.count
      bytes += line[segment.start..<(segment.start + segment.count)]
      while bytes.count % 8 != 0 { bytes.append(0) }
      segment.start = start
      segments.append(segment)
    }
    last = shapes.count
    shapes.append(first..<segments.count)
  }

  /// Reads a line that has one of the shapes; where it has none, `row` is as good as reset.
  mutating func read(_ line: UnsafeRawBufferPointer, into row: inout LineRow) -> Bool {
    guard !shapes.isEmpty else { return false }
    var index = last
    repeat {
      if read(line, as: shapes[index], into: &row) {
        last = index
        return true
      }
      row.reset(line)
      index = index + 1 == shapes.count ? 0 : index + 1
    } while index != last
    return false
  }

  private func read(
    _ line: UnsafeRawBufferPointer, as shape: Range<Int>, into row: inout LineRow
  ) -> Bool {
    bytes.withUnsafeBytes { bytes in
      segments.withUnsafeBufferPointer { segments in
        var place = 0
        for segment in segments[shape] {
          let start = place
          guard line.has(bytes, segment.start, segment.count, at: place) else { return false }
          place += segment.count
          switch segment.content {
          case .value(let key):
            // What was null in the first line of this shape may have been there twice.
            guard !row.has(key), let value = JSONLineValue.quick(line, &place, &row) else {
              return false
            }
            if value.kind != .null { row.set(key, value) }
          case .extra(let offset, let count):
            guard let value = JSONLineValue.quick(line, &place, &row) else { return false }
            let name = LineRow.Value(start: start + offset, count: count, kind: .text)
            row.extras.append(LineRow.Extra(key: name, value: value))
          case .end: return place == line.count
          }
        }
        return false
      }
    }
  }
}

extension UnsafeRawBufferPointer {
  /// Whether the bytes from `place` on are the `count` ones from `start` on in `bytes`, which are
  /// filled up to whole words.
  @inline(__always)
  fileprivate func has(
    _ bytes: UnsafeRawBufferPointer, _ start: Int, _ count: Int, at place: Int
  ) -> Bool {
    guard self.count &- place >= count else { return false }
    var done = 0
    while done < count {
      let rest = count &- done
      if self.count &- place &- done >= 8 {
        let difference =
          loadUnaligned(fromByteOffset: place &+ done, as: UInt64.self)
          ^ bytes.loadUnaligned(fromByteOffset: start &+ done, as: UInt64.self)
        let unused = rest < 8 ? UInt64(truncatingIfNeeded: 64 &- rest &* 8) : 0
        guard UInt64(littleEndian: difference) &<< unused == 0 else { return false }
      } else {
        for index in 0..<Swift.min(rest, 8) {
          guard self[place &+ done &+ index] == bytes[start &+ done &+ index] else { return false }
        }
      }
      done &+= 8
    }
    return true
  }
}
