import ScrollTraceModel

/// Adds up cells by innermost span and stack, and makes an account of them.
struct SampleTotals {
  /// The time and number of the samples of a stack.
  struct Sum {
    var time: Int64 = 0
    var samples = 0
    /// The position of the last of them, or -1.
    var last = -1

    static func + (left: Sum, right: Sum) -> Sum {
      Sum(time: left.time.saturatingAdd(right.time), samples: left.samples + right.samples)
    }

    static func += (left: inout Sum, right: Sum) { left = left + right }

    /// Adds a part of the time of the sample at a position, which counts once.
    fileprivate mutating func add(_ time: Int64, of sample: Int) {
      self.time += time
      samples += sample == last ? 0 : 1
      last = sample
    }
  }

  /// A stack in an innermost span, as one number, whose hash takes least time.
  private struct StackInSpan: Hashable {
    let rawValue: UInt64

    init(stack: Int32, label: LabelID?) {
      rawValue = UInt64(label?.rawValue ?? .max) << 32 | UInt64(UInt32(bitPattern: stack))
    }

    init(rawValue: UInt64) { self.rawValue = rawValue }

    var stack: Int32 { Int32(truncatingIfNeeded: rawValue) }

    /// The label of the innermost span, or -1.
    var label: Int64 { rawValue >> 32 == UInt32.max ? -1 : Int64(rawValue >> 32) }
  }

  private let trace: Trace
  private let ownModules: Set<StringID>
  private var sums: [UInt64: Sum] = [:]
  /// The sum of the last samples, as long as they have one stack and span, as most have.
  private var latest: (key: StackInSpan, sum: Sum) = (StackInSpan(stack: -1, label: nil), Sum())
  private var length: Int64 = 0
  private var sampled = Sum()
  /// The number of samples of each stack, which several spans may share.
  private var samplesByStack: [Int32: Int] = [:]

  init(_ trace: Trace, ownModules: Set<StringID>) {
    self.trace = trace
    self.ownModules = ownModules
  }

  mutating func addWindow(_ window: TimeRange) { length += window.length.nanoseconds }

  /// Counts the sample at a position, which stands for a part of a window.
  mutating func count(_ sample: Int, of stack: Int32, lasting time: Int64) {
    let before = sampled.samples
    sampled.add(time, of: sample)
    if sampled.samples > before { samplesByStack[stack, default: 0] += 1 }
  }

  mutating func add(_ time: Int64, of sample: Int, _ stack: Int32, in label: LabelID?) {
    let key = StackInSpan(stack: stack, label: label)
    if key != latest.key {
      sums[latest.key.rawValue] = latest.sum
      latest = (key, sums[key.rawValue] ?? Sum())
    }
    latest.sum.add(time, of: sample)
  }

  // MARK: - The account

  func account() -> SampleAccount {
    var sums = sums
    sums[latest.key.rawValue] = latest.sum
    var byLabel: [Int64: [Int32: Sum]] = [:]
    var byStack: [Int32: Sum] = [:]
    for (rawValue, sum) in sums where sum.samples > 0 {
      let key = StackInSpan(rawValue: rawValue)
      byLabel[key.label, default: [:]][key.stack] = sum
      byStack[key.stack, default: Sum()].time += sum.time
    }
    for (stack, samples) in samplesByStack { byStack[stack]?.samples = samples }
    let whole = StackSums(byStack, of: trace.stackTree)
    let order = byLabel.map { label, stacks in
      (label: label, stacks: stacks, time: stacks.values.reduce(0) { $0 + $1.time })
    }.sorted { ($1.time, name(of: $0.label)) < ($0.time, name(of: $1.label)) }
    let minimum = Int64(Double(length) * SampleAccount.minimumShareOfRow)
    let folded = whole.withoutRecursion()
    let shared = folded.sharedPath
    let onTheWay = (path: folded.commonPath, callers: folded.onlyCallers(isOwn: isOwn))
    let rows = order.compactMap { entry in
      row(
        entry.label, entry.stacks, time: entry.time, minimum: minimum, shared: shared.count,
        below: onTheWay)
    }
    return SampleAccount(
      length: TimeSpan(nanoseconds: length), sampled: TimeSpan(nanoseconds: sampled.time),
      samples: sampled.samples, rows: rows,
      sharedCallers: shared.map { trace.strings[$0.name] }, functions: functions(whole),
      ownFunctions: ownFunctions(whole, without: onTheWay.callers),
      flame: flame(order.map { ($0.label, $0.stacks) }),
      unrecorded: code(in: stacksWithoutName(byLabel), loop: whole.loopPath),
      inWork: codeInWork(order, loop: whole.loopPath))
  }

  /// The function that most of the time in each work that fills a tenth of the windows is in.
  private func codeInWork(
    _ order: [(label: Int64, stacks: [Int32: Sum], time: Int64)], loop: [SampledFunction]
  ) -> [WorkName: SampledCode] {
    let minimum = Int64(Double(length) * FindingThresholds.lateFrameShare)
    return order.prefix { $0.time >= max(1, minimum) }.reduce(into: [:]) { found, entry in
      guard case (let category?, let name?) = names(of: entry.label) else { return }
      let work = WorkName(category: category, name: name)
      if !work.isFrameOfOtherWork { found[work] = code(in: entry.stacks, loop: loop) }
    }
  }

  private func isOwn(_ function: SampledFunction) -> Bool { ownModules.contains(function.module) }

  /// The stacks without a span, or only with one around other work or of a hang.
  private func stacksWithoutName(_ byLabel: [Int64: [Int32: Sum]]) -> [Int32: Sum] {
    byLabel.reduce(into: [:]) { stacks, entry in
      let (category, name) = names(of: entry.key)
      guard let category, let name else { return stacks.merge(entry.value, uniquingKeysWith: +) }
      let work = WorkName(category: category, name: name)
      guard work.isFrameOfOtherWork || work.isHang else { return }
      stacks.merge(entry.value, uniquingKeysWith: +)
    }
  }

  /// The function that most of the time in stacks is in, or `nil` if there is none.
  private func code(in all: [Int32: Sum], loop: [SampledFunction]) -> SampledCode? {
    let whole = TimeSpan(nanoseconds: all.values.reduce(0) { $0 + $1.time })
    let idle = all.filter { isIdle(StackID(rawValue: $0.key)) }
    let idleSum = idle.values.reduce(Sum(), +)
    if idleSum.time > whole.nanoseconds / 2, idleSum.samples >= SampleAccount.minimumSamplesOfRow,
      let stack = idle.max(by: { ($0.value.time, $1.key) < ($1.value.time, $0.key) })?.key
    {
      let function = trace.stackTree.function(of: StackID(rawValue: stack))
      return SampledCode(
        sampledFunction: function, function: trace.strings[function.name], caller: nil, called: nil,
        isOwn: false, isIdle: true, module: nil, time: TimeSpan(nanoseconds: idleSum.time),
        whole: whole)
    }
    let stacks = idle.isEmpty ? all : all.filter { idle[$0.key] == nil }
    let sums = StackSums(stacks, of: trace.stackTree)
    let own = sums.heaviestPath(below: loop) { isOwn($0) && !isEntryPoint($0) }
    let isOwnCode = own.map { $0.sum.samples >= SampleAccount.minimumSamplesOfRow } ?? false
    let below = Set(loop)
    guard
      let path = isOwnCode ? own : sums.heaviestPath(below: loop, isOwn: { !below.contains($0) }),
      path.sum.samples >= SampleAccount.minimumSamplesOfRow
    else { return nil }
    let (function, sum) =
      isOwnCode ? innermost(below: path.function, in: stacks) : (path.function, path.sum)
    return SampledCode(
      sampledFunction: function, function: trace.strings[function.name],
      caller: path.caller.flatMap { $0 == function ? nil : trace.strings[$0.name] },
      called: isOwnCode ? called(by: function, sum, in: stacks) : nil, isOwn: isOwnCode,
      isIdle: false,
      module: function.module == .empty ? nil : trace.strings[function.module],
      time: TimeSpan(nanoseconds: sum.time), whole: whole)
  }

  /// The functions in which a thread waits, and those of event loops that call them.
  private static let waits: Set<String> = [
    "mach_msg_trap", "mach_msg2_trap", "mach_msg", "poll", "ppoll", "__poll", "__ppoll",
    "epoll_wait",
    "__epoll_pwait", "epoll_pwait",
  ]
  /// What V8 writes for a thread that runs nothing.
  private static let idleOfV8 = "(idle)"
  private static let eventLoops: Set<String> = [
    "__CFRunLoopServiceMachPort", "g_main_context_iterate", "g_main_context_iterate_unlocked",
    "g_main_context_poll_unlocked", "android::Looper::pollInner(int)",
  ]

  /// Returns whether a thread with this stack waits for events: nobody called it but the event loop, and nobody of
  /// the app that.
  private func isIdle(_ stack: StackID) -> Bool {
    guard stack.rawValue >= 0 else { return false }
    let path = trace.stackTree.path(of: stack)
    let names = path.suffix(4).map { trace.strings[$0.name] }
    if names.last == Self.idleOfV8 { return true }
    guard let last = names.last, Self.waits.contains(last) else { return false }
    return names.count == 1
      || names.contains(where: Self.eventLoops.contains)
        && path.allSatisfy { !isOwn($0) || isEntryPoint($0) }
  }

  /// Returns whether a function is only where a program starts.
  private func isEntryPoint(_ function: SampledFunction) -> Bool {
    let name = trace.strings[function.name]
    return ["main", "_main", "start", "_start"].contains(name) || name.hasSuffix("$main()")
      || name.hasSuffix("$main")
  }

  /// The function of a library that the app's `function` spends most of its time in, or `nil` if there is none.
  private func called(
    by function: SampledFunction, _ whole: Sum, in stacks: [Int32: Sum]
  ) -> String? {
    var times: [SampledFunction: Int64] = [:]
    for (stack, sum) in stacks where stack >= 0 {
      let path = trace.stackTree.path(of: StackID(rawValue: stack))
      guard let index = path.lastIndex(of: function), index + 1 < path.count,
        !isOwn(path[index + 1])
      else { continue }
      times[path[index + 1], default: 0] += sum.time
    }
    let minimum = Int64(Double(whole.time) * StackSums.followedShare)
    return times.first { $0.value >= max(1, minimum) }.map { trace.strings[$0.key.name] }
  }

  /// The app's innermost function that most of the time in `function` is in, wherever it is called.
  private func innermost(
    below function: SampledFunction, in stacks: [Int32: Sum]
  ) -> (function: SampledFunction, sum: Sum) {
    var depths: [SampledFunction: Int] = [:]
    let inside = stacks.filter { stack, _ in
      guard stack >= 0 else { return false }
      let path = trace.stackTree.path(of: StackID(rawValue: stack))
      guard let first = path.firstIndex(of: function) else { return false }
      for (depth, called) in path[first...].enumerated() {
        depths[called] = max(depths[called] ?? 0, depth)
      }
      return true
    }
    let all = StackSums(inside, of: trace.stackTree).functions
    let whole = all.first { $0.function == function }?.total ?? Sum()
    let minimum = Int64(Double(whole.time) * StackSums.followedShare)
    let large = all.filter {
      $0.total.time >= minimum && depths[$0.function] != nil && isOwn($0.function)
    }
    let found = large.max {
      ($0.own.time, depths[$0.function] ?? 0) < ($1.own.time, depths[$1.function] ?? 0)
    }
    return found.map { ($0.function, $0.total) } ?? (function, whole)
  }

  private func row(
    _ label: Int64, _ stacks: [Int32: Sum], time: Int64, minimum: Int64, shared: Int,
    below onTheWay: (path: [SampledFunction], callers: Set<SampledFunction>)
  ) -> SampleAccount.Row? {
    let samples = stacks.values.reduce(0) { $0 + $1.samples }
    // Of few samples all count, because only their order is reported.
    let isFew = sampled.samples < SampleAccount.minimumSamples
    let minimumSamples = isFew ? 1 : SampleAccount.minimumSamplesOfRow
    guard samples >= minimumSamples, time >= (isFew ? 0 : minimum) else { return nil }
    let sums = StackSums(stacks, of: trace.stackTree).withoutRecursion()
    let paths = sums.hotPaths(minimum: isFew ? 1 : max(1, minimum), minimumSamples: minimumSamples)
    let (category, name) = names(of: label)
    return SampleAccount.Row(
      category: category, name: name, time: TimeSpan(nanoseconds: time), samples: samples,
      paths: paths.map { stack, sum in
        let functions = sums.tree.path(of: stack)
        let commonCount = zip(functions, onTheWay.path).prefix { $0 == $1 }.count
        let beyond = functions[commonCount...]
        return SampleAccount.Path(
          functions: functions.map { trace.strings[$0.name] },
          sharedCount: min(shared, max(0, functions.count - 1)),
          firstOwn: beyond.firstIndex { isOwn($0) && !onTheWay.callers.contains($0) }
            ?? functions.lastIndex(where: isOwn),
          time: TimeSpan(nanoseconds: sum.time), samples: sum.samples)
      })
  }

  private func names(of label: Int64) -> (category: String?, name: String?) {
    guard label >= 0 else { return (nil, nil) }
    let id = LabelID(rawValue: UInt32(truncatingIfNeeded: label))
    return (trace.category(of: id), trace.name(of: id))
  }

  private func name(of label: Int64) -> String {
    let (category, name) = names(of: label)
    return "\(category ?? "")/\(name ?? "")"
  }

  private func time(
    of entry: (function: SampledFunction, own: Sum, total: Sum)
  ) -> SampleAccount.FunctionTime {
    let (function, own, total) = entry
    return SampleAccount.FunctionTime(
      name: trace.strings[function.name],
      module: function.module == .empty ? nil : trace.strings[function.module],
      own: TimeSpan(nanoseconds: own.time), total: TimeSpan(nanoseconds: total.time),
      ownSamples: own.samples, totalSamples: total.samples)
  }

  /// The app's functions with all that they call, without those that are only on the way to the others.
  private func ownFunctions(
    _ sums: StackSums, without callers: Set<SampledFunction>
  ) -> [SampleAccount.FunctionTime] {
    SampleAccount.sortedByTotal(
      sums.functions.filter { isOwn($0.function) && !callers.contains($0.function) }.map(time))
  }

  private func functions(_ sums: StackSums) -> [SampleAccount.FunctionTime] {
    var all = sums.functions.map(time)
    if let none = sums.withoutStack {
      let time = TimeSpan(nanoseconds: none.time)
      all.append(
        SampleAccount.FunctionTime(
          name: "(no stack)", module: nil, own: time, total: time, ownSamples: none.samples,
          totalSamples: none.samples))
    }
    return all.sorted {
      ($1.own, $1.total, $0.name, $0.module ?? "") < ($0.own, $0.total, $1.name, $1.module ?? "")
    }
  }

  private func flame(_ groups: [(label: Int64, stacks: [Int32: Sum])]) -> FlameTree {
    var nodes: [FlameTree.Node] = []
    // What is narrower than a pixel of a wide screen is not seen.
    let minimum = max(1, sampled.time / 2000)
    for (label, stacks) in groups {
      let sums = StackSums(stacks, of: trace.stackTree)
      let total = stacks.values.reduce(Sum(), +)
      guard total.time >= minimum, nodes.count < FlameTree.maximumCount else { continue }
      nodes.append(
        FlameTree.Node(
          name: label < 0 ? "unrecorded" : name(of: label), module: nil, depth: 0,
          isSpan: true, time: TimeSpan(nanoseconds: total.time), samples: total.samples))
      sums.forEachInPreorder(minimum: minimum, maximumDepth: FlameTree.maximumDepth) {
        stack, depth, sum in
        guard nodes.count < FlameTree.maximumCount else { return }
        let function = trace.stackTree.function(of: stack)
        nodes.append(
          FlameTree.Node(
            name: trace.strings[function.name],
            module: function.module == .empty ? nil : trace.strings[function.module],
            depth: depth + 1, isSpan: false, time: TimeSpan(nanoseconds: sum.time),
            samples: sum.samples))
      }
    }
    return FlameTree(nodes: nodes)
  }
}
