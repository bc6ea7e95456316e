public import ScrollTraceRecorder

/// Records how a list is moved, told by the calls that its scroll view's delegate gets anyway.
///
/// A class, since delegate, refresh control and the app's pauses speak of the same movement. It
/// belongs to the thread it is made on, the main thread.
public final class ScrollRecorder {
  private let recorder: TraceRecorder
  private let surface: RecordedSurface?
  private var movement: InteractionToken?
  private var refreshing: InteractionToken?
  private var reordering: InteractionToken?

  /// What the content is doing.
  private(set) var motion = ScrollMotion.rest

  /// Whether the display is owed a frame at every refresh: the content moves, is refreshed or reordered.
  public private(set) var isMoving = false

  /// Called when `isMoving` changes.
  ///
  /// A host that makes frames only where something changes has to make them all while this holds: a
  /// finger that rests on a list would count as a hitch.
  public var onMovement: ((_ isMoving: Bool) -> Void)?

  /// A list at rest. `surface` is the one that moves; `nil` for all.
  public init(_ recorder: TraceRecorder, surface: RecordedSurface? = nil) {
    self.recorder = recorder
    self.surface = surface
  }

  /// Records what an event of the scroll view changes.
  public func scrollViewDid(_ event: ScrollEvent) {
    let next = motion.after(event)
    defer { tellMovement() }
    if event == .cancelled {
      set(&refreshing, .refresh, to: false)
      set(&reordering, .reorder, to: false)
    }
    // A new drag or animation is an interaction of its own.
    let isAnew = event == .willBeginDragging || event == .willAnimate && motion != .drag
    guard next != motion || isAnew else { return }
    motion = next
    if let movement { recorder.endInteraction(movement) }
    movement = Self.kind(of: next).map { recorder.beginInteraction($0, surface: surface) }
  }

  /// Pull to refresh begins or ends.
  public func setRefreshing(_ isRefreshing: Bool) {
    set(&refreshing, .refresh, to: isRefreshing)
    tellMovement()
  }

  /// An item is picked up, or put down.
  public func setReordering(_ isReordering: Bool) {
    set(&reordering, .reorder, to: isReordering)
    tellMovement()
  }

  private func set(_ token: inout InteractionToken?, _ kind: InteractionKind, to isOn: Bool) {
    if isOn, token == nil { token = recorder.beginInteraction(kind, surface: surface) }
    guard !isOn, let open = token else { return }
    recorder.endInteraction(open)
    token = nil
  }

  private func tellMovement() {
    let isMovingNow = motion != .rest || refreshing != nil || reordering != nil
    guard isMovingNow != isMoving else { return }
    isMoving = isMovingNow
    onMovement?(isMoving)
  }

  private static func kind(of motion: ScrollMotion) -> InteractionKind? {
    switch motion {
    case .rest: nil
    case .drag: .drag
    case .deceleration: .deceleration
    case .paging: .paging
    case .animation: .animation
    }
  }
}
