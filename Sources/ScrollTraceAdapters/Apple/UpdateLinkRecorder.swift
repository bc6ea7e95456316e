#if canImport(UIKit) && !os(watchOS)
  public import ScrollTraceRecorder
  public import UIKit

  /// Records every update of UIKit as a frame, with the deadline and the phases that UIKit tells.
  ///
  /// Where nothing changes on the screen, there are no updates and no frames; lists that it follows get
  /// an update at every refresh while they are moved. A frame lasts from the start of the update to the
  /// end of Core Animation's commit. Low-latency phases, which only drawing apps ask for, are part of no
  /// frame.
  ///
  /// The recorder must have the clock `uptime`, the default: UIKit's times are of that clock. A class,
  /// since the link calls it.
  @MainActor
  public final class UpdateLinkRecorder {
    private let link: UIUpdateLink
    private var frames: LinkedFrames<UpdateLinkTiming>
    private var pauses: AppPauses?

    private var scrolls: [ScrollRecorder] = []

    /// Records from now on, as long as `view` is in a visible window.
    public init(_ recorder: TraceRecorder, view: UIView, surface name: String = "display") {
      link = UIUpdateLink(view: view)
      frames = LinkedFrames(
        recorder, from: UpdateLinkTiming(), surface: recorder.registerSurface(named: name))
      addActions()
      link.isEnabled = true
      pauses = AppPauses { [weak self] in
        self?.pause()
      } resume: { [weak self] in
        self?.link.isEnabled = true
      }
    }

    /// Makes UIKit update at every refresh while `scroll` says that its list is moved, and ends what it
    /// records when the app goes into the background.
    ///
    /// Without it, a finger that rests on the list leaves refreshes without a frame, which count as
    /// hitches.
    public func follow(_ scroll: ScrollRecorder) {
      scrolls.append(scroll)
      scroll.onMovement = { [weak self] _ in self?.requireUpdates() }
      requireUpdates()
    }

    private func requireUpdates() {
      link.requiresContinuousUpdates = scrolls.contains { $0.isMoving }
    }

    /// Ends the recording of frames.
    public func stop() {
      pauses?.stop()
      link.isEnabled = false
      frames.end()
    }

    private func pause() {
      link.isEnabled = false
      frames.end()
      for scroll in scrolls { scroll.scrollViewDid(.cancelled) }
    }

    private func addActions() {
      link.addAction(to: .afterUpdateScheduled) { [weak self] _, info in
        guard
          let times = UpdateTimes(
            modelInSeconds: info.modelTime, deadlineInSeconds: info.completionDeadlineTime,
            presentationInSeconds: info.estimatedPresentationTime)
        else { return }
        self?.frames.begin(times)
      }
      link.addAction(to: .beforeEventDispatch) { [weak self] _, _ in self?.frames.begin(.event) }
      link.addAction(to: .afterEventDispatch) { [weak self] _, _ in self?.frames.endPhase() }
      link.addAction(to: .beforeCADisplayLinkDispatch) { [weak self] _, _ in
        self?.frames.begin(.update)
      }
      link.addAction(to: .afterCADisplayLinkDispatch) { [weak self] _, _ in
        self?.frames.endPhase()
      }
      link.addAction(to: .beforeCATransactionCommit) { [weak self] _, _ in
        self?.frames.begin(.commit)
      }
      link.addAction(to: .afterCATransactionCommit) { [weak self] _, _ in self?.frames.end() }
    }
  }
#endif
