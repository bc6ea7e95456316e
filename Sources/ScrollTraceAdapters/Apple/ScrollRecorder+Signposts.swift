#if canImport(os)
  internal import os

  extension ScrollRecorder {
    /// Records each interaction also as an animation interval of a signposter, for which XCTest and MetricKit
    /// report hitches.
    ///
    /// Measure it in a test with `XCTOSSignpostMetric(subsystem:category:name:)` and the name `scroll`.
    public func addAnimationIntervals(subsystem: String, category: String = "ScrollTrace") {
      let signposter = OSSignposter(subsystem: subsystem, category: category)
      onInteraction = {
        let interval = signposter.beginAnimationInterval("scroll", id: signposter.makeSignpostID())
        return { signposter.endInterval("scroll", interval) }
      }
    }
  }
#endif
