#if canImport(os)
  internal import os

  extension ScrollRecorder {
    /// Makes each interaction an animation interval of a signposter too, by which XCTest and MetricKit
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
