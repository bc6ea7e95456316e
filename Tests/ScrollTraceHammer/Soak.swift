internal import Foundation
internal import ScrollTraceImport
internal import ScrollTraceModel
internal import ScrollTraceRecorder

/// A list that scrolls for a long time into a flight recorder, in real or in virtual time.
struct Soak {
  /// What must not grow with the length of the recording.
  private struct Footprint {
    /// The memory of the process's own, in kB.
    var memory: Int
    var fileSize: Int
  }

  private static let refresh: Int64 = 16_666_667
  private static let ringBytes = 2_000_000

  private let recorder: TraceRecorder
  private let path: String
  private let isVirtual: Bool
  /// How far the recorder's clock was outside of two readings of the system's, in nanoseconds.
  private var clockError: Int64 = 0

  /// Records for some minutes and prints what stayed as it was; returns the exit status.
  static func run(to path: String, minutes: Int, isVirtual: Bool) throws -> Int32 {
    var options = RecorderOptions()
    options.ringBytes = Self.ringBytes
    if isVirtual { options.clock = .manual(start: .zero) }
    let recorder = try TraceRecorder(writingTo: path, options: options)
    var soak = Soak(recorder: recorder, path: path, isVirtual: isVirtual)
    let frames = minutes * 3600
    // Until the ring is full, memory and names grow.
    let settled = frames / 8
    var (first, last) = (soak.footprint, soak.footprint)
    let start = recorder.now()
    for frame in 0..<frames {
      soak.draw(frame, at: start + .nanoseconds(Int64(frame) * refresh))
      if frame == settled { first = soak.footprint }
      if frame % 36_000 == 0, !isVirtual { soak.report(frame, soak.footprint) }
    }
    last = soak.footprint
    try recorder.finish()
    let trace = try TraceFile.open(path)
    let kept = trace.surfaces.reduce(0) { $0 + $1.frames.count }
    print("soak: \(minutes) minutes, \(frames) frames, \(kept) of them kept")
    print("memory \(first.memory) then \(last.memory) kB")
    print("file \(first.fileSize) then \(last.fileSize) bytes")
    print("clock off by \(soak.clockError) ns at most")
    print("lost \(trace.losses.reduce(0) { $0 + $1.count })")
    // Interactions and states have a part of their own, up to half of the ring.
    let grows =
      last.memory - first.memory > 1_000 || last.fileSize - first.fileSize > Self.ringBytes / 2
    return grows || !trace.losses.isEmpty || kept == 0 ? 1 : 0
  }

  private func report(_ frame: Int, _ now: Footprint) {
    print("minute \(frame / 3600): \(now.memory) kB, \(now.fileSize) bytes, \(clockError) ns")
    fflush(nil)
  }

  /// Records a frame, in real time when its time has come.
  private mutating func draw(_ number: Int, at tick: RecorderTime) {
    if isVirtual {
      recorder.setTime(tick)
    } else {
      let wait = (tick - recorder.now()).nanoseconds
      if wait > 0 { usleep(UInt32(clamping: wait / 1000)) }
      compareClocks()
    }
    if number % 600 == 0 { recorder.setState("screen", to: "\(number / 600 % 7)") }
    let drag = number % 300 == 0 ? recorder.beginInteraction(.drag) : nil
    let frame = recorder.beginFrame(
      FrameTiming(
        start: tick, deadline: tick + .nanoseconds(Self.refresh),
        refreshInterval: .nanoseconds(Self.refresh)))
    frame.phases { phases in
      phases.layout {
        for row in 0..<4 {
          let item = ItemID(UInt64(number * 4 + row))
          recorder.withCellStep(.configure, CellDetails(item: item)) {
            if isVirtual { recorder.setTime(tick + .nanoseconds(Int64(row + 1) * 200_000)) }
          }
        }
      }
      phases.draw {}
    }
    frame.end()
    if let drag { recorder.endInteraction(drag) }
    guard number % 600 == 599, !isVirtual else { return }
    // Threads come and go.
    Thread.detachNewThread { [recorder] in
      recorder.withImageStep(.decode, item: ItemID(UInt64(number))) {}
    }
  }

  private mutating func compareClocks() {
    let before = Self.systemTime()
    let now = recorder.now().nanoseconds
    let after = Self.systemTime()
    clockError = max(clockError, before - now, now - after)
  }

  private static func systemTime() -> Int64 {
    var time = timespec()
    #if canImport(Darwin)
      clock_gettime(CLOCK_UPTIME_RAW, &time)
    #else
      clock_gettime(CLOCK_MONOTONIC_RAW, &time)
    #endif
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  private var footprint: Footprint {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") } ?? ""
    let memory = line.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) }
    let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
    return Footprint(memory: memory ?? 0, fileSize: size ?? 0)
  }
}
