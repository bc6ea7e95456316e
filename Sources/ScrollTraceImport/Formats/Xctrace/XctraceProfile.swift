import ScrollTraceModel

/// The rows of the tables `time-profile` and `time-sample`: sampled stacks.
///
/// An element with an `id` is defined where it stands first, and meant by `ref` later, wherever it is
/// nested.
struct XctraceProfile {
  /// The kinds of elements that are read.
  enum Kind: String {
    /// No element has an empty name.
    case row = ""
    case time = "sample-time"
    case state = "thread-state"
    case taggedBacktrace = "tagged-backtrace"
    case thread, tid, process, pid, weight, backtrace, frame, binary, other

    init(_ name: UnsafeRawBufferPointer) {
      self = Kind(rawValue: String(decoding: name.prefix(32), as: UTF8.self)) ?? .other
    }
  }

  /// An element, as far as it is read.
  struct Element {
    var kind: Kind
    var id: UInt64?
    var number: Int64 = 0
    var hasNumber = false
    var isNegative = false
    /// The text for people, or the name of a frame or binary.
    var name = StringID.empty
    var process: Int64?
    /// The functions of a backtrace, innermost first.
    var functions: [Int32] = []
    /// The stack of a complete backtrace.
    var stack: StackID?
    var binary = StringID.empty
    /// The address of a frame, or at which a binary was loaded.
    var address: UInt64?
    /// The path and UUID of a binary.
    var path = StringID.empty
    var buildID = StringID.empty

    mutating func append(_ text: UnsafeRawBufferPointer) {
      for byte in text {
        if byte == UInt8(ascii: "-"), !hasNumber { isNegative = true }
        guard byte.isDigit else { continue }
        guard let longer = number.appending(digit: byte) else { return hasNumber = false }
        (number, hasNumber) = (longer, true)
      }
    }

    var integer: Int64? { hasNumber ? isNegative ? -number : number : nil }
  }

  private static let maximumElementCount = 16_000_000

  /// A sample, which two tables can have.
  private struct Moment: Hashable {
    var track: TrackID
    var time: Timestamp
  }

  private var known: [UInt64: Element] = [:]
  private var table = 0
  /// The table in which each sample was first.
  private var tables: [Moment: Int] = [:]
  /// The number of samples that several tables have.
  private(set) var repeatedCount = 0

  /// Forgets the elements of the table before: numbers are those of one table.
  mutating func startTable() {
    known.removeAll()
    table += 1
  }

  /// The element that an element with a reference stands for, or `nil` if there is none.
  func element(_ id: UInt64, _ kind: Kind) -> Element? {
    guard let element = known[id], element.kind == kind else { return nil }
    return element
  }

  mutating func keep(_ element: Element, in builder: inout TraceBuilder) {
    guard let id = element.id else { return }
    guard known.count < Self.maximumElementCount else { return builder.countLoss(.limitReached) }
    known[id] = element
  }

  /// Completes an element, passes on what its parent is made of, and returns it.
  @discardableResult
  mutating func end(
    _ ended: Element, in parent: inout Element, _ builder: inout TraceBuilder
  ) -> Element {
    var element = ended
    switch element.kind {
    case .frame where element.stack == nil && element.functions.isEmpty:
      element.functions = [element.function(in: &builder)]
    case .backtrace where element.stack == nil, .taggedBacktrace where element.stack == nil:
      var stack = StackID.empty
      for function in element.functions.reversed() {
        guard let next = builder.stack(of: function, calledBy: stack) else {
          stack = .empty
          break
        }
        stack = next
      }
      element.stack = stack
      element.functions = []
    default: break
    }
    keep(element, in: &builder)
    switch (parent.kind, element.kind) {
    case (.backtrace, .frame), (.taggedBacktrace, .frame):
      if parent.functions.count <= StackTree.maximumDepth { parent.functions += element.functions }
    case (.taggedBacktrace, .backtrace): parent.stack = parent.stack ?? element.stack
    case (.frame, .binary): parent.setBinary(element)
    case (.thread, .tid): (parent.number, parent.hasNumber) = (element.number, element.hasNumber)
    case (.process, .pid): (parent.number, parent.hasNumber) = (element.number, element.hasNumber)
    case (.thread, .process): parent.process = element.integer
    default: break
    }
    return element
  }

  /// Adds a row; `false` where it names no time or no thread.
  mutating func addRow(_ row: [Element], to builder: inout TraceBuilder) -> Bool {
    func first(_ kind: Kind) -> Element? { row.first { $0.kind == kind } }
    guard let thread = first(.thread), let number = thread.integer,
      let time = first(.time)?.integer.flatMap(Timestamp.init(nanoseconds:))
    else { return false }
    let process = builder.process(UInt64(bitPattern: thread.process ?? 0))
    let track = builder.track(UInt64(bitPattern: number), of: process)
    XctraceCollector.setName(builder.name(of: thread.name), of: track, in: &builder)
    let moment = Moment(track: track, time: time)
    guard tables[moment, default: table] == table else {
      repeatedCount += 1
      return true
    }
    tables[moment] = table
    let series = builder.sampleSeries(
      of: track, weightUnit: builder.string("ns"), reach: .medianGaps)
    let stack = first(.backtrace)?.stack ?? first(.taggedBacktrace)?.stack ?? .empty
    builder.addSample(of: stack, at: time, weight: first(.weight)?.integer ?? 0, to: series)
    return true
  }
}

extension XctraceProfile.Element {
  /// Sets what a frame's binary says of its code.
  fileprivate mutating func setBinary(_ element: Self) {
    (binary, path, buildID) = (element.name, element.path, element.buildID)
    guard let address, let start = element.address else { return address = nil }
    // Of callers it is where they return to, and of the innermost frame Instruments adds one.
    self.address = address > start ? address - start - 1 : nil
  }

  /// The function of a frame. If its name is only an address, it can be looked up.
  fileprivate func function(in builder: inout TraceBuilder) -> Int32 {
    let function = builder.sampledFunction(name, in: binary)
    guard let address, path != .empty, builder.name(of: name).hasPrefix("0x"),
      !SystemLibrary.contains(path: builder.name(of: path))
    else { return function }
    builder.setCode(
      SampledCode(path: path, buildID: buildID, address: address, isFromStart: true), of: function)
    return function
  }
}

extension XctraceReader {
  /// Reads the row of samples that began last; `false` where it names no time or no thread.
  mutating func readProfileRow(in builder: inout TraceBuilder) throws(ScanFault) -> Bool {
    var open: [XctraceProfile.Element] = []
    var row: [XctraceProfile.Element] = []
    var base = XctraceProfile.Element(kind: .row)
    while true {
      switch try scanner.next() {
      case .start: open.append(profileElement(in: &builder))
      case .text: if let last = open.indices.last { open[last].append(scanner.text) }
      case .end:
        guard let last = open.popLast() else { return profile.addRow(row, to: &builder) }
        if let parent = open.indices.last {
          profile.end(last, in: &open[parent], &builder)
        } else {
          row.append(profile.end(last, in: &base, &builder))
        }
      case .finish: return false
      }
    }
  }

  /// The element that began last, or the one that it refers to.
  private func profileElement(in builder: inout TraceBuilder) -> XctraceProfile.Element {
    let kind = XctraceProfile.Kind(scanner.name)
    guard kind != .other else { return XctraceProfile.Element(kind: .other) }
    if let reference = scanner.attribute("ref") {
      guard let id = Self.number(reference), var known = profile.element(id, kind) else {
        builder.countLoss(.undefinedReference)
        return XctraceProfile.Element(kind: kind)
      }
      known.id = nil
      return known
    }
    var element = XctraceProfile.Element(kind: kind)
    element.id = scanner.attribute("id").flatMap(Self.number)
    let isNamed = kind == .frame || kind == .binary
    let text =
      isNamed ? scanner.attribute("name") ?? scanner.attribute("addr") : scanner.attribute("fmt")
    if isNamed || kind == .thread || kind == .process, let text {
      element.name = builder.string(text.bindMemory(to: UInt8.self))
    }
    guard isNamed else { return element }
    element.address = scanner.attribute(kind == .frame ? "addr" : "load-addr").flatMap(Self.address)
    if let id = scanner.attribute("UUID") {
      let digits = String(decoding: id.prefix(64), as: UTF8.self).lowercased()
      element.buildID = builder.string(digits.filter { $0 != "-" })
    }
    if let text = scanner.attribute("path") {
      let path = String(decoding: text, as: UTF8.self)
      element.path = builder.string(path)
      if element.name == .empty { element.name = builder.string(path.fileName) }
      if element.name != .empty { builder.addPath(path, ofModule: element.name) }
    }
    return element
  }

  /// The number in `0x18d3df0f1`.
  private static func address(_ text: UnsafeRawBufferPointer) -> UInt64? {
    guard text.count <= 18, text.hasPrefix("0x") else { return nil }
    return UInt64(String(decoding: text.dropFirst(2), as: UTF8.self), radix: 16)
  }
}
