import ScrollTraceModel

/// The rows of the table `time-profile`: sampled stacks.
///
/// An element with an `id` is defined where it stands first, and meant by `ref` later, wherever it is
/// nested.
struct XctraceProfile {
  /// The kinds of elements that are read.
  enum Kind: UInt8 {
    case row, time, thread, tid, process, pid, state, weight, backtrace, taggedBacktrace, frame
    case binary, other

    init(_ name: UnsafeRawBufferPointer) {
      switch String(decoding: name.prefix(32), as: UTF8.self) {
      case "sample-time": self = .time
      case "thread": self = .thread
      case "tid": self = .tid
      case "process": self = .process
      case "pid": self = .pid
      case "thread-state": self = .state
      case "weight": self = .weight
      case "backtrace": self = .backtrace
      case "tagged-backtrace": self = .taggedBacktrace
      case "frame": self = .frame
      case "binary": self = .binary
      default: self = .other
      }
    }
  }

  /// An element, as far as it is read.
  struct Element {
    var kind: Kind
    var id: UInt64?
    /// The text as a number.
    var number: Int64 = 0
    var hasNumber = false
    var isNegative = false
    /// The text for people, or the name of a frame or binary.
    var name = StringID.empty
    /// The name of a process for people.
    var processName = StringID.empty
    var process: Int64?
    /// The functions of a backtrace, innermost first.
    var functions: [Int32] = []
    /// The stack of a complete backtrace.
    var stack: StackID?
    var binary = StringID.empty

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

  private var known: [UInt64: Element] = [:]
  private(set) var count = 0

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
      element.functions = [builder.sampledFunction(element.name, in: element.binary)]
    case .backtrace where element.stack == nil:
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
    case (.backtrace, .frame):
      if parent.functions.count <= StackTree.maximumDepth { parent.functions += element.functions }
    case (.taggedBacktrace, .backtrace): parent.stack = parent.stack ?? element.stack
    case (.frame, .binary): parent.binary = element.name
    case (.thread, .tid): (parent.number, parent.hasNumber) = (element.number, element.hasNumber)
    case (.process, .pid): (parent.number, parent.hasNumber) = (element.number, element.hasNumber)
    case (.thread, .process):
      (parent.process, parent.processName) = (element.integer, element.name)
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
    if builder.name(of: track).isEmpty {
      builder.setName(builder.name(of: thread.name), of: track)
    }
    let series = builder.sampleSeries(
      of: track, weightUnit: builder.string("ns"), reach: .medianGaps)
    let stack = first(.backtrace)?.stack ?? first(.taggedBacktrace)?.stack ?? .empty
    builder.addSample(of: stack, at: time, weight: first(.weight)?.integer ?? 0, to: series)
    count += 1
    return true
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
    let text = isNamed ? scanner.attribute("name") : scanner.attribute("fmt")
    if isNamed || kind == .thread || kind == .process, let text {
      element.name = builder.string(text.bindMemory(to: UInt8.self))
    }
    if kind == .binary, let path = scanner.attribute("path"), element.name != .empty {
      builder.notePath(String(decoding: path, as: UTF8.self), ofModule: element.name)
    }
    return element
  }
}
