extension ResultSamples {
  /// Three iterations of a scroll as Macrobenchmark tells them: frame 9 of each takes 21 ms and misses
  /// its deadline by 6 ms.
  static var macrobenchmark: String {
    func runs(_ value: (Int, Int) -> Int) -> String {
      (0..<3).map { run in
        "[" + (0..<20).map { tenths(value(run, $0)) }.joined(separator: ",") + "]"
      }.joined(separator: ",\n")
    }
    let lengths = runs { run, frame in frame == 9 ? 210 : 45 + (frame * 7 + run) % 30 }
    let overruns = runs { run, frame in frame == 9 ? 60 : -80 + (frame * 7 + run) % 30 }
    return """
      {"context":{"build":{"brand":"maker","model":"Phone 1","version":{"sdk":34}},"cpuLocked":true},
      "benchmarks":[{"name":"scroll","params":{},"className":"com.example.FeedBenchmark",
      "totalRunTimeNs":9000000000,
      "metrics":{"frameCount":{"minimum":20.0,"maximum":20.0,"median":20.0,"runs":[20.0,20.0,20.0]}},
      "sampledMetrics":{
      "frameDurationCpuMs":{"P50":5.95,"P90":7.3,"P95":8.08,"P99":21.0,"runs":[
      \(lengths)]},
      "frameOverrunMs":{"P50":-6.55,"P90":-5.2,"P95":-4.545,"P99":6.0,"runs":[
      \(overruns)]}},
      "warmupIterations":0,"repeatIterations":3,"thermalThrottleSleepSeconds":0}]}

      """
  }

  /// Two iterations of two seconds of a list as Flashlight measures them; in the second of each four
  /// intervals the thread of JavaScript is busy and a third of the frames is missing.
  static var flashlight: String {
    let iterations = (0..<2).map { run in
      let measures = (0..<4).map { index in
        let isBusy = index == 1
        return """
          {"cpu":{"perName":{"UI Thread":\(isBusy ? 60 : 20).5,"mqt_js":\(isBusy ? 95 : 30 + run).0,\
          "RenderThread":25.0},"perCore":{"0":50.0}},"fps":\(isBusy ? 40 : 60),"ram":\(300 + index * 5),\
          "time":\(500 * (index + 1))}
          """
      }
      return "{\"time\":2010.5,\"startTime\":0,\"status\":\"SUCCESS\",\"measures\":[\n"
        + measures.joined(separator: ",\n") + "]}"
    }
    return
      "{\"name\":\"Feed\",\"status\":\"SUCCESS\",\"specs\":{\"refreshRate\":60},\"iterations\":[\n"
      + iterations.joined(separator: ",\n") + "]}\n"
  }

  /// A day of an app as MetricKit tells it.
  static var metricKit: String {
    """
    {"metaData":{"bundleIdentifier":"com.example.feed","deviceType":"iPhone17,1",
    "osVersion":"iPhone OS 26.1 (23B85)"},
    "timeStampBegin":"2026-01-07 00:00:00","timeStampEnd":"2026-01-07 23:59:00",
    "animationMetrics":{"scrollHitchTimeRatio":"6.5 ms per s","hitchTimeRatio":"4 ms per s"},
    "applicationTimeMetrics":{"cumulativeForegroundTime":"700 sec"},
    "applicationResponsivenessMetrics":{"histogrammedAppHangTime":{"histogramNumBuckets":2,
    "histogramValue":{"0":{"bucketCount":5,"bucketStart":"0 ms","bucketEnd":"100 ms"},
    "1":{"bucketCount":2,"bucketStart":"100 ms","bucketEnd":"400 ms"}}}},
    "signpostMetrics":[{"signpostCategory":"Feed","signpostName":"scroll","totalSignpostCount":30,
    "signpostIntervalData":{"signpostCumulativeHitchTimeRatio":"12 ms per s",
    "signpostCumulativeCPUTime":"3000 ms"}}]}

    """
  }

  /// What `xcresulttool` tells of a test that scrolls five times: hitches in three of them.
  static var xctest: String {
    func metric(_ suffix: String, _ name: String, _ unit: String, _ values: [String]) -> String {
      """
      {"identifier":"com.apple.dt.XCTMetric_OSSignpost-Scroll_Deceleration.\(suffix)",
      "displayName":"\(name) (Scroll_Deceleration)","unitOfMeasurement":"\(unit)",
      "polarity":"prefers smaller","measurements":[\(values.joined(separator: ","))]}
      """
    }
    let metrics = [
      metric("duration", "Duration", "s", ["2", "2", "2", "2", "2"]),
      metric(
        "animation.hitches.total.duration", "Hitches Total Duration", "ms",
        ["0", "33.5", "16.5", "0", "50"]),
      metric(
        "animation.hitch.time.ratio", "Hitch Time Ratio", "ms per s",
        ["0", "16.75", "8.25", "0", "25"]),
      metric("animation.hitch.number", "Number of Hitches", "hitches", ["0", "2", "1", "0", "3"]),
    ]
    return """
      [{"testIdentifier":"FeedUITests/testScroll()","testRuns":[{"device":{"deviceId":"1",
      "deviceName":"iPhone 17"},"metrics":[
      \(metrics.joined(separator: ",\n"))]}]}]

      """
  }
}
