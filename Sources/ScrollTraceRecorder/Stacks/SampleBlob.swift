internal import CRecorderShims

/// The payload of a blob of sampled stacks (F-9): packets of Perfetto that refer to nothing outside.
struct SampleBlob {
  /// The maximum size of a payload in bytes.
  static var maximumSize: Int { 32_000 }

  private var interned = ProtoBytes()
  private var samples = ProtoBytes()
  private var modules: [Int: UInt64] = [:]
  private var frames: [UInt64: UInt64] = [:]
  private var stacks: [ArraySlice<UInt64>: UInt64] = [:]

  /// The number of the sequence of packets, which nothing else in the file uses.
  private static var sequence: UInt64 { 1 }
  /// The size of a packet without its content, and of the list of interned parts.
  private static var packetSize: Int { 40 }
  /// The largest size of an entry for an address, and of its number in a stack.
  private static var addressSize: Int { 32 }

  var isEmpty: Bool { samples.bytes.isEmpty }

  /// Adds a sample, or returns `false` if it does not fit.
  ///
  /// - Parameter stack: The addresses, innermost function first.
  mutating func add(
    _ stack: ArraySlice<UInt64>, at time: UInt64, process: UInt64, thread: UInt32,
    in list: ModuleList
  ) -> Bool {
    let isNew = stacks[stack] == nil
    var size = interned.bytes.count + samples.bytes.count + 2 * Self.packetSize
    if isNew { size += Self.packetSize + cost(of: stack, in: list) }
    guard size <= Self.maximumSize else { return false }
    let number = stacks[stack] ?? addStack(stack, in: list)
    samples.message(1) { packet in
      packet.number(8, time)
      packet.number(10, Self.sequence)
      packet.number(13, 2)
      packet.message(66) { sample in
        sample.number(2, process)
        sample.number(3, UInt64(thread))
        sample.number(4, number)
        // Code of the process, not of the system.
        sample.number(5, 2)
      }
    }
    return true
  }

  var bytes: [UInt8] {
    var trace = ProtoBytes()
    trace.message(1) { packet in
      packet.number(10, Self.sequence)
      // What was interned before is forgotten.
      packet.number(13, 1)
      packet.bytes(12, interned.bytes)
    }
    return trace.bytes + samples.bytes
  }

  /// The most bytes that a new stack adds.
  private func cost(of stack: ArraySlice<UInt64>, in list: ModuleList) -> Int {
    var size = 0
    var newModules: Set<Int> = []
    for address in stack {
      size += frames[address] == nil ? Self.addressSize : 3
      guard let module = list.module(of: address), modules[module] == nil else { continue }
      guard newModules.insert(module).inserted else { continue }
      size += list.size(of: module)
    }
    return size
  }

  private mutating func addStack(_ stack: ArraySlice<UInt64>, in list: ModuleList) -> UInt64 {
    // Outermost first.
    let numbers = stack.reversed().map { addFrame($0, in: list) }
    let number = UInt64(stacks.count + 1)
    stacks[stack] = number
    interned.message(7) { entry in
      entry.number(1, number)
      for frame in numbers { entry.number(2, frame) }
    }
    return number
  }

  private mutating func addFrame(_ address: UInt64, in list: ModuleList) -> UInt64 {
    if let known = frames[address] { return known }
    let number = UInt64(frames.count + 1)
    frames[address] = number
    let module = list.module(of: address)
    let mapping = module.map { addModule($0, in: list) }
    interned.message(6) { entry in
      entry.number(1, number)
      if let mapping { entry.number(3, mapping) }
      entry.number(4, list.relative(address, to: module))
    }
    return number
  }

  private mutating func addModule(_ module: Int, in list: ModuleList) -> UInt64 {
    if let known = modules[module] { return known }
    let number = UInt64(modules.count + 1)
    modules[module] = number
    interned.message(17) { entry in
      entry.number(1, number)
      entry.bytes(2, list.path(of: module))
    }
    let (buildID, range) = (list.buildID(of: module), list.range(of: module))
    if buildID.count > 0 {
      interned.message(16) { entry in
        entry.number(1, number)
        entry.bytes(2, buildID)
      }
    }
    interned.message(19) { entry in
      entry.number(1, number)
      if buildID.count > 0 { entry.number(2, number) }
      entry.number(4, range.start)
      entry.number(5, range.end)
      entry.number(7, number)
    }
    return number
  }
}

/// The modules of the process, in the order of their addresses.
struct ModuleList {
  private let modules: [UnsafePointer<scrolltrace_module>]

  /// Lists what is loaded now. The list is valid until the next one.
  init(_ sampler: OpaquePointer) {
    var count: UInt32 = 0
    guard let start = scrolltrace_list_modules(sampler, &count) else {
      modules = []
      return
    }
    modules = (0..<Int(count)).map { start + $0 }.sorted { $0.pointee.start < $1.pointee.start }
  }

  /// The position of the module that contains `address`, or `nil`.
  func module(of address: UInt64) -> Int? {
    var (low, high) = (0, modules.count)
    while low < high {
      let middle = (low + high) / 2
      if modules[middle].pointee.start <= address { low = middle + 1 } else { high = middle }
    }
    return low > 0 && address < modules[low - 1].pointee.end ? low - 1 : nil
  }

  /// The address in the module's own address space.
  func relative(_ address: UInt64, to module: Int?) -> UInt64 {
    module.map { address &- modules[$0].pointee.bias } ?? address
  }

  func range(of module: Int) -> (start: UInt64, end: UInt64) {
    (modules[module].pointee.start, modules[module].pointee.end)
  }

  /// The path without its first slash.
  func path(of module: Int) -> UnsafeRawBufferPointer {
    let field = MemoryLayout<scrolltrace_module>.offset(of: \.path) ?? 0
    let size = MemoryLayout.size(ofValue: modules[module].pointee.path)
    let start = UnsafeRawPointer(modules[module]) + field
    let bytes = UnsafeRawBufferPointer(start: start, count: size)
    let first = bytes.first == UInt8(ascii: "/") ? 1 : 0
    return UnsafeRawBufferPointer(rebasing: bytes[first..<(bytes.firstIndex(of: 0) ?? size)])
  }

  func buildID(of module: Int) -> UnsafeRawBufferPointer {
    let field = MemoryLayout<scrolltrace_module>.offset(of: \.build_id) ?? 0
    return UnsafeRawBufferPointer(
      start: UnsafeRawPointer(modules[module]) + field,
      count: Int(modules[module].pointee.build_id_length))
  }

  /// The most bytes that the module takes.
  func size(of module: Int) -> Int { path(of: module).count + buildID(of: module).count + 64 }
}

/// Bytes in the wire format of protocol buffers.
package struct ProtoBytes {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  package mutating func number(_ field: UInt64, _ value: UInt64) {
    varint(field << 3)
    varint(value)
  }

  package mutating func bytes(_ field: UInt64, _ content: some Collection<UInt8>) {
    varint(field << 3 | 2)
    varint(UInt64(content.count))
    bytes.append(contentsOf: content)
  }

  package mutating func message(_ field: UInt64, _ build: (inout ProtoBytes) -> Void) {
    var content = ProtoBytes()
    build(&content)
    bytes(field, content.bytes)
  }

  private mutating func varint(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }
}
