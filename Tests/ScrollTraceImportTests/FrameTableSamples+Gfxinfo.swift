extension FrameTableSamples {
  /// The last 30 frames of a list on Android 13, with the names of two columns
  /// swapped as Android prints them: frames 10 and 20 miss their deadline.
  static var gfxinfo: String {
    var text = """
      Applications Graphics Acceleration Info:
      Uptime: 5581096 Realtime: 15553084

      ** Graphics info for pid 2599 [com.example.feed] **

      Profile data in ms:

      \tcom.example.feed/com.example.feed.Feed/android.view.ViewRootImpl@76031ac (visibility=0)


      ---PROFILEDATA---
      Flags,FrameTimelineVsyncId,IntendedVsync,Vsync,InputEventId,HandleInputStart,AnimationStart,\
      PerformTraversalsStart,DrawStart,FrameDeadline,FrameInterval,FrameStartTime,SyncQueued,\
      SyncStart,IssueDrawCommandsStart,SwapBuffers,FrameCompleted,DequeueBufferDuration,\
      QueueBufferDuration,GpuCompleted,SwapBuffersCompleted,DisplayPresentTime,\
      CommandSubmissionCompleted,

      """
    for number in 0...30 { text += row(number) }
    return text + "---PROFILEDATA---\n\nView hierarchy:\n\nTotal ViewRootImpl   : 1\n"
  }

  private static func row(_ number: Int) -> String {
    let begin = 6_000_000_000 + number * refresh
    let draw = begin + (number == 10 ? 21_000_000 : number == 20 ? 38_000_000 : 3_000_000)
    let times = [
      begin, begin, 0, begin + 300_000, begin + 500_000, begin + 900_000, draw,
      begin + refresh + 4_000_000, begin + 100_000, refresh, draw + 1_000_000, draw + 1_200_000,
      draw + 1_700_000, draw + 3_700_000, draw + 6_000_000, 150_000, 400_000, draw + 5_800_000,
      draw + 4_100_000, 0, draw + 4_000_000,
    ]
    // The first frame of a window is marked as not to be counted.
    return "\(number == 0 ? 1 : 0),\(80_000 + number * 3),"
      + times.map { "\($0)," }.joined() + "\n"
  }
}
