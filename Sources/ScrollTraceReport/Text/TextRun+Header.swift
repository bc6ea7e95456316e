import ScrollTraceAnalysis
import ScrollTraceModel

extension TextRun {
  /// What was read and, in one line, what came of it.
  var header: [TextLine] {
    opening + selection + headline + (textOfAssumption.map { wrapped($0, indent: 2) } ?? [])
      + (surface.map { basis($0) + ledger($0) } ?? [])
  }

  /// The tool and the file, in one line where there is room.
  var opening: [TextLine] {
    var title = Self.title
    let source = source(in: style.width)
    guard title.width + 2 + source.width <= style.width else { return [title, source] }
    title.append("  ")
    title.append(source)
    return [title]
  }

  /// The part of the trace that the report is about; nothing where that is all of it.
  var selection: [TextLine] {
    textOfSelection.map { wrapped($0, indent: 2) } ?? []
  }

  /// The same as a sentence; `nil` where nothing was selected.
  var textOfSelection: String? {
    guard let text = wording.text(of: run.options.selection) else { return nil }
    let time = run.selectedTime.map { "; \(Quantity.length($0.length)) in all" } ?? ""
    return "selected: \(sentence(text))\(time)"
  }

  /// The file, its format and size, in so many columns.
  func source(in columns: Int) -> TextLine {
    let size = trace.source.byteCount.map { ", " + Quantity.bytes($0) } ?? ""
    let length =
      trace.source.tellsLength ? Quantity.length(trace.range.length) : "length unknown"
    let facts = "\(name(trace.source.format, 20))\(size), \(length)"
    let path = trace.source.path.isEmpty ? "(no file)" : trace.source.path
    return TextLine("\(nameEnding(path, columns - 2 - facts.count))  \(facts)")
  }

  /// The band, the ratio and what it is made of.
  var headline: [TextLine] {
    guard let surface, surface.isEvaluated else {
      let word = TextLine("NOT MEASURABLE  ", .near)
      let lines: [TextLine] = .wrapping(
        reasonForNoData, width: style.width - word.width, ink: .near, ellipsis: glyphs.ellipsis)
      return lines.behind(word)
    }
    return sentence(facts(of: surface), behind: verdictWord)
  }

  /// Every refresh in motion, counted once (M-23).
  private func ledger(_ surface: SurfaceAnalysis) -> [TextLine] {
    textOfLedger(surface).map { wrapped($0, indent: 2) } ?? []
  }

  /// The same as a sentence; `nil` without motion.
  func textOfLedger(_ surface: SurfaceAnalysis) -> String? {
    guard let ledger = surface.ledger, ledger.owed > .zero else { return nil }
    func count(_ part: TimeSpan) -> String {
      Quantity.fixed(ledger.refreshes(part).rounded(), places: 0)
    }
    let parts = [
      ("new", ledger.new), ("repeated", ledger.repeated), ("not requested", ledger.notRequested),
      ("settled", ledger.settled), ("unknown", ledger.unknown),
    ].filter { $0.1 > .zero }.map { "\(count($0.1)) \($0.0)" }
    return "refreshes owed: \(count(ledger.owed))"
      + (parts.isEmpty ? "" : " (\(parts.joined(separator: ", ")))")
  }

  /// The ratio of a surface and what it is made of.
  func facts(of surface: SurfaceAnalysis) -> String {
    let estimated = surface.isEstimated ? " (estimated)" : ""
    // That there is no ratio says the word before it.
    let ratio = surface.ratio.map { "\(Quantity.ratio($0, in: profile)): " } ?? ""
    return
      "\(ratio)\(Quantity.count(surface.hitchesInMotion, "hitch", "hitches")),"
      + " \(Quantity.length(surface.hitchTime ?? .zero))\(estimated) late in"
      + " \(wording.text(of: surface.measuredTime))"
      + wordsOnRating(surface) + (wordsOnLosses.map { "; \($0)" } ?? "")
  }

  /// Why the rating is not that of the ratio, and another surface that is rated worse.
  private func wordsOnRating(_ surface: SurfaceAnalysis) -> String {
    var words = surface.rated(by: profile).reason.map { "; \($0.text)" } ?? ""
    if surface.surface == run.evaluatedPrimarySurface?.surface, let other = run.worstOtherSurface {
      let rating = Self.word(for: other.rated(by: profile).rating)
      words += "; \(name(other.name)) is \(rating) (\(text(of: other.ratio)))"
    }
    return words
  }

  /// That the numbers are of a part only; `nil` where all there was was read.
  var wordsOnLosses: String? { trace.losses.isEmpty ? nil : "data was lost" }

  /// A sentence behind a word that its further lines leave room for.
  func sentence(_ text: String, behind word: TextLine) -> [TextLine] {
    var start = word
    start.append("  ")
    let lines: [TextLine] = .wrapping(
      text, width: style.width - start.width, ellipsis: glyphs.ellipsis)
    return lines.behind(start)
  }

  /// Why nothing can be said of how smooth it was.
  var reasonForNoData: String {
    let frames = trace.surfaces.reduce(0) { $0 + $1.frames.count }
    if listsHitchesOfUnknownTime {
      return "the source lists hitches, and does not say how long was recorded"
    }
    if frames > 0, run.options.namesInteractions,
      run.surfaces.allSatisfy({ $0.measuredTime.duration == .zero })
    {
      return "no interaction that was named lies in the recording"
    }
    if frames > 0, run.selectedTime?.isEmpty == true {
      return "nothing that was selected lies in the recording"
    }
    if frames > 0, run.options.selection.narrowsTime {
      return "what was selected holds no frame that can be judged"
    }
    if frames == 0, !trace.aggregates.isEmpty {
      return "the source tells sums, and no frames"
    }
    let reason =
      frames == 0
      ? "the trace holds no frames"
      : "none of \(Quantity.count(frames, "frame")) can be judged\(causeOfNoData)"
    guard let loss = trace.losses.first else { return reason }
    return reason + "; data was lost: " + sentence(wording.text(of: loss))
  }

  /// What is not known of any surface with frames, although it is needed.
  private var causeOfNoData: String {
    let names = Set(trace.surfaces.filter { $0.frames.count > 0 }.map(\.name))
    let notices = Set(run.notices)
    var causes: [String] = []
    if names.allSatisfy({ notices.contains(.noInterval(surface: $0)) }) {
      causes.append("no refresh interval is known")
    }
    let isCadence = run.surfaces.allSatisfy { $0.basis == .cadence || !names.contains($0.name) }
    if isCadence, names.allSatisfy({ notices.contains(.noInteractions(surface: $0)) }) {
      causes.append("nothing says when it moved")
    }
    return causes.isEmpty ? "" : ": \(causes.joined(separator: ", and "))"
  }

  /// Whether all there is are listed hitches, and nobody says of how long a time.
  var listsHitchesOfUnknownTime: Bool {
    !trace.source.tellsLength && trace.surfaces.contains { $0.basis == .hitchList }
  }

  /// The rating in capitals.
  var verdictWord: TextLine {
    let rating = surface?.rated(by: profile).rating ?? .notMeasurable
    return TextLine(Self.word(for: rating), ink(of: rating))
  }

  /// A rating in capitals.
  static func word(for rating: Rating) -> String {
    rating == .notMeasurable ? "NOT MEASURABLE" : rating.rawValue.uppercased()
  }

  /// On what the leading surface was judged.
  private func basis(_ surface: SurfaceAnalysis) -> [TextLine] {
    wrapped(textOfBasis(surface), indent: 2)
  }

  /// What the ratio would be had the surface moved all the time; `nil` where that is not the question.
  var textOfAssumption: String? {
    guard let surface, let moving = surface.assumingAlwaysMoving, let ratio = moving.ratio else {
      return nil
    }
    let hitches = Quantity.count(moving.hitchCount, "hitch", "hitches")
    let longest =
      moving.hitchCount > 1 ? ", the longest \(Quantity.length(moving.longestHitch))" : ""
    return "had \(name(surface.name)) moved all the time: \(text(of: ratio)), \(hitches),"
      + " \(Quantity.length(moving.hitchTime)) late\(longest)"
  }

  /// The same as a sentence.
  func textOfBasis(_ surface: SurfaceAnalysis) -> String {
    var text = "\(name(surface.name)): "
    if let total = surface.counts.total, let evaluated = surface.counts.evaluated {
      text += "\(evaluated) of \(Quantity.count(total, "frame")) "
    }
    text += "judged by \(wording.text(of: surface.basis))"
    if surface.tolerance > .zero { text += ", tolerance \(Quantity.length(surface.tolerance))" }
    for (index, interval) in surface.refreshIntervals.prefix(4).enumerated() {
      text += "\(index == 0 ? "; " : ", ")\(Quantity.rate(interval.refreshInterval))"
      text += " (\(Quantity.interval(interval.refreshInterval))"
      text +=
        surface.refreshIntervals.count > 1 ? ", \(Quantity.count(interval.frames, "frame")))" : ")"
    }
    if surface.refreshIntervals.isEmpty { text += "; refresh interval unknown" }
    return text
  }

  /// The end of a name, which for paths tells most.
  func nameEnding(_ text: String, _ columns: Int) -> String {
    let tail = style.sink.escape(String(text.unicodeScalars.suffix(columns * 4 + 1)))
    guard ColumnWidth.of(tail) > columns else { return tail }
    let room = columns - ColumnWidth.of(glyphs.ellipsis)
    var kept = String.UnicodeScalarView()
    for scalar in tail.unicodeScalars.reversed() {
      guard ColumnWidth.of(String(kept)) + ColumnWidth.of(String(scalar)) <= room else { break }
      kept.append(scalar)
    }
    return glyphs.ellipsis + String(String.UnicodeScalarView(kept.reversed()))
  }
}
