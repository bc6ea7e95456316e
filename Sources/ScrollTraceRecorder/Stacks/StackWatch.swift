internal import CRecorderShims
internal import ScrollTraceLayout
internal import ScrollTracePlatform

/// The work of the thread that samples stacks: it looks at the threads with an open frame once per
/// period, in motion also between frames, and writes the samples of frames that are late.
struct StackWatch {
  private let recorder: RecorderPointer
  private let sampler: OpaquePointer
  private let period: UInt64
  private let process: UInt64
  private var threads: [OpaquePointer: FrameSamples] = [:]

  /// The time between two writings of a frame that stays open.
  private static var pause: UInt64 { 100_000_000 }
  /// The time without a frame, or other work of its thread in motion, after which the thread waits for
  /// the next one instead of looking.
  private static var patience: UInt64 { 100_000_000 }

  init(
    _ control: UnsafeMutablePointer<ControlBlock>, _ sampler: OpaquePointer, period: Int64,
    process: UInt64
  ) {
    recorder = RecorderPointer(control: control, simulated: nil)
    self.sampler = sampler
    self.period = UInt64(period)
    self.process = process
  }

  mutating func run() {
    scrolltrace_measure_signal(sampler)
    var next = scrolltrace_clock(CLOCK_MONOTONIC)
    var lastFrame = next
    while !scrolltrace_sampler_stops(sampler) {
      let isBusy = look()
      let now = scrolltrace_clock(CLOCK_MONOTONIC)
      if isBusy {
        lastFrame = now
      } else if now &- lastFrame > Self.patience {
        storeCost()
        scrolltrace_wait_for_frame(sampler)
        next = scrolltrace_clock(CLOCK_MONOTONIC)
        lastFrame = next
        continue
      }
      next = max(next &+ period, now)
      scrolltrace_sleep_until(sampler, next)
    }
    for (thread, samples) in threads where samples.areLate { write(samples, of: thread) }
    storeCost()
  }

  /// Stores the cost so far in the first page.
  private func storeCost() {
    guard let writer = recorder.enterToRecord() else { return }
    defer { recorder.leave(writer) }
    let session = recorder.control.session
    let cost = scrolltrace_read_sampling_cost(sampler)
    typealias Session = RecordingLayout.Session
    scrolltrace_store(session + Session.sampleSignals, cost.signals.littleEndian)
    scrolltrace_store(session + Session.sampleTime, cost.time.littleEndian)
    scrolltrace_store(session + Session.samplerTime, cost.own_time.littleEndian)
  }

  /// Looks at each thread once, and returns whether one has a frame open or works between two.
  private mutating func look() -> Bool {
    var isBusy = false
    let motion = scrolltrace_read_sampled_motion(sampler)
    var next = scrolltrace_next_sampled_thread(sampler, nil)
    while let thread = next {
      let frame = scrolltrace_read_sampled_frame(thread)
      var samples = threads.removeValue(forKey: thread) ?? FrameSamples()
      var sample = scrolltrace_stack_sample()
      var isNew = scrolltrace_take_sample(thread, &sample)
      if isNew { samples.add(sample) }
      let isOpen = frame.number & 1 != 0
      let isBetween = !isOpen && motion > 0 && frame.interval > 0
      if frame.number != samples.frame || !isOpen && !isBetween && !samples.samples.isEmpty {
        finish(&samples, of: thread, at: frame)
        samples.begin(frame)
      }
      if isOpen || isBetween {
        if isBetween { samples.expectNoFrame(before: motion &+ frame.interval) }
        if scrolltrace_look(sampler, thread, isBetween, &sample) {
          samples.add(sample)
          isNew = true
        }
        isBusy = isBusy || isOpen || isNew
        writeIfLate(&samples, of: thread)
      }
      threads[thread] = samples
      next = scrolltrace_next_sampled_thread(sampler, thread)
    }
    if scrolltrace_sampler_is_refused(sampler), !recorder.control.hasNoStacks { recordRefusal() }
    return isBusy
  }

  /// Records that the host has installed a handler of its own.
  private func recordRefusal() {
    recorder.control.setNoStacks()
    guard let writer = recorder.enterToRecord() else { return }
    writer.writeMissingStacks()
    recorder.leave(writer)
  }

  /// Writes the rest of the samples of a frame that has ended, or of the time before one, if it was late.
  private func finish(
    _ samples: inout FrameSamples, of thread: OpaquePointer, at frame: scrolltrace_sampled_frame
  ) {
    let isLast = frame.ended_number == samples.frame
    if isLast { samples.remove(after: frame.ended_time) }
    let isLate = isLast && frame.ended_time > samples.deadline
    if samples.areLate || isLate { write(samples, of: thread) }
  }

  /// Writes the samples of a frame that is late, and again each time that some more time has passed.
  private func writeIfLate(_ samples: inout FrameSamples, of thread: OpaquePointer) {
    guard let now = samples.samples.last?.time, now >= samples.nextTime else { return }
    write(samples, of: thread)
    storeCost()
    scrolltrace_refresh_modules(sampler)
    samples.forget()
    samples.isLate = true
    samples.nextTime = now &+ Self.pause
  }

  /// Writes samples in as many blobs as they need.
  private func write(_ samples: FrameSamples, of thread: OpaquePointer) {
    guard !samples.samples.isEmpty else { return }
    let modules = ModuleList(sampler)
    let number = scrolltrace_sampled_thread_id(thread)
    var blob = SampleBlob()
    for (index, sample) in samples.samples.enumerated() {
      let stack = samples.addresses(of: index)
      func add() -> Bool {
        blob.add(stack, at: sample.time, process: process, thread: number, in: modules)
      }
      if add() { continue }
      write(blob)
      blob = SampleBlob()
      _ = add()
    }
    write(blob)
  }

  private func write(_ blob: SampleBlob) {
    guard !blob.isEmpty, let writer = recorder.enterToRecord() else { return }
    blob.bytes.withUnsafeBytes { writer.writeSamples($0) }
    recorder.leave(writer)
  }
}

extension RecorderStore {
  /// Starts the thread that samples stacks, if they are sampled.
  func startSampler(_ control: UnsafeMutablePointer<ControlBlock>) throws(RecorderError) {
    guard let period = options.stackSampling?.period, options.clock.systemClock != nil else {
      return
    }
    guard let sampler else { return control.setNoStacks() }
    nonisolated(unsafe) let (control, sampled) = (control, sampler)
    let thread = startThread("scroll-stacks") { store in
      var watch = StackWatch(control, sampled, period: period, process: store.process)
      watch.run()
    }
    guard let thread else {
      throw RecorderError(
        path: destination.path, reason: "cannot start a thread to sample stacks")
    }
    locked { $0.sampling = thread }
  }

  /// Ends the thread after it has written what is left.
  func stopSampler() {
    guard let sampler, let thread = takeThread(\.sampling) else { return }
    scrolltrace_stop_sampler(sampler)
    thread.join()
    scrolltrace_free_sampler(sampler)
  }
}

/// The stacks of one thread since its current frame began, or since the last one ended, which are written
/// only if the frame or the next one is late.
struct FrameSamples {
  /// A sample; its addresses follow those of the sample before it.
  struct Sample {
    var time: UInt64
    /// The end of its functions in `addresses`, innermost first.
    var end: Int
  }

  /// The number of the frame that the samples are of: odd if there is one, even between two.
  var frame: UInt64 = 0
  var deadline: UInt64 = 0
  /// Whether samples were written, because the frame is late.
  var isLate = false
  /// The time of the next writing of a frame that stays open.
  var nextTime: UInt64 = 0
  private(set) var samples: [Sample] = []
  private(set) var addresses: [UInt64] = []

  /// The maximum number of addresses that wait for the frame's end: the first ones, which say how it
  /// became late.
  private static var maximumCount: Int { 1 << 18 }

  mutating func begin(_ frame: scrolltrace_sampled_frame) {
    self.frame = frame.number
    deadline = frame.deadline
    nextTime = frame.deadline
    isLate = false
    forget()
  }

  /// Moves the time from which the next frame is late, if nothing was written yet.
  mutating func expectNoFrame(before time: UInt64) {
    guard !isLate, time > deadline else { return }
    deadline = time
    nextTime = time
  }

  /// Whether there are samples of the time in which the frame is late.
  var areLate: Bool { isLate || (samples.last?.time ?? 0) > deadline }

  mutating func forget() {
    samples.removeAll(keepingCapacity: true)
    addresses.removeAll(keepingCapacity: true)
  }

  mutating func add(_ sample: scrolltrace_stack_sample) {
    guard let start = sample.addresses, addresses.count < Self.maximumCount else { return }
    addresses.append(contentsOf: UnsafeBufferPointer(start: start, count: Int(sample.count)))
    samples.append(Sample(time: sample.time, end: addresses.count))
  }

  /// Removes the samples after `time`, at which the frame ended.
  mutating func remove(after time: UInt64) {
    while let last = samples.last, last.time > time { samples.removeLast() }
    addresses.removeLast(addresses.count - (samples.last?.end ?? 0))
  }

  /// The addresses of a sample, innermost function first.
  func addresses(of index: Int) -> ArraySlice<UInt64> {
    addresses[(index == 0 ? 0 : samples[index - 1].end)..<samples[index].end]
  }
}
