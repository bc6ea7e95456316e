import ScrollTraceLayout
import ScrollTraceModel

/// Collects the frames of windows, and turns each window into a surface.
struct GfxinfoSurfaces {
  /// Where a table of frames stands in a dump.
  struct Place: Hashable {
    let process: UInt64
    let processName: String
    let window: String
  }

  /// When a frame began and ended, by which it is known in another dump.
  private struct Times: Hashable {
    let start: Timestamp?
    let end: Timestamp?
  }

  /// The window's frames, and which of them are there already.
  private struct Window {
    let place: Place
    let main: TrackID
    let render: TrackID
    var frames: [Frame] = []
    var known: Set<Times> = []
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
      windows.append(Self.window(place, in: &builder))
      places[place] = index
    }
    let times = Times(start: frame.frame.start, end: frame.frame.commitEnd)
    guard windows[index].known.insert(times).inserted else { return false }
    let (main, render) = (windows[index].main, windows[index].render)
    var update = frame.frame
    update.track = main
    windows[index].frames.append(update)
    frameCount += 1
    func add(_ phase: GfxinfoFrame.Phase, _ category: StaticString, on track: TrackID) {
      let label = builder.label(
        category: builder.string("\(category)"), name: builder.string(phase.name))
      builder.addSpan(on: track, from: phase.start, to: phase.end, label: label)
    }
    for phase in frame.mainPhases { add(phase, Vocabulary.Category.phase, on: main) }
    if let wait = frame.wait { add(wait, Vocabulary.Category.waiting, on: main) }
    for phase in frame.renderPhases { add(phase, Vocabulary.Category.phase, on: render) }
    return true
  }

  /// Adds all surfaces to `builder`, once the names of all windows are known.
  func finish(in builder: inout TraceBuilder) {
    for (window, name) in zip(windows, surfaceNames) {
      let surface = builder.surface(name)
      for frame in window.frames { builder.updateFrame(frame, of: surface) }
    }
  }

  /// A window without a frame, and the threads that draw it. None is said to be the main one: of
  /// several processes that with most frames is the host.
  private static func window(_ place: Place, in builder: inout TraceBuilder) -> Window {
    let process = builder.process(place.process)
    builder.setName(place.processName, of: process)
    // On Android, as on all of Linux, the main thread has the number of its process.
    let main = builder.track(place.process, of: process)
    builder.setName("main", of: main)
    // The dump does not tell the other's number; this one no thread can have.
    let render = builder.track(place.process &+ 1 << 30, of: process)
    builder.setName("RenderThread", of: render)
    return Window(place: place, main: main, render: render)
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
