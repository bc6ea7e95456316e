extension FrameTableSamples {
  /// A second of a game at 60 Hz in PresentMon's columns of version 2: frame 20 takes 45 ms and is
  /// seen two refreshes late, frame 40 is never seen.
  static var presentMon: String {
    var text =
      "\u{FEFF}Application,ProcessID,SwapChainAddress,PresentRuntime,SyncInterval,PresentFlags,"
      + "AllowsTearing,PresentMode,CPUStartTime,FrameTime,CPUBusy,CPUWait,GPULatency,GPUTime,"
      + "GPUBusy,GPUWait,DisplayLatency,DisplayedTime,AnimationError,AnimationTime,"
      + "ClickToPhotonLatency\r\n"
    var slot = 3
    for number in 1...60 {
      let slots = number == 20 ? 3 : 1
      let start = slot * refresh
      let busy = number == 20 ? 45_000_000 : 6_000_000 + number % 7 * 250_000
      let isSeen = number != 40
      let latency = (slots + 1) * refresh
      let shown = (number == 19 ? 3 : number == 39 ? 2 : 1) * refresh
      let fields = [
        "Game.exe", "4321", "0x1F00A", "DXGI", "1", "0", "0", "Hardware: Independent Flip",
        milliseconds(start), milliseconds(slots * refresh), milliseconds(busy),
        milliseconds(slots * refresh - busy), "1.2000", "4.1000", "3.9000", "0.2000",
        isSeen ? milliseconds(latency) : "NA", isSeen ? milliseconds(shown) : "NA",
        isSeen ? "0.0000" : "NA", isSeen ? milliseconds(start) : "NA", "NA",
      ]
      text += fields.joined(separator: ",") + "\r\n"
      slot += slots
    }
    return text
  }
}
