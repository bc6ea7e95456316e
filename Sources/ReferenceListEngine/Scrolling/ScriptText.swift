package import ScrollTraceRecorder

/// A scroll script as a text file: a first line that identifies it, then one line for each movement
/// or event, in order.
///
/// ```
/// scrolltrace session 1
/// rest 150ms
/// drag 3000 300ms          points a second, how long
/// fling 3000               runs out from so many points a second
/// animate -700 400ms       points, how long
/// page 2 700ms             views, how long
/// reorder 0 800ms          views (0: three lines), how long
/// refresh 900ms
/// at 200ms errand 90ms save draft
/// at 1200ms insert 2 0     how many items, before which position
/// at 1300ms delete 1 5     how many items, from which position on
/// at 1400ms change 3       how many of the items in view
/// ```
///
/// Empty lines and comments after `#` are ignored. Times are integers in ns, us, ms or s. The
/// movements last at most an hour in total, and at most a million items are inserted.
package enum ScriptText {
  /// The maximum time in a script, and of all movements together: an hour.
  package static var longest: Nanoseconds { 3_600_000_000_000 }
  /// The maximum number of points, items or views, and of all inserted items.
  private static var greatest: Int64 { 1_000_000 }
  private static var maximumLines: Int { 100_000 }

  /// Parses a script.
  ///
  /// - Throws: The invalid line and the valid alternatives.
  package static func parse(_ text: String) throws(ScriptError) -> ScrollScript {
    var script = ScrollScript(steps: [])
    var hasTitle = false
    var duration: Nanoseconds = 0
    // A line feed with a carriage return before it is one character.
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    guard lines.count <= maximumLines else {
      throw ScriptError(reason: "there are more than \(maximumLines) lines", advice: "")
    }
    for (index, line) in lines.enumerated() {
      let words = line.prefix { $0 != "#" }.split { $0 == " " || $0 == "\t" }.map(String.init)
      guard !words.isEmpty else { continue }
      do throws(ScriptError) {
        if !hasTitle {
          guard words == ["scrolltrace", "session", "1"] else {
            throw ScriptError(
              reason: "the first line is not 'scrolltrace session 1'", advice: "begin with it")
          }
          hasTitle = true
        } else if words[0] == "at" {
          try addEvent(words, to: &script)
        } else {
          let step = try step(words)
          duration += step.duration
          guard duration <= longest else {
            throw ScriptError(
              reason: "the movements last longer than an hour", advice: "let them be shorter")
          }
          script.steps.append(step)
        }
      } catch { throw ScriptError(reason: error.reason, line: index + 1, advice: error.advice) }
    }
    guard !script.steps.isEmpty else {
      throw ScriptError(
        reason: "nothing moves in the session", advice: "add a line such as 'drag 3000 300ms'")
    }
    guard script.newItemCount <= greatest else {
      throw ScriptError(reason: "more than \(greatest) items come in", advice: "let fewer come in")
    }
    return script
  }

  private static func step(_ words: [String]) throws(ScriptError) -> ScrollStep {
    switch (words[0], words.count) {
    case ("rest", 2): return .rest(try time(words[1]))
    case ("drag", 3): return .drag(velocity: try number(words[1]) * 1000, for: try time(words[2]))
    case ("fling", 2): return .deceleration(velocity: try number(words[1]) * 1000)
    case ("animate", 3):
      return .animation(distance: try number(words[1]) * 1000, for: try time(words[2]))
    case ("page", 3): return .paging(pages: try count(words[1]), for: try time(words[2]))
    case ("reorder", 3): return .reorder(pages: try count(words[1]), for: try time(words[2]))
    case ("refresh", 2): return .refresh(for: try time(words[1]))
    default:
      throw ScriptError(
        reason: "'\(words.joined(separator: " "))' is not understood",
        advice: "rest TIME, drag SPEED TIME, fling SPEED, animate DISTANCE TIME, page VIEWS TIME, "
          + "reorder VIEWS TIME, refresh TIME, or at TIME and an event")
    }
  }

  private static func addEvent(
    _ words: [String], to script: inout ScrollScript
  ) throws(ScriptError) {
    guard words.count >= 4 else {
      throw ScriptError(reason: "an event is missing after 'at'", advice: events)
    }
    let time = try time(words[1])
    let latest = max(script.errands.last?.time ?? 0, script.updates.last?.time ?? 0)
    guard time >= latest else {
      throw ScriptError(
        reason: "'\(words[1])' is earlier than the event before",
        advice: "events stand in their order")
    }
    switch (words[2], words.count) {
    case ("errand", 5...):
      let name = words[4...].joined(separator: " ")
      script.errands.append(Errand(at: time, name, cost: try self.time(words[3])))
    case ("insert", 5):
      let change = ListUpdate.ProposedChange.insert(
        try count(words[3], from: 0), at: try count(words[4]))
      script.updates.append(ListUpdate(at: time, change))
    case ("delete", 5):
      let change = ListUpdate.ProposedChange.delete(
        try count(words[3], from: 0), at: try count(words[4]))
      script.updates.append(ListUpdate(at: time, change))
    case ("change", 4):
      script.updates.append(ListUpdate(at: time, .change(try count(words[3], from: 0))))
    default: throw ScriptError(reason: "the event '\(words[2])' is not understood", advice: events)
    }
  }

  private static var events: String {
    "errand TIME NAME, insert COUNT POSITION, delete COUNT POSITION, or change COUNT"
  }

  private static func number(
    _ word: String, from minimum: Int64 = -greatest
  ) throws(ScriptError) -> Int64 {
    guard let number = Int64(word), minimum...greatest ~= number else {
      throw ScriptError(
        reason: "'\(word)' is not a number from \(minimum) to \(greatest)",
        advice: "write a whole number")
    }
    return number
  }

  private static func count(
    _ word: String, from minimum: Int64 = -greatest
  ) throws(ScriptError) -> Int {
    Int(try number(word, from: minimum))
  }

  private static func time(_ word: String) throws(ScriptError) -> Nanoseconds {
    let digits = word.prefix { $0.isASCII && $0.isNumber }
    let unit: Nanoseconds? =
      switch word.dropFirst(digits.count) {
      case "ns": 1
      case "us": 1_000
      case "ms": 1_000_000
      case "s": 1_000_000_000
      default: nil
      }
    guard let unit, let number = Int64(digits), number <= longest / unit else {
      throw ScriptError(
        reason: "'\(word)' is not a time", advice: "write it as 150ms, 2s or 400us, up to an hour")
    }
    return number * unit
  }

  // MARK: - Writing

  /// Returns `script` as text for `parse`. Fractions of points are truncated.
  package static func text(of script: ScrollScript) -> String {
    var lines = ["scrolltrace session 1"]
    lines += script.steps.map(line)
    var events: [(time: Nanoseconds, line: String)] = script.errands.map {
      ($0.time, "at \(text($0.time)) errand \(text($0.cost)) \(name($0.name))")
    }
    events += script.updates.map { update in
      let change =
        switch update.change {
        case .insert(let count, let position): "insert \(count) \(position)"
        case .delete(let count, let position): "delete \(count) \(position)"
        case .change(let count): "change \(count)"
        }
      return (update.time, "at \(text(update.time)) \(change)")
    }
    for (_, event) in events.enumerated().sorted(by: {
      ($0.element.time, $0.offset) < ($1.element.time, $1.offset)
    }) { lines.append(event.line) }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func line(_ step: ScrollStep) -> String {
    switch step {
    case .rest(let time): "rest \(text(time))"
    case .drag(let velocity, let time): "drag \(velocity / 1000) \(text(time))"
    case .deceleration(let velocity): "fling \(velocity / 1000)"
    case .animation(let distance, let time): "animate \(distance / 1000) \(text(time))"
    case .paging(let pages, let time): "page \(pages) \(text(time))"
    case .reorder(let pages, let time): "reorder \(pages) \(text(time))"
    case .refresh(let time): "refresh \(text(time))"
    }
  }

  private static func text(_ time: Nanoseconds) -> String {
    if time % 1_000_000 == 0 { return "\(time / 1_000_000)ms" }
    return time % 1_000 == 0 ? "\(time / 1_000)us" : "\(time)ns"
  }

  /// Returns a name without characters that a line cannot contain.
  private static func name(_ name: String) -> String {
    let words = name.split { $0 == "#" || $0.isNewline || $0 == " " || $0 == "\t" }
    return words.isEmpty ? "work" : words.joined(separator: " ")
  }
}

extension ScrollScript {
  /// The number of items that updates insert.
  fileprivate var newItemCount: Int64 {
    updates.reduce(0) { sum, update in
      guard case .insert(let count, _) = update.change else { return sum }
      return sum + Int64(count)
    }
  }
}

/// The reason why a text is not a valid script or policy.
package struct ScriptError: Error, Equatable, Sendable {
  package let reason: String
  /// The line, from 1, or `nil` if there is only one.
  package var line: Int?
  /// The valid alternatives.
  package let advice: String
}
