extension ResultSamples {
  /// A page that scrolls for four seconds, as Chromium lists its long animation frames: a row is made in
  /// a callback that forces layout, a timer runs without a frame, and a click waits for its handler.
  static let longAnimationFrames = """
    [{"name":"long-animation-frame","entryType":"long-animation-frame","startTime":1016.7,"duration":84.2,\
    "navigationId":5755,"paintTime":1100.9,"presentationTime":1116.8,"renderStart":1040.5,\
    "styleAndLayoutStart":1092.3,"firstUIEventTimestamp":0,"blockingDuration":10.5,"scripts":[\
    {"name":"script","entryType":"script","startTime":1040.6,"duration":51.6,"navigationId":5755,\
    "invoker":"FrameRequestCallback","invokerType":"user-callback","windowAttribution":"self",\
    "executionStart":1040.6,"forcedStyleAndLayoutDuration":31.4,"pauseDuration":0,\
    "sourceURL":"https://example.com/feed.js","sourceFunctionName":"makeRow","sourceCharPosition":513}]},
    {"name":"long-animation-frame","entryType":"long-animation-frame","startTime":2490.4,"duration":91.2,\
    "navigationId":5755,"renderStart":0,"styleAndLayoutStart":0,"firstUIEventTimestamp":0,\
    "blockingDuration":41.2,"scripts":[\
    {"name":"script","entryType":"script","startTime":2490.4,"duration":91.1,"navigationId":5755,\
    "invoker":"TimerHandler:setTimeout","invokerType":"user-callback","windowAttribution":"self",\
    "executionStart":2492.9,"forcedStyleAndLayoutDuration":0,"pauseDuration":0,\
    "sourceURL":"https://example.com/feed.js","sourceFunctionName":"refresh","sourceCharPosition":553}]},
    {"name":"long-animation-frame","entryType":"long-animation-frame","startTime":3984.2,"duration":140.5,\
    "navigationId":5755,"paintTime":4124.7,"presentationTime":4132,"renderStart":4124.5,\
    "styleAndLayoutStart":4124.7,"firstUIEventTimestamp":3983.4,"blockingDuration":90.2,"scripts":[\
    {"name":"script","entryType":"script","startTime":3986,"duration":135.9,"navigationId":5755,\
    "invoker":"BUTTON#more.onclick","invokerType":"event-listener","windowAttribution":"self",\
    "executionStart":3986,"forcedStyleAndLayoutDuration":57.1,"pauseDuration":4,\
    "sourceURL":"https://example.com/feed.js","sourceFunctionName":"","sourceCharPosition":455}]}]

    """

  /// Two periods of an app with slow frames and one with a frozen one, as an agent sends them.
  static var jankEvents: String {
    func record(_ time: Int, _ frames: Int, over threshold: String) -> String {
      """
      {"timeUnixNano":"\(1_760_000_000 + time)000000000","eventName":"app.jank","attributes":[\
      {"key":"app.jank.frame_count","value":{"intValue":"\(frames)"}},\
      {"key":"app.jank.period","value":{"doubleValue":10.0}},\
      {"key":"app.jank.threshold","value":{"doubleValue":\(threshold)}}]}
      """
    }
    let records = [
      record(10, 9, over: "0.016"), record(20, 14, over: "0.016"), record(20, 1, over: "0.7"),
    ]
    return """
      {"resourceLogs":[{"resource":{"attributes":[\
      {"key":"service.name","value":{"stringValue":"feed"}}]},\
      "scopeLogs":[{"scope":{"name":"io.opentelemetry.jank"},"logRecords":[
      \(records.joined(separator: ",\n"))]}]}]}

      """
  }
}
