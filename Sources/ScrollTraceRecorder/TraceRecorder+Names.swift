internal import Synchronization

extension TraceRecorder {
  /// A text that is only known at run time, to be used as a name any number of times.
  ///
  /// Register a text once and keep what is returned. Texts are kept for the life of the process, so
  /// they should be few: not one for each item.
  public func name(_ text: String) -> RecordedName {
    guard isUsable else { return "" }
    return control.pointee.store.takeUnretainedValue().intern(text)
  }

  /// A list with a name that reports show.
  public func list(_ name: String) -> ListID {
    ListID(name: self.name(name))
  }

  /// A stream of frames with a name of its own; asked for again, the same one.
  ///
  /// - Parameters:
  ///   - tolerance: How exact the presentation times are: 0 exact, 1,000,000 for display links,
  ///     which only know when the next refresh was due; `nil` where there is nothing to say.
  ///   - isGrid: Whether all times lie on the refresh grid.
  ///   - listsHitches: Whether its hitches are recorded as a list, with `hitch`, and no frames; an
  ///     empty list then means that there were none.
  public func surface(
    _ name: String, tolerance: Nanoseconds? = nil, isGrid: Bool? = nil, listsHitches: Bool? = nil
  ) -> Surface {
    guard isUsable else { return defaultSurface }
    let surface = control.pointee.store.takeUnretainedValue().surface(name).surface
    let details = SurfaceDetails(
      tolerance: tolerance, isGrid: isGrid, listsHitches: listsHitches)
    if details.keys != 0, takesEvent() {
      let writer = writer
      writer.writeLasting(
        .instant, SpanCategory.surface.name, surface.name, at: writer.eventTime(),
        details: details)
    }
    return surface
  }

  /// Whether the recorder's lock may be taken: not in the child of a fork.
  private var isUsable: Bool {
    control.pointee.mode.load(ordering: .relaxed) != RecorderMode.forked
  }
}

extension RecorderStore {
  /// The surface called `name`, and whether it is new.
  func surface(_ name: String) -> (surface: Surface, isNew: Bool) {
    let kept = intern(name)
    return locked { state in
      if let block = state.surfaces[name] { return (Surface(block: block), false) }
      let block = UnsafeMutablePointer<SurfaceBlock>.allocate(capacity: 1)
      block.initialize(to: SurfaceBlock(name: kept, keepsTicks: options.dumpsOnHitch != nil))
      state.surfaces[name] = block
      return (Surface(block: block), true)
    }
  }
}

/// What is known of a surface.
struct SurfaceDetails: EventDetails {
  var tolerance: Nanoseconds?
  var isGrid: Bool?
  var listsHitches: Bool?

  var keys: UInt64 {
    tolerance.bit(.tolerance) | isGrid.bit(.grid) | listsHitches.bit(.hitchList)
  }

  func add(to record: inout RecordBuilder, first: RecordText, second: RecordText) {
    if let tolerance { record.argument(.tolerance, UInt64(max(0, tolerance))) }
    if let isGrid { record.argument(.grid, isGrid) }
    if let listsHitches { record.argument(.hitchList, listsHitches) }
  }
}
