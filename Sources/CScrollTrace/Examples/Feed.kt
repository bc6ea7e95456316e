/**
 * A feed that scrolls in front of a made-up display and prints when each frame was on screen.
 *
 *     kotlinc ScrollTrace.kt Feed.kt -include-runtime -d feed.jar
 *     java -Djava.library.path=. -jar feed.jar feed.fxt && scrolltrace analyze feed.fxt
 *
 * The pictures of five rows are decoded in their frames, one of them for far too long, while a thread
 * loads the pages of the list.
 */
import java.util.concurrent.locks.LockSupport
import kotlin.concurrent.thread
import scrolltrace.DATA
import scrolltrace.IMAGE
import scrolltrace.Recorder

const val REFRESH = 16_666_667L
const val EXPENSIVE_ROW = 17

fun spend(milliseconds: Long) {
  val end = System.nanoTime() + milliseconds * 1_000_000
  while (System.nanoTime() < end) Unit
}

fun show(recorder: Recorder, row: Int) = recorder.cell("configure", row.toLong()) {
  if (row % 8 == 1) {
    recorder.span("decode", IMAGE, row.toLong()) { spend(if (row == EXPENSIVE_ROW) 60 else 2) }
  }
}

fun scroll(recorder: Recorder) {
  var vsync = System.nanoTime()
  for (row in 0 until 40) {
    if (row % 10 == 0) thread { recorder.span("load page", DATA) { spend(1) } }
    val number = recorder.frame(
      begin = vsync, deadline = vsync + REFRESH, target = vsync + 2 * REFRESH, interval = REFRESH
    ) { number ->
      recorder.phase("layout") { show(recorder, row) }
      number
    }
    recorder.counter("scroll offset", row * 40L)
    // The display takes what is ready at its next refresh, and shows it one later.
    val ready = System.nanoTime()
    while (vsync < ready) vsync += REFRESH
    recorder.presented(number, vsync + REFRESH)
    println("$number ${(vsync + REFRESH) / 1000}")
    while (System.nanoTime() < vsync) LockSupport.parkNanos(vsync - System.nanoTime())
  }
}

fun main(arguments: Array<String>) {
  Recorder(arguments.firstOrNull() ?: "feed.fxt", replace = true).use { recorder ->
    recorder.state("screen", "Feed")
    recorder.interaction("drag") { scroll(recorder) }
  }
}
