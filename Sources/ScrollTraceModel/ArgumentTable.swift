/// The arguments of all spans and marks of a trace.
///
/// Most lists of a trace have one of a few shapes: the same keys with values of the same kinds. A
/// list is stored as the number of its shape followed by its values, in as few 32-bit words as
/// possible.
package struct ArgumentTable: Sendable {
  /// The storage of a value. The raw value is part of a shape.
  private enum Kind: UInt8 {
    case null, no, yes, smallInteger, integer, smallUnsigned, unsigned, double, string

    /// The number of 32-bit words of a value.
    var wordCount: Int {
      switch self {
      case .null, .no, .yes: 0
      case .smallInteger, .smallUnsigned, .string: 1
      case .integer, .unsigned, .double: 2
      }
    }
  }

  /// All lists. The first word is unused, so that no list has the handle `none`.
  private var words: [UInt32] = [0]
  /// The keys and kinds of each shape, one word each: the key, then eight bits for the kind.
  private var shapes: [[UInt64]] = []
  private var shapeIDs: [[UInt64]: UInt32] = [:]
  /// The most recent shapes, by their first key and kind.
  private var recentShapes: [UInt32] = Array(repeating: 0, count: 64)
  /// The shape of the list being stored.
  private var draft: [UInt64] = []

  package init() {}

  private static let maximumWordCount = Int(UInt32.max) - 16

  /// The maximum number of shapes. Further shapes are spelled out in each list.
  private static let maximumShapeCount = 1 << 16

  /// A marker that replaces the number of a shape. The number of values follows, and each value is
  /// preceded by its key and kind.
  private static let spelledOut = UInt32.max

  /// Stores `arguments` and returns their handle, which is `none` for an empty list or a full
  /// table.
  ///
  /// - Parameter growth: The expected final size of the table, as a multiple of the current size.
  package mutating func append(
    _ arguments: some Collection<Argument>, growth: Double = 1
  ) -> ArgumentListID {
    guard !arguments.isEmpty, words.count <= Self.maximumWordCount - 2 - arguments.count * 4 else {
      return .none
    }
    makeRoom(2 + arguments.count * 4, growth)
    let id = ArgumentListID(rawValue: UInt32(words.count))
    if appendRecentShape(arguments) { return id }
    draft.removeAll(keepingCapacity: true)
    words.append(0)
    for argument in arguments {
      let (kind, payload) = Self.encode(argument.value)
      draft.append(Self.word(argument.key, kind))
      appendValue(kind, payload)
    }
    if let shape = draftedShape() {
      words[Int(id.rawValue)] = shape
    } else {
      words.removeSubrange(Int(id.rawValue)...)
      words.append(Self.spelledOut)
      words.append(UInt32(arguments.count))
      for argument in arguments {
        let (kind, payload) = Self.encode(argument.value)
        words.append(argument.key.rawValue)
        words.append(UInt32(kind.rawValue))
        appendValue(kind, payload)
      }
    }
    return id
  }

  /// Stores a list if it has the most recent shape with its first key and kind, as most lists do, and returns
  /// whether it has.
  private mutating func appendRecentShape(_ arguments: some Collection<Argument>) -> Bool {
    guard let first = arguments.first else { return false }
    let recent = recentShapes[Self.slot(Self.word(first.key, Self.encode(first.value).kind))]
    guard Int(recent) < shapes.count else { return false }
    let shape = shapes[Int(recent)]
    guard shape.count == arguments.count else { return false }
    return withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 1 + 2 * shape.count) { list in
      list.initializeElement(at: 0, to: recent)
      var (count, position) = (1, 0)
      for argument in arguments {
        let (kind, payload) = Self.encode(argument.value)
        guard shape[position] == Self.word(argument.key, kind) else { return false }
        list.initializeElement(at: count, to: UInt32(truncatingIfNeeded: payload))
        list.initializeElement(at: count + 1, to: UInt32(payload >> 32))
        count += kind.wordCount
        position += 1
      }
      words.append(contentsOf: UnsafeBufferPointer(rebasing: list[..<count]))
      return true
    }
  }

  /// Stores a list of one argument, as most lists are.
  package mutating func append(one argument: Argument, growth: Double = 1) -> ArgumentListID {
    let (kind, payload) = Self.encode(argument.value)
    let word = Self.word(argument.key, kind)
    let shape = recentShapes[Self.slot(word)]
    guard Int(shape) < shapes.count, shapes[Int(shape)].count == 1, shapes[Int(shape)][0] == word,
      words.count <= Self.maximumWordCount - 4
    else { return append(CollectionOfOne(argument), growth: growth) }
    makeRoom(3, growth)
    let id = ArgumentListID(rawValue: UInt32(words.count))
    words.append(shape)
    appendValue(kind, payload)
    return id
  }

  /// The arguments of the list `id`, in the order of the source.
  package subscript(id: ArgumentListID) -> [Argument] {
    var list: [Argument] = []
    forEach(in: id) { list.append($0) }
    return list
  }

  /// Calls `body` with each argument of the list `id`, in the order of the source.
  package func forEach(in id: ArgumentListID, _ body: (Argument) -> Void) {
    forEach(in: id) {
      body(Argument(key: $0, value: Self.decode($1, $2)))
      return true
    }
  }

  /// The value of the first argument with a key in the list `id`, or `nil` if there is none.
  package func value(of key: StringID, in id: ArgumentListID) -> ArgumentValue? {
    var value: ArgumentValue?
    forEach(in: id) {
      guard $0 == key else { return true }
      value = Self.decode($1, $2)
      return false
    }
    return value
  }

  // MARK: - Lists

  @inline(__always)
  private mutating func makeRoom(_ count: Int, _ growth: Double) {
    guard words.capacity - words.count < count else { return }
    // Room costs no memory until it is used, but each copy into more room does. The ratio comes from a file.
    let expected = growth.isFinite ? min(Double(words.count) * min(growth, 16) * 1.125, 0x1p27) : 0
    words.reserveCapacity(max(64, words.count * 2 + count, Int(max(expected, 0))))
  }

  /// Removes all lists before the one with the raw value `first`, and returns the number by which
  /// the raw values of the others have decreased.
  mutating func forget(before first: UInt32) -> UInt32 {
    let end = min(Int(first), words.count)
    guard end > 1 else { return 0 }
    words = [0] + words[end...]
    return UInt32(end - 1)
  }

  /// The number of the drafted shape, which is added if it is new, or `nil` if there are too many.
  private mutating func draftedShape() -> UInt32? {
    let slot = Self.slot(draft[0])
    if let known = shapeIDs[draft] {
      recentShapes[slot] = known
      return known
    }
    guard shapes.count < Self.maximumShapeCount else { return nil }
    let shape = UInt32(shapes.count)
    shapes.append(draft)
    shapeIDs[draft] = shape
    recentShapes[slot] = shape
    return shape
  }

  @inline(__always)
  private mutating func appendValue(_ kind: Kind, _ payload: UInt64) {
    if kind.wordCount > 0 { words.append(UInt32(truncatingIfNeeded: payload)) }
    if kind.wordCount > 1 { words.append(UInt32(payload >> 32)) }
  }

  /// Calls `body` with the key, kind and value of each argument of the list `id` while it returns
  /// `true`.
  ///
  /// A handle from another table may refer to any word; nothing is read after the last word.
  private func forEach(in id: ArgumentListID, _ body: (StringID, Kind, UInt64) -> Bool) {
    guard id != .none else { return }
    var position = Int(id.rawValue)
    guard let shape = word(at: &position) else { return }
    if shape == Self.spelledOut {
      let count = word(at: &position) ?? 0
      for _ in 0..<count {
        guard let key = word(at: &position), let kind = word(at: &position) else { return }
        let entry = Self.word(StringID(rawValue: key), kind)
        guard readValue(entry, at: &position, body) else { return }
      }
    } else if Int(shape) < shapes.count {
      for entry in shapes[Int(shape)] where !readValue(entry, at: &position, body) { return }
    }
  }

  /// Calls `body` with the argument whose value is at `position`, and returns its result.
  private func readValue(
    _ entry: UInt64, at position: inout Int, _ body: (StringID, Kind, UInt64) -> Bool
  ) -> Bool {
    guard let kind = Kind(rawValue: UInt8(truncatingIfNeeded: entry)) else { return false }
    var payload: UInt64 = 0
    if kind.wordCount > 0 {
      guard let low = word(at: &position) else { return false }
      payload = UInt64(low)
    }
    if kind.wordCount > 1 {
      guard let high = word(at: &position) else { return false }
      payload |= UInt64(high) << 32
    }
    return body(StringID(rawValue: UInt32(truncatingIfNeeded: entry >> 8)), kind, payload)
  }

  private func word(at position: inout Int) -> UInt32? {
    guard position < words.count else { return nil }
    defer { position += 1 }
    return words[position]
  }

  // MARK: - Values

  private static func word(_ key: StringID, _ kind: Kind) -> UInt64 {
    word(key, UInt32(kind.rawValue))
  }

  private static func word(_ key: StringID, _ kind: UInt32) -> UInt64 {
    UInt64(key.rawValue) << 8 | UInt64(kind & 0xff)
  }

  private static func slot(_ word: UInt64) -> Int {
    Int((word &* 0x9E37_79B9_7F4A_7C15) >> 58)
  }

  private static func encode(_ value: ArgumentValue) -> (kind: Kind, payload: UInt64) {
    switch value {
    case .null: (.null, 0)
    case .bool(let value): (value ? .yes : .no, 0)
    case .integer(let value):
      if let small = Int32(exactly: value) {
        (.smallInteger, UInt64(UInt32(bitPattern: small)))
      } else {
        (.integer, UInt64(bitPattern: value))
      }
    case .unsigned(let value): (value >> 32 == 0 ? .smallUnsigned : .unsigned, value)
    case .double(let value): (.double, value.bitPattern)
    case .string(let id): (.string, UInt64(id.rawValue))
    }
  }

  private static func decode(_ kind: Kind, _ payload: UInt64) -> ArgumentValue {
    switch kind {
    case .null: .null
    case .no: .bool(false)
    case .yes: .bool(true)
    case .smallInteger: .integer(Int64(Int32(truncatingIfNeeded: payload)))
    case .integer: .integer(Int64(bitPattern: payload))
    case .smallUnsigned, .unsigned: .unsigned(payload)
    case .double: .double(Double(bitPattern: payload))
    case .string: .string(StringID(rawValue: UInt32(truncatingIfNeeded: payload)))
    }
  }
}
