/// Writes a small trace of the kernel as text, in the shape that `atrace` prints.
enum SystraceSample {
  private static let refresh = 16_666_667

  /// Twelve frames of an app on one of two cores. In the sixth the app's thread is ready for 20 ms while
  /// a compiler has the core; in the ninth it waits 15 ms for a lock that its database holds.
  static var text: String {
    var lines = [
      "# tracer: nop", "#", "# entries-in-buffer/entries-written: 90/90   #P:2", "#",
      "#                                  _-----=> irqs-off",
      "#           TASK-PID    TGID   CPU#  ||||    TIMESTAMP  FUNCTION",
      "#              | |        |      |   ||||       |         |",
    ]
    for frame in 0..<12 { lines += events(ofFrame: frame) }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func events(ofFrame frame: Int) -> [String] {
    // The two stalls take more than a refresh each.
    let tick = frame + (frame > 5 ? 1 : 0) + (frame > 8 ? 1 : 0)
    let start = 100_000_000_000 + tick * refresh
    let main = Task(name: "om.example.feed", thread: 4242, process: 4242, core: 0)
    let idle = Task(name: "<idle>", thread: 0, process: nil, core: 0)
    var events = [
      idle.line(
        start, "sched_waking: comm=om.example.feed pid=4242 prio=110 target_cpu=000", flags: "d.h3"),
      idle.line(start + 40_000, change(from: (0, "R"), to: 4242)),
      main.line(start + 60_000, "tracing_mark_write: B|4242|Choreographer#doFrame \(700 + frame)"),
      main.line(start + 500_000, "tracing_mark_write: B|4242|RV OnBindView"),
    ]
    var time = start + 2_000_000
    if frame == 5 {
      let compiler = Task(name: "dex2oat64", thread: 990, process: 990, core: 0)
      events.append(main.line(time, change(from: (4242, "R+"), to: 990)))
      time += 20_000_000
      events.append(compiler.line(time, change(from: (990, "R"), to: 4242)))
    } else if frame == 8 {
      let database = Task(name: "db", thread: 4250, process: 4242, core: 1)
      events.append(
        Task(name: "<idle>", thread: 0, process: nil, core: 1).line(
          time - 800_000, change(from: (0, "R"), to: 4250)))
      events.append(
        database.line(time - 700_000, "tracing_mark_write: B|4242|write journal"))
      events.append(main.line(time, change(from: (4242, "S"), to: 0)))
      time += 15_000_000
      events.append(
        database.line(time, "sched_waking: comm=om.example.feed pid=4242 prio=110 target_cpu=000"))
      events.append(idle.line(time + 30_000, change(from: (0, "R"), to: 4242)))
      events.append(database.line(time + 50_000, "tracing_mark_write: E|4242"))
      events.append(database.line(time + 90_000, change(from: (4250, "S"), to: 0)))
    }
    events += [
      main.line(time + 1_000_000, "tracing_mark_write: E|4242"),
      main.line(time + 4_000_000, "tracing_mark_write: E|4242"),
      main.line(time + 4_100_000, change(from: (4242, "S"), to: 0)),
    ]
    return events
  }

  private static func change(from out: (thread: Int, state: String), to next: Int) -> String {
    "sched_switch: prev_comm=\(name(out.thread)) prev_pid=\(out.thread) prev_prio=120"
      + " prev_state=\(out.state) ==> next_comm=\(name(next)) next_pid=\(next) next_prio=120"
  }

  private static func name(_ thread: Int) -> String {
    [4242: "om.example.feed", 990: "dex2oat64", 4250: "db"][thread] ?? "swapper/0"
  }

  private struct Task {
    var name: String
    var thread: Int
    var process: Int?
    var core: Int

    func line(_ time: Int, _ event: String, flags: String = "d..3") -> String {
      let task = "\(name)-\(thread)"
      let process = process.map { "\($0)" } ?? "-----"
      let micro = "\(time / 1000 % 1_000_000)"
      return String(repeating: " ", count: max(0, 22 - task.count)) + task
        + " (" + String(repeating: " ", count: max(0, 5 - process.count)) + process
        + ") [00\(core)] \(flags)   \(time / 1_000_000_000)."
        + String(repeating: "0", count: 6 - micro.count) + micro + ": \(event)"
    }
  }
}
