import ScrollTraceFormat
import ScrollTraceModel

/// Collects the frames of windows, and turns each window into a surface.
struct GfxinfoSurfaces {
  /// Where a table of frames stands in a dump.
  struct Place: Hashable {
    let process: UInt64
    let processName: String
    let window: String
  }

  /// The window's frames, and which of them are there already.
  private struct Window {
    let place: Place
    var frames: [GfxinfoFrame] = []
    var known: Set<[Int64]> = []
  }

  /// More than any machine shows.
  private static let maximumWindowCount = 1024

  private var windows: [Window] = []
  private var places: [Place: Int] = [:]
  /// How many frames there are.
  private(set) var frameCount = 0

  /// Adds a frame; `false` where it is there already, since dumps that follow one another overlap.
  mutating func add(_ frame: GfxinfoFrame, of place: Place, to builder: inout TraceBuilder) -> Bool
  {
    let index = places[place] ?? windows.count
    if index == windows.count {
      guard index < Self.maximumWindowCount else {
        builder.countLoss(.limitReached)
        return true
      }
      windows.append(Window(place: place))
      places[place] = index
    }
    let key = [frame.frame.begin?.nanoseconds ?? -1, frame.frame.commitEnd?.nanoseconds ?? -1]
    guard windows[index].known.insert(key).inserted else { return false }
    windows[index].frames.append(frame)
    frameCount += 1
    return true
  }

  /// Adds all surfaces to `builder`.
  func finish(in builder: inout TraceBuilder) {
    let names = surfaceNames
    let phase = builder.string("\(Vocabulary.Category.phase)")
    let waiting = builder.string("\(Vocabulary.Category.waiting)")
    for (window, name) in zip(windows, names) {
      let process = builder.process(window.place.process)
      builder.setName(window.place.processName, of: process)
      // On Android, as on all of Linux, the main thread has the number of its process.
      let main = builder.track(window.place.process, of: process)
      builder.setName("main", of: main)
      builder.setMain(main)
      // The dump does not tell the other's number; this one no thread can have.
      let render = builder.track(window.place.process &+ 1 << 30, of: process)
      builder.setName("RenderThread", of: render)
      let surface = builder.surface(name)
      func add(_ phase: GfxinfoFrame.Phase, _ category: StringID, on track: TrackID) {
        let label = builder.label(category: category, name: builder.string(phase.name))
        builder.addSpan(on: track, from: phase.begin, to: phase.end, label: label)
      }
      for frame in window.frames {
        var update = frame.frame
        update.track = main
        builder.updateFrame(update, of: surface)
        for part in frame.mainPhases { add(part, phase, on: main) }
        if let wait = frame.wait { add(wait, waiting, on: main) }
        for part in frame.renderPhases { add(part, phase, on: render) }
      }
    }
  }

  /// The windows' names, without what changes from run to run where they differ without it too.
  private var surfaceNames: [String] {
    let short = windows.map { window in
      let place = window.place
      guard !place.window.isEmpty else {
        return place.processName.isEmpty ? "window" : place.processName
      }
      let parts = place.window.split(separator: "/", omittingEmptySubsequences: false)
      return parts.count > 1 && parts[parts.count - 1].hasPrefix("android.view.ViewRootImpl@")
        ? parts.dropLast().joined(separator: "/") : place.window
    }
    var counts: [String: Int] = [:]
    for name in short { counts[name, default: 0] += 1 }
    return zip(short, windows).map { name, window in
      guard counts[name, default: 0] > 1 else { return name }
      return "\(window.place.window.isEmpty ? name : window.place.window)"
        + " (\(window.place.process))"
    }
  }
}
