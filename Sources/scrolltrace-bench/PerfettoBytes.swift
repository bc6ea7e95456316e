#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A trace in the form that Chromium writes with Perfetto's library, of any length.
///
/// Its packets have 62 bytes on average; those of our recordings of a scrolling page have 53 and
/// 77.
/// As in these, ends have about 14 bytes and no content, a script call has 260 bytes and eight
/// arguments, and half of all bytes are never read.
struct PerfettoBytes {
  /// The number of tasks per frame: like in Chromium's own traces, most events are work.
  private static let tasksPerFrame = 24

  /// The number of events per task.
  private static let eventsPerTask = 7

  private static let names = [
    "PipelineReporter", "ThreadControllerImpl::RunTask", "FunctionCall", "Layout",
    "UpdateCounters",
  ]

  /// Chromium's arguments of a call, as strings and as numbers.
  private static let callTexts = [
    ("frame", "E061B8AE052BEB73AD181E9C90FE7B9E"), ("functionName", "update"),
    ("isolate", "9268138923819998463"), ("scriptId", "4"),
    ("url", "file:///home/someone/pages/feed/heavy_main.html"),
  ]
  private static let callNumbers: [(String, UInt64)] = [
    ("lineNumber", 23), ("columnNumber", 11), ("sampleTraceId", 401_386_791_120_779),
  ]

  private var bytes: [UInt8] = []

  /// Writes about `events` events: tasks with work in them, and presentations.
  static func write(to path: String, events: Int) throws {
    guard let file = fopen(path, "w") else { throw ChromeJSONText.WriteError(path: path) }
    var trace = PerfettoBytes()
    trace.begin()
    for frame in 0..<(events / (tasksPerFrame * eventsPerTask + 2)) {
      trace.addFrame(UInt64(frame))
      if trace.bytes.count > 1 << 20 { trace.flush(to: file) }
    }
    trace.flush(to: file)
    guard ferror(file) == 0, fclose(file) == 0 else { throw ChromeJSONText.WriteError(path: path) }
  }

  private mutating func flush(to file: UnsafeMutablePointer<FILE>) {
    fwrite(bytes, 1, bytes.count, file)
    bytes.removeAll(keepingCapacity: true)
  }

  // MARK: - Packets

  private mutating func begin() {
    packet {
      $0.number(10, 1)
      $0.number(13, 1)
      $0.message(6) { snapshot in
        for (clock, time, unit) in [(6, 1_000_000, 1), (64, 1_000, 1000)]
          as [(UInt64, UInt64, UInt64)]
        {
          snapshot.message(1) {
            $0.number(1, clock)
            $0.number(2, time)
            if clock == 64 { $0.number(3, 1) }
            $0.number(4, unit)
          }
        }
      }
      $0.message(59) {
        $0.number(58, 64)
        $0.message(11) { $0.number(11, 100) }
      }
    }
    packet {
      $0.number(10, 1)
      $0.message(12) { data in
        for (index, name) in Self.names.enumerated() {
          data.message(2) {
            $0.number(1, UInt64(index + 1))
            $0.text(2, name)
          }
        }
        for (index, name) in ["toplevel", "benchmark"].enumerated() {
          data.message(1) {
            $0.number(1, UInt64(index + 1))
            $0.text(2, name)
          }
        }
        data.message(3) {
          $0.number(1, 1)
          $0.text(2, "data")
        }
      }
      $0.message(60) { track in
        track.number(1, 100)
        track.number(5, 99)
        track.message(4) {
          $0.number(1, 7)
          $0.number(2, 7)
          $0.text(5, "CrRendererMain")
        }
      }
    }
    packet {
      $0.message(60) { track in
        track.number(1, 99)
        track.message(3) {
          $0.number(1, 7)
          $0.text(6, "Renderer")
        }
      }
    }
  }

  private mutating func addFrame(_ number: UInt64) {
    let lane = 1_000 + number % 16
    event(after: 5, kind: 1, name: 1, on: lane) {
      $0.message(1075) {
        $0.number(1, 1)
        $0.number(3, 1)
        $0.number(4, number)
      }
    }
    for _ in 0..<Self.tasksPerFrame {
      event(after: 40, kind: 1, name: 2) { $0.number(3, 2) }
      event(after: 10, kind: 1, name: 3) { event in
        event.message(4) { annotation in
          annotation.number(1, 1)
          for (key, value) in Self.callTexts {
            annotation.message(11) {
              $0.text(10, key)
              $0.text(6, value)
            }
          }
          annotation.add(Self.callNumbers)
        }
      }
      event(after: 400, kind: 2)
      event(after: 1, kind: 3, name: 5) { event in
        event.message(4) { annotation in
          annotation.number(1, 1)
          annotation.add([("documents", 4), ("nodes", 658), ("jsEventListeners", 3)])
          annotation.add([("jsHeapSizeUsed", 4_080_000)])
        }
      }
      event(after: 5, kind: 1, name: 4)
      event(after: 90, kind: 2)
      event(after: 100, kind: 2)
    }
    event(after: 5, kind: 2, on: lane)
  }

  /// Adds members with numbers to an annotation.
  private mutating func add(_ numbers: [(String, UInt64)]) {
    for (key, value) in numbers {
      message(11) {
        $0.text(10, key)
        $0.number(3, value)
      }
    }
  }

  private mutating func event(
    after delta: UInt64, kind: UInt64, name: UInt64? = nil, on track: UInt64? = nil,
    _ more: (inout PerfettoBytes) -> Void = { _ in }
  ) {
    packet {
      $0.number(8, delta)
      $0.number(10, 1)
      $0.message(11) {
        $0.number(9, kind)
        $0.number(3, 1)
        if let name { $0.number(10, name) }
        if let track { $0.number(11, track) }
        more(&$0)
      }
      $0.number(13, 2)
      $0.number(3, 0)
    }
  }

  private mutating func packet(_ build: (inout PerfettoBytes) -> Void) { message(1, build) }

  // MARK: - The wire format

  private mutating func number(_ field: UInt64, _ value: UInt64) {
    append(field << 3)
    append(value)
  }

  private mutating func text(_ field: UInt64, _ value: String) {
    append(field << 3 | 2)
    append(UInt64(value.utf8.count))
    bytes += Array(value.utf8)
  }

  private mutating func message(_ field: UInt64, _ build: (inout PerfettoBytes) -> Void) {
    var inner = PerfettoBytes()
    build(&inner)
    append(field << 3 | 2)
    append(UInt64(inner.bytes.count))
    bytes += inner.bytes
  }

  private mutating func append(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }
}
