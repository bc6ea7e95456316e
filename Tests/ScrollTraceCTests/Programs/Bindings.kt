// Records every kind of event through the Kotlin binding: Bindings.kt TRACE

import com.sun.management.ThreadMXBean
import java.io.File
import java.io.RandomAccessFile
import java.lang.management.ManagementFactory
import java.nio.channels.FileChannel
import kotlin.concurrent.thread
import scrolltrace.CELL
import scrolltrace.DATA
import scrolltrace.IMAGE
import scrolltrace.Losses
import scrolltrace.NO_ID
import scrolltrace.Recorder
import scrolltrace.RecordingException
import scrolltrace.UNKNOWN

fun failure(call: () -> Unit): String = try {
  call()
  "none"
} catch (error: RecordingException) {
  error.message ?: "no message"
}

fun main(arguments: Array<String>) {
  val trace = arguments[0]
  checkFailures(trace)
  checkOff()
  val recorder = Recorder(trace)
  recorder.use {
    recorder.nameThread("the main one")
    recorder.state("screen", "Feed 🎞")
    recordFrames(recorder)
    recordRest(recorder)
    checkAllocations(recorder)
    recorder.dump("$trace.dump")
    checkTruncatedMapping("$trace.mapped")
    check("exists" in failure { recorder.dump("$trace.dump") })
    check(recorder.losses == Losses(0, 0, 0, 0)) { recorder.losses }
  }
  recorder.close()
  recorder.mark("after the end")
  check(recorder.losses == Losses(0, 0, 1, 0)) { recorder.losses }
}

fun checkFailures(trace: String) {
  check("cannot create" in failure { Recorder("$trace/absent") })
  check("zero byte" in failure { Recorder("$trace\u0000") })
  check("too long" in failure { Recorder("x".repeat(100_000)) })
  check("too long" in failure { Recorder(trace, hitchDumps = "x".repeat(4096)) })
  check(!File(trace).exists())
}

fun checkOff() {
  val off = Recorder.off()
  off.use {
    off.interaction("drag") {
      off.frame { number ->
        check(number == NO_ID)
        off.phase("layout") { off.cell("configure", item = 1) { off.span("x") { } } }
      }
    }
    check(!off.enabled && off.losses == Losses(0, 0, 0, 0) && off.now() == UNKNOWN)
  }
}

fun recordFrames(recorder: Recorder) = recorder.interaction("drag") {
  val start = recorder.now()
  check(start in System.nanoTime() - 1_000_000_000..System.nanoTime())
  val number = recorder.frame(
    begin = start, deadline = start + 8_000_000, target = start + 16_000_000, interval = 8_000_000
  ) { number ->
    recorder.phase("layout") {
      val shown = recorder.cell("configure", item = 7, position = 3, list = "feed", reused = false) {
        recorder.span("decode", IMAGE, item = 7) { "row" }
      }
      check(shown == "row")
    }
    recorder.phase("commit") { }
    number
  }
  check(number == 1L)
  recorder.presented(number, start + 24_000_000)
  // An exception ends what it leaves.
  try {
    recorder.frame { recorder.span("fails", CELL) { throw IllegalStateException() } }
  } catch (expected: IllegalStateException) {
  }
  val panel = recorder.surface("panel", 1_000_000)
  recorder.recordFrame(start, interval = 8_000_000, presented = start + 9_000_000, surface = panel)
}

fun recordRest(recorder: Recorder) {
  val start = recorder.now()
  recorder.mark("tapped", item = 0)
  recorder.markCell("willDisplay", item = 7, position = 3, list = "feed", kind = "Größe 🎞")
  recorder.markImage("placeholder", item = 7, view = 1)
  recorder.counter("cache", -5)
  recorder.counter("offset", 0.5)
  recorder.state("screen", null)
  recorder.record("after the fact", DATA, start, start + 1000, item = 3)
  recorder.operation("load page", DATA) { Thread.sleep(1) }
  // A name of surrogates that are none, and one without text.
  recorder.mark("\uD83Dx")
  recorder.mark("")
  val moving = recorder.beginInteraction("scroll")
  thread {
    recorder.nameThread("worker")
    recorder.span("decode", IMAGE, item = 8) { moving.close() }
    deep(recorder, 70)
  }.join()
  moving.close()
  recorder.enabled = false
  recorder.span("while off") { }
  recorder.enabled = true
}

fun deep(recorder: Recorder, depth: Int) {
  if (depth > 0) recorder.span("deep") { deep(recorder, depth - 1) }
}

/** The machine's own handler for SIGBUS still gets what is not about a recording. */
fun checkTruncatedMapping(path: String) = RandomAccessFile(path, "rw").use { file ->
  file.setLength(8192)
  val bytes = file.channel.map(FileChannel.MapMode.READ_WRITE, 0, 8192)
  file.setLength(0)
  val isRefused = try {
    bytes.get(4096)
    false
  } catch (expected: InternalError) {
    true
  }
  check(isRefused)
}

fun checkAllocations(recorder: Recorder) {
  val threads = ManagementFactory.getThreadMXBean() as ThreadMXBean
  val id = Thread.currentThread().id
  repeat(2) { round ->
    val before = threads.getThreadAllocatedBytes(id)
    for (item in 0L until 1000L) {
      recorder.frame(interval = 8_000_000) { number ->
        recorder.phase("update") { recorder.cell("size", item, reused = true) { } }
        recorder.counter("rows", item)
        recorder.presented(number, UNKNOWN)
      }
    }
    // The second round has only what the machine's own measurement takes.
    val allocated = threads.getThreadAllocatedBytes(id) - before
    check(round == 0 || allocated < 1000) { "$allocated bytes for 1000 frames" }
  }
}
