// Mac Catalyst has no update links.
#if canImport(UIKit) && !os(watchOS) && !targetEnvironment(macCatalyst)
  public import ScrollTraceRecorder
  public import UIKit

  /// Records every UIKit update as a frame, with the deadline and the phases that UIKit reports.
  ///
  /// While nothing changes on screen, there are no updates and no frames. Lists that the recorder
  /// follows get an update at every refresh while they move. A frame lasts from the start of the
  /// update to the end of Core Animation's commit. Low-latency phases, which only drawing apps
  /// request, are not part of a frame.
  ///
  /// The recorder must use the clock `uptime`, which is the default and the clock of UIKit's times.
  /// A class, because the link calls it.
  @available(iOS 18, tvOS 18, visionOS 2, *)
  @MainActor
  public final class UpdateLinkRecorder {
    private let link: UIUpdateLink
    private var frames: LinkedFrames<UpdateLinkTiming>
    private var pauses: AppPauses?
    private var turns: RunLoopTurns?

    private var scrolls: [ScrollRecorder] = []

    /// Starts recording while `view` is in a visible window.
    public init(_ recorder: TraceRecorder, view: UIView, surface name: String = "display") {
      recorder.setState("host", to: "UIKit")
      link = UIUpdateLink(view: view)
      frames = LinkedFrames(
        recorder, from: UpdateLinkTiming(), surface: recorder.registerSurface(named: name))
      addActions()
      link.isEnabled = true
      turns = RunLoopTurns { [weak self] in
        self?.frames.runLoopWakes()
      } waits: { [weak self] in
        self?.frames.runLoopWaits()
      }
      pauses = AppPauses { [weak self] in
        self?.pause()
      } resume: { [weak self] in
        self?.link.isEnabled = true
      }
    }

    /// Makes UIKit update at every refresh while `scroll` is moving, and ends its interactions when
    /// the app enters the background.
    ///
    /// Otherwise, while a finger rests on the list, refreshes have no frame and count as hitches.
    public func follow(_ scroll: ScrollRecorder) {
      scrolls.append(scroll)
      scroll.onMovement = { [weak self] _ in self?.requireUpdates() }
      requireUpdates()
    }

    private func requireUpdates() {
      link.requiresContinuousUpdates = scrolls.contains { $0.isMoving }
    }

    /// Stops recording frames.
    public func stop() {
      pauses?.stop()
      turns?.stop()
      link.isEnabled = false
      frames.runLoopWaits()
      frames.end()
    }

    private func pause() {
      link.isEnabled = false
      frames.end()
      frames.source = UpdateLinkTiming()
      for scroll in scrolls { scroll.scrollViewDid(.cancelled) }
    }

    private func addActions() {
      link.addAction(to: .afterUpdateScheduled) { [weak self] _, info in
        if let times = UpdateTimes(info) { self?.frames.begin(times) }
      }
      link.addAction(to: .beforeEventDispatch) { [weak self] _, _ in
        self?.frames.begin(phase: "event")
      }
      link.addAction(to: .afterEventDispatch) { [weak self] _, _ in self?.frames.endPhase() }
      link.addAction(to: .beforeCADisplayLinkDispatch) { [weak self] _, _ in
        self?.frames.begin(phase: "update")
      }
      link.addAction(to: .afterCADisplayLinkDispatch) { [weak self] _, _ in
        self?.frames.endPhase()
      }
      link.addAction(to: .beforeCATransactionCommit) { [weak self] _, info in
        // The times can change while an update goes on.
        if let times = UpdateTimes(info) {
          self?.frames.correct(deadline: times.deadline, target: times.presentation)
        }
        self?.frames.begin(phase: "commit")
      }
      link.addAction(to: .afterCATransactionCommit) { [weak self] _, _ in self?.frames.end() }
    }
  }

  @available(iOS 18, tvOS 18, visionOS 2, *)
  extension UpdateTimes {
    @MainActor
    fileprivate init?(_ info: UIUpdateInfo) {
      self.init(
        modelInSeconds: info.modelTime, deadlineInSeconds: info.completionDeadlineTime,
        presentationInSeconds: info.estimatedPresentationTime)
    }
  }
#endif
