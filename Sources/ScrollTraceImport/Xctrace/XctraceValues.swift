/// The values of one table by their numbers, with the texts that are kept of them.
struct XctraceValues {
  /// How far the number of a value may be ahead of the ones before it to be kept in the list.
  private static let slack = 16

  private var names: [[UInt8]] = []
  private var matters: [Bool] = []
  private var wantsText: [Bool] = []
  private var known: [XctraceValue?] = []
  private var far: [UInt64: XctraceValue] = [:]
  private var texts: [UInt8] = []

  /// The tags that are nested in others.
  let process: Int
  let pid: Int
  let thread: Int
  let tid: Int

  init() {
    (process, pid, thread, tid) = (0, 1, 2, 3)
    names = ["process", "pid", "thread", "tid"].map { Array($0.utf8) }
    matters = [true, true, true, true]
    wantsText = [true, false, true, false]
  }

  // MARK: - Names of elements

  /// Forgets everything for the next table.
  mutating func startTable() {
    names.removeSubrange(4...)
    matters.removeSubrange(4...)
    wantsText.removeSubrange(4...)
    known.removeAll(keepingCapacity: true)
    far.removeAll()
    texts.removeAll(keepingCapacity: true)
  }

  /// The tag of a column's values, which are kept where the column is read.
  mutating func tag(ofColumnType name: [UInt8], meaning: XctraceColumn?) -> Int {
    let tag = name.withUnsafeBytes { self.tag($0) }
    let index = tag ?? names.count
    if tag == nil {
      names.append(name)
      matters.append(false)
      wantsText.append(false)
    }
    if let meaning {
      matters[index] = true
      if meaning.isText { wantsText[index] = true }
    }
    return index
  }

  /// The tag of the elements called `name`; `nil` where no column is of that type.
  func tag(_ name: UnsafeRawBufferPointer) -> Int? {
    names.indices.first { isNamed(name, $0) }
  }

  /// Whether elements called `name` have the tag `tag`.
  @inline(__always)
  func isNamed(_ name: UnsafeRawBufferPointer, _ tag: Int) -> Bool {
    names[tag].withUnsafeBytes { $0.hasSameBytes(as: name) }
  }

  /// Whether values of `tag` are kept.
  func keeps(_ tag: Int) -> Bool { matters[tag] }

  // MARK: - Values

  /// The value of the number `id`, if it has the tag `tag`.
  func value(_ id: UInt64, tag: Int) -> XctraceValue? {
    let value = id < UInt64(known.count) ? known[Int(id)] : far[id]
    guard let value, Int(value.tag) == tag else { return nil }
    return value
  }

  /// Keeps a value; `false` where there is another of the same number.
  mutating func keep(_ value: XctraceValue, as id: UInt64) -> Bool {
    if id < UInt64(known.count) {
      let isNew = known[Int(id)] == nil && (far.isEmpty || far[id] == nil)
      if isNew { known[Int(id)] = value }
      return isNew
    }
    // Numbers count up; a list that follows them must not grow with one that jumps.
    guard id <= UInt64(known.count + Self.slack) else {
      return far.updateValue(value, forKey: id) == nil
    }
    guard far.isEmpty || far[id] == nil else { return false }
    while UInt64(known.count) < id { known.append(far[UInt64(known.count)]) }
    known.append(value)
    return true
  }

  // MARK: - Texts

  /// Keeps the text that is made for people, which stands for a value without an own one.
  mutating func keepFormatted(_ text: UnsafeRawBufferPointer?, of value: inout XctraceValue) {
    guard let text, value.tag >= 0, wantsText[Int(value.tag)] else { return }
    value.text = texts.count..<(texts.count + text.count)
    texts.append(contentsOf: text)
  }

  /// Keeps a piece of a value's own text.
  mutating func keepText(_ text: UnsafeRawBufferPointer, of value: inout XctraceValue) {
    guard value.tag >= 0, wantsText[Int(value.tag)] else { return }
    if !value.hasOwnText { value.text = texts.count..<texts.count }
    value.hasOwnText = true
    // Pieces around nested elements do not follow each other.
    guard value.text.upperBound == texts.count else { return }
    texts.append(contentsOf: text)
    value.text = value.text.lowerBound..<texts.count
  }

  /// The text of a value.
  func text(of value: XctraceValue) -> ArraySlice<UInt8> { texts[value.text] }
}
