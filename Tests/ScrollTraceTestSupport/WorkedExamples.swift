/// The worked examples of the metric definitions as drawings; E-19 is a list of hitches.
public enum WorkedExamples {
  /// E-1: 0.5 s at 60 Hz with six hitches of one refresh, 100.02 ms in all.
  public static func e1() -> DrawnTrace {
    // A refresh of Apple's example is 16.67 ms; every fifth frame is late by one.
    DrawnTrace(refreshInterval: 16_670_000, frames: 30, dragUntil: 500_000_000) { id, begin in
      let target = begin + 16_670_000
      return ["target": target, "shown": target + (id % 5 == 2 ? 16_670_000 : 0)]
    }
  }

  /// E-2: a frame that starts late, after prefetching, and is done in time.
  public static func e2() -> DrawnTrace {
    DrawnTrace(
      hz: 60,
      """
      ms    66.667    83.333       96  99.900 100.000
      begin           1
      start                        1
      done                             1
      due                                     1
      """)
  }

  /// E-3: a commit longer than a refresh that had the time.
  public static func e3() -> DrawnTrace {
    DrawnTrace(
      hz: 60,
      """
      ms    80        100      113.333
      begin 1
      start 1
      done            1
      due                      1
      """)
  }

  /// E-4: half a refresh late at 120 Hz, exact times.
  public static func e4() -> DrawnTrace {
    DrawnTrace(
      hz: 120,
      """
      ms     33.333   50.000   54.168
      begin  1
      target          1
      shown                    1
      """)
  }

  /// E-5: done 0.1 ms after the deadline.
  public static func e5() -> DrawnTrace {
    DrawnTrace(
      hz: 60,
      """
      ms    0         16.667   16.767
      begin 1
      start 1
      done                     1
      due             1
      """)
  }

  /// E-6: nothing is shown for four refreshes, though the third frame met its own deadline.
  public static func e6() -> DrawnTrace {
    DrawnTrace(
      hz: 60,
      """
      ms    0         16.667    33.333    50.000    66.667    83.333    100.000
      drag  [                                                           ]
      begin 1         2                                       3
      shown 1         2                                       3
      """)
  }

  /// E-7: the same outside any interaction.
  public static func e7() -> DrawnTrace {
    var drawn = e6()
    drawn.interactions = []
    for index in drawn.frames.indices {
      let shown = drawn.frames[index].times["shown"]
      drawn.frames[index].times["target"] = shown
    }
    return drawn
  }

  /// E-8: 120 Hz, then 60 Hz announced through the frames' intervals.
  public static func e8() -> DrawnTrace {
    var drawn = DrawnTrace(
      hz: 120,
      """
      ms    0    8.333 16.667    33.333    50.000    66.667
      drag  [                                        ]
      begin 1    2     3         4         5
      shown 1    2     3         4         5
      """)
    for id: UInt64 in 4...5 { drawn.refreshIntervals[id] = 16_666_667 }
    return drawn
  }

  /// E-9: nested spans on the main thread.
  public static func e9() -> DrawnTrace {
    DrawnTrace(
      hz: nil,
      """
      ms   0         10        20        30        40
      main [outer    ]         [other    ]
      main   [in]
      end                                          |
      """)
  }

  /// E-10: main busy 20, two background tracks busy 20 and 40.
  public static func e10() -> DrawnTrace {
    DrawnTrace(
      hz: nil,
      """
      ms   0         10        20        30        40
      main [                   ]
      bg1            [                   ]
      bg2  [                                       ]
      """)
  }

  /// E-12: frames without anything to evaluate them by.
  public static func e12() -> DrawnTrace {
    DrawnTrace(
      hz: 60,
      """
      ms    0         16.667   33.333
      start 1         2        3
      """)
  }

  /// E-13: one late commit; the next one begins after it and is on time.
  public static func e13() -> DrawnTrace {
    DrawnTrace(
      hz: 60,
      """
      ms    0         16.667  30  33.333  40        50.000
      drag  [                                       ]
      begin 1                     2
      done                    1           2
      due             1                             2
      """)
  }

  /// E-14: smooth; every second presentation time is unknown.
  public static func e14() -> DrawnTrace {
    DrawnTrace(frames: 40, dragUntil: 40 * 16_666_667) { id, begin in
      var times = ["done": begin + 8_000_000, "due": begin + 16_666_667]
      times["target"] = begin + 33_333_334
      if id % 2 == 0 { times["shown"] = begin + 33_333_334 }
      return times
    }
  }

  /// E-15: one slip of a refresh, then 100 frames evenly behind their targets.
  public static func e15() -> DrawnTrace {
    DrawnTrace(frames: 111, dragUntil: 115 * 16_666_667) { id, begin in
      let target = begin + 16_666_667
      return ["target": target, "shown": target + (id >= 10 ? 16_666_667 : 0)]
    }
  }

  /// E-16: 2 s of smooth drag, a frame begun, then 5 s of nothing until the trace ends.
  public static func e16() -> DrawnTrace {
    var drawn = DrawnTrace(frames: 121) { id, begin in
      id == 120
        ? [:] : ["start": begin, "done": begin + 5_000_000, "due": begin + 16_666_667]
    }
    drawn.interactions = [.init(kind: "drag", start: 0, end: nil)]
    drawn.end = 7_000_000_000
    return drawn
  }

  /// E-17: the third of four frames is dropped.
  public static func e17() -> DrawnTrace {
    DrawnTrace(
      hz: 60,
      """
      ms    0         16.667    33.333    50.000    66.667
      drag  [                                       ]
      begin 1         2                   4
      drop                      3
      shown 1         2                   4
      """)
  }

  /// E-18: a drag of 200 ms whose last frame is 1.5 s late.
  public static func e18() -> DrawnTrace {
    DrawnTrace(frames: 11, dragUntil: 200_000_000) { id, begin in
      let target = begin + 16_666_667
      return ["target": target, "shown": target + (id == 10 ? 1_500_000_000 : 0)]
    }
  }

  /// E-19: the lengths of 12 listed hitches, 200.485 ms in all, of a recording of 72.453746 s.
  public static let e19Lengths: [Int64] =
    Array(repeating: 16_708_000, count: 11) + [16_697_000]
  /// The length of E-19's recording in nanoseconds.
  public static let e19Duration: Int64 = 72_453_746_000

  /// E-20: a constant cadence of 25.5 ms where 16.667 ms are announced.
  public static func e20() -> DrawnTrace {
    DrawnTrace(pace: 25_500_000, frames: 40, dragUntil: 40 * 25_500_000) { ["shown": $1] }
  }
}
