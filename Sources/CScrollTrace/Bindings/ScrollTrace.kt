/**
 * Records what a scrolling list does, frame by frame, for `scrolltrace analyze`.
 *
 *     Recorder("run.fxt").use { recorder ->
 *       recorder.interaction("drag") {
 *         while (display.next()) {
 *           val number = recorder.frame(begin = display.vsync, interval = 16_666_667) { number ->
 *             recorder.phase("layout") {
 *               recorder.cell("configure", item = row.id) { show(row) }
 *             }
 *             number
 *           }
 *           recorder.presented(number, display.shownAt)
 *         }
 *       }
 *     }
 *
 * Times are nanoseconds on the clock of `System.nanoTime()`; 0 is unknown. Any thread may record.
 * Identifiers are any numbers except -1. The bodies of spans and frames are inlined, end on their
 * thread, and cannot suspend: the compiler refuses it. Nothing allocates after a name's first use.
 *
 * Names are kept for the lifetime of the process, so do not make one for each item. The library
 * scrolltrace_jni is built from scrolltrace_jni.c, and loaded from `java.library.path`.
 */
package scrolltrace

import java.io.Closeable
import java.io.IOException
import java.nio.ByteBuffer
import java.nio.ByteOrder
import java.util.concurrent.ConcurrentHashMap

/** Categories that the analysis knows. Others are the host's own. */
const val WORK = "scrolltrace.work"
const val CELL = "scrolltrace.cell"
const val IMAGE = "scrolltrace.image"
const val DATA = "scrolltrace.data"
const val WAITING = "scrolltrace.waiting"

/** No item, view or number of a frame. */
const val NO_ID = -1L

/** An unknown time. */
const val UNKNOWN = Long.MIN_VALUE

/** A recording could not be opened, written or finished, or the library is missing. */
class RecordingException(message: String, cause: Throwable? = null) : IOException(message, cause)

/** The clock of a recording. `System.nanoTime()` is MONOTONIC on Linux and Android. */
enum class Clock { MONOTONIC, CONTINUOUS, UPTIME }

/** The number of lost events, by reason. */
data class Losses(val noChunk: Long, val tooBig: Long, val afterClose: Long, val inside: Long)

/** A display, window or layer that presents frames. */
class Surface internal constructor(internal val handle: Long)

/** A time in which the list moves. It may end on any thread; a second end has no effect. */
class Interaction internal constructor() : Closeable {
  internal val words = LongArray(4)

  @Synchronized override fun close() {
    if (words[0] != 0L) Native.interactionEnd(words)
  }
}

/** A recording, which is a valid trace at any time and ends with [close]. */
class Recorder private constructor(private val handle: Long) : Closeable {

  /**
   * Starts a recording in a new file.
   *
   * @param path The file. An existing one is an error without [replace].
   * @param clock The clock of the times; null is that of `System.nanoTime()`.
   * @param mapped Whether the file is mapped into memory, so that it contains every event at once,
   *   whatever happens to the process. Otherwise, it is written in pieces of 32 KiB.
   * @param maximumBytes The maximum size of the file; 0 is 1 GiB.
   * @param ringBytes Retains about this many recent bytes; 0 keeps all.
   * @param hitchDumps Where to write a dump after a frame that is late by [hitchLimit] nanoseconds:
   *   this path plus -1.fxt, -2.fxt and so on.
   * @param stackSampling The nanoseconds between two samples of the stack of a thread with an open
   *   frame; 0 is none. The stacks are those of native code, on Linux.
   * @throws RecordingException if the file cannot be created, or the library is missing.
   */
  constructor(
    path: String, replace: Boolean = false, clock: Clock? = null, mapped: Boolean = true,
    maximumBytes: Long = 0, ringBytes: Long = 0, hitchDumps: String? = null, hitchLimit: Long = 0,
    stackSampling: Long = 0
  ) : this(checked { error ->
    Native.open(
      path.toByteArray(), clock?.let { it.ordinal + 1 } ?: 0, replace, mapped, maximumBytes,
      ringBytes, hitchDumps?.toByteArray(), hitchLimit, stackSampling, error)
  })

  companion object {
    /** Returns a recorder that records nothing, and needs no library. */
    fun off() = Recorder(0)

    /** Runs a call that fills in an error if it fails, and returns its result. */
    private fun <T> checked(call: (ByteArray) -> T): T {
      val error = ByteArray(512)
      val result = try {
        call(error)
      } catch (missing: LinkageError) {
        throw RecordingException(
          "scrolltrace_jni: ${missing.message}; build it from scrolltrace_jni.c, and set " +
            "java.library.path", missing)
      }
      if (ByteBuffer.wrap(error).order(ByteOrder.nativeOrder()).int != 0) {
        val end = (8 until error.size).first { error[it] == 0.toByte() || it == error.size - 1 }
        throw RecordingException(String(error, 8, end - 8, Charsets.UTF_8))
      }
      return result
    }

    private val names = ConcurrentHashMap<String, Long>()
  }

  private fun name(text: String): Long = names[text] ?: register(text)

  private fun register(text: String): Long {
    val name = Native.registerName(handle, text.toByteArray())
    return names.putIfAbsent(text, name) ?: name
  }

  /** Ends the recording. A second call has no effect; later events are counted as lost. */
  override fun close() {
    if (handle != 0L) checked { error -> Native.finish(handle, error) }
  }

  /** Writes the current content to a new file. */
  fun dump(path: String) {
    if (handle != 0L) checked { error -> Native.dump(handle, path.toByteArray(), error) }
  }

  /** Whether events are recorded. While they are not, an event costs little. */
  var enabled: Boolean
    get() = handle != 0L && Native.isEnabled(handle)
    set(value) {
      if (handle != 0L) Native.setEnabled(handle, value)
    }

  /** The current time of the recording's clock, or [UNKNOWN] if it is off. */
  fun now(): Long = if (handle != 0L) Native.now(handle) else UNKNOWN

  /** The number of lost events, by reason. */
  val losses: Losses
    get() {
      val counts = LongArray(4)
      if (handle != 0L) Native.losses(handle, counts)
      return Losses(counts[0], counts[1], counts[2], counts[3])
    }

  /** Names the calling thread in the trace. */
  fun nameThread(name: String) {
    if (handle != 0L) Native.nameThread(handle, name(name))
  }

  /**
   * Returns the surface with a name. Without one, frames are those of the surface "display".
   *
   * @param tolerance The accuracy of its presentation times in nanoseconds.
   */
  fun surface(name: String, tolerance: Long = UNKNOWN) =
    Surface(if (handle != 0L) Native.surface(handle, name(name), tolerance) else 0)

  // ---- Frames ----------------------------------------------------------------------------------

  /**
   * Records the body as the commit of a frame, and passes the frame's number on its surface.
   *
   * @param begin The earliest time at which the host could work on the frame.
   * @param deadline The time by which the commit must end.
   * @param target The time at which the frame should be on screen.
   * @param id The frame's number, for all frames of a surface or none.
   */
  inline fun <T> frame(
    begin: Long = 0, deadline: Long = 0, target: Long = 0, interval: Long = 0, id: Long = NO_ID,
    surface: Surface? = null, crossinline body: (number: Long) -> T
  ): T {
    val part = beginFrame(begin, deadline, target, interval, id, surface)
    try {
      return body(number(part))
    } finally {
      end(part)
    }
  }

  /** Records the body as a phase of this thread's frame: "layout", "draw", "commit" or your own. */
  inline fun <T> phase(name: String, crossinline body: () -> T): T {
    val part = beginPhase(name)
    try {
      return body()
    } finally {
      end(part)
    }
  }

  /** Records when the display presented a frame, as it reports it. Do not estimate. */
  fun presented(number: Long, time: Long, surface: Surface? = null) {
    if (handle != 0L) Native.presented(handle, surface?.handle ?: 0, number, time)
  }

  /** Records a frame after the fact; its work is recorded with [record]. See [frame]. */
  fun recordFrame(
    begin: Long = 0, deadline: Long = 0, target: Long = 0, interval: Long = 0,
    commitStart: Long = UNKNOWN, commitEnd: Long = UNKNOWN, presented: Long = UNKNOWN,
    id: Long = NO_ID, surface: Surface? = null
  ) {
    if (handle == 0L) return
    Native.frameRecord(
      handle, surface?.handle ?: 0, id, begin, deadline, target, interval, commitStart, commitEnd,
      presented)
  }

  // ---- Interactions ----------------------------------------------------------------------------

  /** Records the body as a time in which the list moves: "drag", "deceleration" or another. */
  inline fun <T> interaction(kind: String, surface: Surface? = null, body: () -> T): T {
    val moving = beginInteraction(kind, surface)
    try {
      return body()
    } finally {
      moving.close()
    }
  }

  /** Begins an interaction that a later callback ends. */
  fun beginInteraction(kind: String, surface: Surface? = null): Interaction {
    val interaction = Interaction()
    if (handle != 0L) {
      Native.interactionBegin(handle, name(kind), surface?.handle ?: 0, interaction.words)
    }
    return interaction
  }

  // ---- Spans -----------------------------------------------------------------------------------

  /** Records the body as work of this thread. A thread has at most 64 open spans. */
  inline fun <T> span(
    name: String, category: String = WORK, item: Long = NO_ID, crossinline body: () -> T
  ): T {
    val part = beginSpan(name, category, item)
    try {
      return body()
    } finally {
      end(part)
    }
  }

  /** Records the body as a step of a cell: "create", "configure", "size", "prepare" and so on. */
  inline fun <T> cell(
    step: String, item: Long, position: Long = -1, view: Long = NO_ID, list: String? = null,
    kind: String? = null, reused: Boolean? = null, ahead: Boolean? = null,
    crossinline body: () -> T
  ): T {
    val part = beginSpan(step, CELL, item)
    try {
      return body()
    } finally {
      endCell(part, item, position, view, list, kind, reused, ahead)
    }
  }

  /** Records the body, which may suspend, as an operation that is no thread's work. */
  inline fun <T> operation(
    name: String, category: String = WORK, item: Long = NO_ID, body: () -> T
  ): T {
    val begin = now()
    try {
      return body()
    } finally {
      recordOperation(name, category, begin, now(), item)
    }
  }

  /** Records a span after the fact. */
  fun record(name: String, category: String, begin: Long, end: Long, item: Long = NO_ID) {
    if (handle != 0L) Native.spanRecord(handle, name(name), name(category), item, begin, end)
  }

  /** Records an operation, which is no thread's work, after the fact. */
  fun recordOperation(name: String, category: String, begin: Long, end: Long, item: Long = NO_ID) {
    if (handle != 0L) Native.operationRecord(handle, name(name), name(category), item, begin, end)
  }

  // ---- Marks, numbers, states ------------------------------------------------------------------

  /** Records an event at the current time. */
  fun mark(name: String, category: String = WORK, item: Long = NO_ID) {
    if (handle != 0L) Native.mark(handle, name(name), name(category), item)
  }

  /** Records an event of a cell, such as "willDisplay". */
  fun markCell(
    mark: String, item: Long, position: Long = -1, view: Long = NO_ID, list: String? = null,
    kind: String? = null
  ) {
    if (handle == 0L) return
    Native.cellMark(handle, name(mark), item, view, position, optional(list), optional(kind))
  }

  /** Records an event of an image, such as "cacheHit". */
  fun markImage(mark: String, item: Long, view: Long = NO_ID, bytes: Long = NO_ID) {
    if (handle != 0L) Native.imageMark(handle, name(mark), item, view, bytes)
  }

  /** Records a value, such as the number of bytes in a cache. */
  fun counter(name: String, value: Long) {
    if (handle != 0L) Native.counter(handle, name(name), value)
  }

  /** Records a value, such as a scroll offset. */
  fun counter(name: String, value: Double) {
    if (handle != 0L) Native.counterReal(handle, name(name), value)
  }

  /** Sets a state, by which reports can be filtered, or clears it with null. */
  fun state(key: String, value: String?) {
    if (handle == 0L) return
    if (value == null) Native.stateClear(handle, name(key))
    else Native.stateSet(handle, name(key), name(value))
  }

  // ---- What is inlined -------------------------------------------------------------------------

  private fun optional(text: String?): Long = if (text == null) 0 else name(text)

  private fun flag(value: Boolean?): Int = if (value == null) -1 else if (value) 1 else 0

  @PublishedApi internal fun beginFrame(
    begin: Long, deadline: Long, target: Long, interval: Long, id: Long, surface: Surface?
  ): Long =
    if (handle == 0L) 0
    else Native.frameBegin(handle, surface?.handle ?: 0, id, begin, deadline, target, interval)

  @PublishedApi internal fun number(frame: Long): Long =
    if (frame == 0L) NO_ID else Native.frameNumber(frame)

  @PublishedApi internal fun beginPhase(name: String): Long =
    if (handle == 0L) 0 else Native.phaseBegin(name(name))

  @PublishedApi internal fun beginSpan(name: String, category: String, item: Long): Long =
    if (handle == 0L) 0 else Native.spanBegin(handle, name(name), name(category), item)

  @PublishedApi internal fun end(part: Long) {
    if (part != 0L) Native.end(part)
  }

  @PublishedApi internal fun endCell(
    part: Long, item: Long, position: Long, view: Long, list: String?, kind: String?,
    reused: Boolean?, ahead: Boolean?
  ) {
    if (part == 0L) return
    Native.cellEnd(
      part, item, view, position, optional(list), optional(kind), flag(reused), flag(ahead))
  }
}

/** The functions of scrolltrace_jni.c. Those without arrays suit Android's `@FastNative`. */
internal object Native {
  init {
    System.loadLibrary("scrolltrace_jni")
  }

  @JvmStatic external fun open(
    path: ByteArray, clock: Int, replaces: Boolean, mapped: Boolean, maximumBytes: Long,
    ringBytes: Long, dumps: ByteArray?, hitchLimit: Long, stackSampling: Long, error: ByteArray
  ): Long

  @JvmStatic external fun finish(recorder: Long, error: ByteArray): Int
  @JvmStatic external fun dump(recorder: Long, path: ByteArray, error: ByteArray): Int
  @JvmStatic external fun setEnabled(recorder: Long, enabled: Boolean)
  @JvmStatic external fun isEnabled(recorder: Long): Boolean
  @JvmStatic external fun now(recorder: Long): Long
  @JvmStatic external fun losses(recorder: Long, counts: LongArray)
  @JvmStatic external fun registerName(recorder: Long, text: ByteArray): Long
  @JvmStatic external fun surface(recorder: Long, name: Long, tolerance: Long): Long
  @JvmStatic external fun nameThread(recorder: Long, name: Long)

  @JvmStatic external fun frameBegin(
    recorder: Long, surface: Long, id: Long, begin: Long, deadline: Long, target: Long,
    interval: Long
  ): Long

  @JvmStatic external fun frameNumber(frame: Long): Long
  @JvmStatic external fun phaseBegin(name: Long): Long
  @JvmStatic external fun spanBegin(recorder: Long, name: Long, category: Long, item: Long): Long
  @JvmStatic external fun end(part: Long)

  @JvmStatic external fun cellEnd(
    part: Long, item: Long, view: Long, position: Long, list: Long, kind: Long, reused: Int,
    ahead: Int
  )

  @JvmStatic external fun presented(recorder: Long, surface: Long, id: Long, time: Long)

  @JvmStatic external fun frameRecord(
    recorder: Long, surface: Long, id: Long, begin: Long, deadline: Long, target: Long,
    interval: Long, commitStart: Long, commitEnd: Long, presented: Long
  )

  @JvmStatic external fun spanRecord(
    recorder: Long, name: Long, category: Long, item: Long, begin: Long, end: Long
  )

  @JvmStatic external fun operationRecord(
    recorder: Long, name: Long, category: Long, item: Long, begin: Long, end: Long
  )

  @JvmStatic external fun mark(recorder: Long, name: Long, category: Long, item: Long)

  @JvmStatic external fun cellMark(
    recorder: Long, name: Long, item: Long, view: Long, position: Long, list: Long, kind: Long
  )

  @JvmStatic external fun imageMark(recorder: Long, name: Long, item: Long, view: Long, bytes: Long)
  @JvmStatic external fun counter(recorder: Long, name: Long, value: Long)
  @JvmStatic external fun counterReal(recorder: Long, name: Long, value: Double)
  @JvmStatic external fun stateSet(recorder: Long, key: Long, value: Long)
  @JvmStatic external fun stateClear(recorder: Long, key: Long)
  @JvmStatic external fun interactionBegin(
    recorder: Long, kind: Long, surface: Long, words: LongArray
  )
  @JvmStatic external fun interactionEnd(words: LongArray)
}
