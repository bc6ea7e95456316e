extension FrameTableSamples {
  /// A second of a game at 60 Hz as MangoHud logs it with `log_versioning`: frame 31 takes 50 ms.
  static var mangoHud: String {
    var text =
      "v1\n0.8.1\n---------------------SYSTEM INFO---------------------\n"
      + "os,cpu,gpu,ram,kernel,driver,cpuscheduler\n"
      + "Example Linux,\"CPU, 8 cores\",GPU,16384000,6.9.0,Mesa 24.1,performance\n"
      + "--------------------FRAME METRICS--------------------\n"
      + "fps,frametime,cpu_load,gpu_load,cpu_temp,ram_used,elapsed\n"
    // As exact as the log's own figures.
    let refresh = 16_666_700
    var elapsed = 4_000_000
    for number in 1...60 {
      let length = number == 31 ? 50_000_000 : refresh + (number % 3 - 1) * 40_000
      elapsed += length
      let rate = number == 31 ? "20" : "60.\(number % 3)"
      text +=
        "\(rate),\(milliseconds(length)),\(20 + number % 5),\(40 + number % 3),55,3.25,\(elapsed)\n"
    }
    return text
  }
}
