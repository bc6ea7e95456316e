internal import ScrollTraceModel

/// Reads the sampled stacks of a trace: `PerfSample`, `StackSample` and `StreamingProfilePacket`.
///
/// Names, frames and stacks are given numbers by the packets of one sequence, and hold until the
/// sequence says that they do not.
struct PerfettoSamples {
  private struct Frame {
    var name: UInt64 = 0
    var mapping: UInt64 = 0
    /// The address in the mapping's file, or `nil` if unknown.
    var address: UInt64?
  }

  private struct Mapping {
    var buildID: UInt64 = 0
    var path: [UInt64] = []
  }

  /// What was given a number on one sequence.
  private struct State {
    var names: [UInt64: StringID] = [:]
    var paths: [UInt64: StringID] = [:]
    /// The build IDs in hexadecimal digits.
    var buildIDs: [UInt64: StringID] = [:]
    var mappings: [UInt64: Mapping] = [:]
    var frames: [UInt64: Frame] = [:]
    /// The frames of a stack, outermost first.
    var callstacks: [UInt64: [UInt64]] = [:]
    /// The stacks that were used, in the trace.
    var stacks: [UInt64: StackID] = [:]
    var counter: UInt64?
    var source: StringID = .empty
    var unit: StringID = .empty
    /// The time of the last sample of a stream, in nanoseconds.
    var streamTime: Int64?
  }

  /// The maximum number of entries of all tables of a sequence.
  private static let maximumEntryCount = 8_000_000
  private static let maximumDepth = StackTree.maximumDepth

  private static let counters: [UInt64: String] = [
    1: "SW_CPU_CLOCK", 2: "SW_PAGE_FAULTS", 3: "SW_TASK_CLOCK", 4: "SW_CONTEXT_SWITCHES",
    10: "HW_CPU_CYCLES", 11: "HW_INSTRUCTIONS",
  ]

  private var states: [UInt32: State] = [:]
  private var entryCount = 0
  private(set) var count = 0
  /// How many samples name a stack that was never given.
  private(set) var undefinedCount = 0

  /// Reads what `packet` gives numbers to, before its sample is read.
  mutating func enter(_ packet: PerfettoPacket, in builder: inout TraceBuilder) {
    if packet.clearsState, !states.isEmpty { states[packet.sequence] = nil }
    if let data = packet.internedData { addInterned(data, packet.sequence, in: &builder) }
    if let defaults = packet.defaults { addDefaults(defaults, packet.sequence, in: &builder) }
  }

  // MARK: - Tables

  private mutating func addInterned(
    _ data: UnsafeRawBufferPointer, _ sequence: UInt32, in builder: inout TraceBuilder
  ) {
    var fields = WireFields(data)
    while fields.next() {
      guard fields.isBytes, [5, 6, 7, 16, 17, 19].contains(fields.number) else { continue }
      entryCount += 1
      guard entryCount <= Self.maximumEntryCount else { return builder.countLoss(.limitReached) }
      Self.add(
        fields.bytes, as: fields.number, to: &states[sequence, default: State()], in: &builder)
    }
  }

  private static func add(
    _ entry: UnsafeRawBufferPointer, as kind: UInt32, to state: inout State,
    in builder: inout TraceBuilder
  ) {
    var (id, text, frame, list) = (UInt64(0), StringID.empty, Frame(), [UInt64]())
    var buildID = UInt64(0)
    var fields = WireFields(entry)
    while fields.next() {
      switch (kind, fields.number, fields.isBytes) {
      case (_, 1, false): id = fields.value
      case (5, 2, true), (17, 2, true):
        text = builder.string(fields.bytes.bindMemory(to: UInt8.self))
      case (16, 2, true):
        text = builder.string(HexadecimalDigits.text(fields.bytes.prefix(maximumBuildIDLength)))
      case (6, 2, false): frame.name = fields.value
      case (6, 3, false): frame.mapping = fields.value
      case (6, 4, false): frame.address = fields.value
      case (19, 2, false): buildID = fields.value
      case (7, 2, false), (19, 7, false):
        if list.count < Self.maximumDepth { list.append(fields.value) }
      case (7, 2, true), (19, 7, true): appendPacked(fields.bytes, to: &list)
      default: break
      }
    }
    guard !fields.isDamaged else { return builder.countLoss(.malformedRecord) }
    switch kind {
    case 5: state.names[id] = text
    case 16: state.buildIDs[id] = text
    case 17: state.paths[id] = text
    case 6: state.frames[id] = frame
    case 7: (state.callstacks[id], state.stacks[id]) = (list, nil)
    default: state.mappings[id] = Mapping(buildID: buildID, path: list)
    }
  }

  /// The longest build ID that is kept; linkers write 8 to 32 bytes.
  private static let maximumBuildIDLength = 64

  private static func appendPacked(_ bytes: UnsafeRawBufferPointer, to list: inout [UInt64]) {
    var offset = 0
    while list.count < maximumDepth, let number = WireFields.varint(in: bytes, at: &offset) {
      list.append(number)
    }
  }

  private mutating func addDefaults(
    _ bytes: UnsafeRawBufferPointer, _ sequence: UInt32, in builder: inout TraceBuilder
  ) {
    var fields = WireFields(bytes)
    while fields.next() {
      guard fields.isBytes, fields.number == 12 || fields.number == 100 else { continue }
      var inner = WireFields(fields.bytes)
      while inner.next() {
        guard inner.isBytes else { continue }
        if fields.number == 12, inner.number == 1 {
          if let counter = WireFields.number(4, of: inner.bytes) {
            states[sequence, default: State()].counter = counter
          }
        } else if fields.number == 100, inner.number == 1 {
          states[sequence, default: State()].source =
            builder.string(inner.bytes.bindMemory(to: UInt8.self))
        } else if fields.number == 100, inner.number == 2 {
          states[sequence, default: State()].unit = Self.unit(inner.bytes, in: &builder)
        }
      }
    }
  }

  private static func unit(
    _ descriptor: UnsafeRawBufferPointer, in builder: inout TraceBuilder
  ) -> StringID {
    var (isTime, name) = (false, builder.string("units of the source"))
    var fields = WireFields(descriptor)
    while fields.next() {
      switch (fields.number, fields.isBytes) {
      case (3, false): isTime = fields.value == 1
      case (4, true): name = builder.string(fields.bytes.bindMemory(to: UInt8.self))
      default: break
      }
    }
    return isTime ? builder.string("ns") : name
  }

  // MARK: - Samples

  /// Adds a `PerfSample`; `false` where it is damaged.
  mutating func addPerfSample(
    _ content: UnsafeRawBufferPointer, _ packet: PerfettoPacket, at time: Timestamp,
    in builder: inout TraceBuilder
  ) -> Bool {
    var (process, thread, callstack, weight) = (UInt64(0), UInt64(0), UInt64?.none, UInt64?.none)
    var fields = WireFields(content)
    while fields.next() {
      switch (fields.number, fields.isBytes) {
      case (2, false): process = fields.value
      case (3, false): thread = fields.value
      case (4, false): callstack = fields.value
      case (6, false): weight = fields.value
      default: break
      }
    }
    guard !fields.isDamaged else { return false }
    let counter = states[packet.sequence]?.counter.flatMap { Self.counters[$0] }
    let isTime = counter == "SW_CPU_CLOCK" || counter == "SW_TASK_CLOCK"
    let series = builder.sampleSeries(
      of: builder.track(thread, of: builder.process(process)), event: builder.string(counter ?? ""),
      weightUnit: builder.string(isTime ? "ns" : counter ?? ""), reach: .medianGaps)
    let stack = callstack.map { self.stack($0, packet.sequence, in: &builder) } ?? .empty
    // Without a unit a number is no weight.
    let known = counter == nil ? nil : weight.map { Int64(clamping: $0) }
    builder.addSample(of: stack, at: time, weight: known, to: series)
    count += 1
    return true
  }

  /// Adds a `StackSample`; `false` where it is damaged.
  mutating func addStackSample(
    _ content: UnsafeRawBufferPointer, _ packet: PerfettoPacket, at time: Timestamp,
    in builder: inout TraceBuilder
  ) -> Bool {
    var (process, thread, stack, weight) = (UInt64(0), UInt64?.none, StackID.empty, UInt64?.none)
    var context: UInt64?
    var fields = WireFields(content)
    while fields.next() {
      switch (fields.number, fields.isBytes) {
      case (1, true):
        var task = WireFields(fields.bytes)
        while task.next() {
          switch task.number {
          case 2: process = task.value
          case 3: thread = task.value
          case 4: context = task.value
          default: break
          }
        }
      case (5, true): stack = inlineStack(fields.bytes, in: &builder)
      case (6, false): stack = self.stack(fields.value, packet.sequence, in: &builder)
      case (11, false): weight = fields.value
      default: break
      }
    }
    guard !fields.isDamaged else { return false }
    let state = states[packet.sequence] ?? State()
    // A task that runs on any thread has a track of its own.
    let number = thread ?? context.map { $0 | 1 << 62 } ?? 0
    let track = builder.track(number, of: builder.process(process))
    if thread == nil, let context, builder.name(of: track).isEmpty {
      builder.setName("task \(context)", of: track)
    }
    let series = builder.sampleSeries(
      of: track, event: state.source, weightUnit: state.unit, reach: .medianGaps)
    builder.addSample(
      of: stack, at: time, weight: state.unit == .empty ? nil : weight.map { Int64(clamping: $0) },
      to: series)
    count += 1
    return true
  }

  /// Adds a `StreamingProfilePacket`, whose samples are of the thread that writes the sequence; `false`
  /// where it is damaged.
  ///
  /// - Parameter start: The time of which the first sample of the sequence is an increment.
  mutating func addStream(
    _ content: UnsafeRawBufferPointer, _ packet: PerfettoPacket,
    of thread: (process: UInt64, thread: UInt64), from start: Int64, in builder: inout TraceBuilder
  ) -> Bool {
    var (callstacks, deltas) = ([UInt64](), [UInt64]())
    var fields = WireFields(content)
    while fields.next() {
      switch (fields.number, fields.isBytes) {
      case (1, false): callstacks.append(fields.value)
      case (2, false): deltas.append(fields.value)
      case (1, true): Self.appendPacked(fields.bytes, to: &callstacks)
      case (2, true): Self.appendPacked(fields.bytes, to: &deltas)
      default: break
      }
    }
    guard !fields.isDamaged else { return false }
    let series = builder.sampleSeries(
      of: builder.track(thread.thread, of: builder.process(thread.process)),
      reach: .medianGaps, resolution: 1000)
    var time = states[packet.sequence]?.streamTime ?? start
    for (callstack, delta) in zip(callstacks, deltas) {
      guard let step = Int64(bitPattern: delta).times(1000), let next = time.plus(step),
        let at = Timestamp(nanoseconds: next)
      else {
        builder.countLoss(.timeOutOfRange)
        continue
      }
      time = next
      let stack = self.stack(callstack, packet.sequence, in: &builder)
      builder.addSample(of: stack, at: at, to: series)
      count += 1
    }
    states[packet.sequence, default: State()].streamTime = time
    return true
  }

  // MARK: - Stacks

  /// The stack with a number of its sequence; the empty one if it was never given.
  private mutating func stack(
    _ number: UInt64, _ sequence: UInt32, in builder: inout TraceBuilder
  ) -> StackID {
    guard let state = states[sequence] else {
      undefinedCount += 1
      return .empty
    }
    if let known = state.stacks[number] { return known }
    guard let frames = state.callstacks[number] else {
      undefinedCount += 1
      return .empty
    }
    var stack = StackID.empty
    for id in frames {
      let function = function(of: state.frames[id] ?? Frame(), state, in: &builder)
      guard let next = builder.stack(of: function, calledBy: stack) else { return .empty }
      stack = next
    }
    states[sequence]?.stacks[number] = stack
    return stack
  }

  /// The function of a frame: its name, or else its code.
  private func function(of frame: Frame, _ state: State, in builder: inout TraceBuilder) -> Int32 {
    let mapping = state.mappings[frame.mapping] ?? Mapping()
    let parts = mapping.path.prefix(64).map { part in
      state.paths[part].map { builder.name(of: $0) } ?? ""
    }
    let path = parts.joined(separator: "/")
    let module = path.isEmpty ? .empty : builder.string(path.fileName)
    let wholePath = path.hasPrefix("/") || path.hasPrefix("[") ? path : "/" + path
    if module != .empty { builder.addPath(wholePath, ofModule: module) }
    if let name = state.names[frame.name], name != .empty {
      return builder.sampledFunction(name, in: module)
    }
    guard let address = frame.address, module != .empty else {
      return builder.sampledFunction(builder.string("[unknown]"), in: module)
    }
    let code = SampledCode(
      path: builder.string(wholePath), buildID: state.buildIDs[mapping.buildID] ?? .empty,
      address: address)
    return builder.sampledFunction(of: code, in: module)
  }

  /// A stack that is written out, outermost first.
  private func inlineStack(
    _ callstack: UnsafeRawBufferPointer, in builder: inout TraceBuilder
  ) -> StackID {
    var stack = StackID.empty
    var fields = WireFields(callstack)
    while fields.next() {
      guard fields.isBytes, fields.number == 1 else { continue }
      var (name, module) = (builder.string("[unknown]"), StringID.empty)
      var frame = WireFields(fields.bytes)
      while frame.next() {
        guard frame.isBytes, frame.number == 1 || frame.number == 2 else { continue }
        let text = frame.bytes
        if frame.number == 1 {
          if !text.isEmpty { name = builder.string(text.bindMemory(to: UInt8.self)) }
        } else {
          module = builder.string(String(decoding: text, as: UTF8.self).fileName)
        }
      }
      let function = builder.sampledFunction(name, in: module)
      guard let next = builder.stack(of: function, calledBy: stack) else { return .empty }
      stack = next
    }
    return stack
  }

  /// Says how many samples name a stack that was never given.
  func report(in builder: inout TraceBuilder) {
    builder.addNotice("samples that name no known stack", count: undefinedCount)
  }
}
