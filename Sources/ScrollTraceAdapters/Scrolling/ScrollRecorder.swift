public import ScrollTraceRecorder

/// Records the interactions with a list from the calls of its scroll view's delegate.
///
/// A class, because the delegate, the refresh control and the app's pauses share it. Use it only on
/// the thread that creates it, the main thread.
public final class ScrollRecorder {
  private let recorder: TraceRecorder
  private let surface: RecordedSurface?
  private var movement: InteractionToken?
  private var refreshing: InteractionToken?
  private var reordering: InteractionToken?

  private(set) var motion = ScrollMotion.rest
  /// Called when an interaction begins; what it returns is called when it ends.
  var onInteraction: (() -> () -> Void)?
  private var endsInteraction: (() -> Void)?

  /// A Boolean value indicating whether a frame is expected at every refresh, because the content
  /// moves, is refreshed or is reordered.
  public private(set) var isMoving = false

  /// A closure that is called when `isMoving` changes.
  ///
  /// A host that makes frames only if something changes must make a frame at every refresh while `isMoving`
  /// is `true`. Otherwise, a resting finger counts as a hitch.
  public var onMovement: ((_ isMoving: Bool) -> Void)?

  /// Creates a recorder for a list at rest.
  ///
  /// - Parameters:
  ///   - recorder: The recorder.
  ///   - surface: The surface that moves, or `nil` for all surfaces.
  public init(_ recorder: TraceRecorder, surface: RecordedSurface? = nil) {
    self.recorder = recorder
    self.surface = surface
  }

  /// Records an event of the scroll view.
  public func scrollViewDid(_ event: ScrollEvent) {
    let next = motion.after(event)
    defer { tellMovement() }
    if event == .cancelled {
      set(&refreshing, .refresh, to: false)
      set(&reordering, .reorder, to: false)
    }
    // A new drag or animation is a new interaction.
    let isAnimation = event == .willAnimate || event == .willScrollToTop
    let isAnew = event == .willBeginDragging || isAnimation && motion != .drag
    guard next != motion || isAnew else { return }
    motion = next
    if let movement { recorder.endInteraction(movement) }
    endsInteraction?()
    movement = Self.kind(of: next).map { recorder.beginInteraction($0, surface: surface) }
    endsInteraction = movement == nil ? nil : onInteraction?()
  }

  /// Records the start or end of pull to refresh.
  public func setRefreshing(_ isRefreshing: Bool) {
    set(&refreshing, .refresh, to: isRefreshing)
    tellMovement()
  }

  /// Records that an item is picked up or dropped.
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
