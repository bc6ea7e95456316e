// Records how a web page scrolls, as lines of JSON that `scrolltrace analyze` reads.
//
//   import { record } from "./scrolltrace.js"
//   const trace = record(document, { cells: ".row", upload: "/traces" })
//   trace.span("decode", { category: "scrolltrace.image", item: 12 }, () => decode(photo))
//   await trace.stop()                  // or trace.text(), without an upload
//
// Recorded are the frames while something moves, from the page's own animation frames; scrolling by
// hand, by wheel, by `scrollTo`, and what a pressed pointer moves; long animation frames with their
// scripts; and, with `cells`, the cells in view, their placeholders, and the share of the view without a
// cell. A page can measure its main thread, not the compositor.

const defaults = {
  refreshInterval: 0,         // in ms; 0 measures it at the start
  cells: "",                  // a selector for the cells, of which `data-item` is the stable identifier
  isPlaceholder: (cell) =>    // whether a cell still waits for its content
    cell.matches("[aria-busy=true]") || [...cell.querySelectorAll("img")].some((i) => !i.complete),
  upload: "",                 // an address to which pieces are posted
  uploadSeconds: 10,          // the time between two pieces
  pieceBytes: 48 * 1024,      // browsers send at most 64 KiB when a page is closed
  maximumBytes: 8 * 1024 * 1024, // lines beyond it are counted as lost until some are sent
  session: undefined,         // names the upload; random by default
}

/** The number of frames without movement after which a motion has ended. */
const quietFrames = 8
/** How often a piece is posted before it waits for the next upload. */
const attempts = 3

export function record(target = document, options = {}) {
  return new Recording(target, { ...defaults, ...options })
}

export class Recording {
  #target
  #options
  #output
  #motion = null
  #frame = 0
  #interval
  #isPressed = false
  #cells = null
  #stops = []
  #request = 0

  constructor(target, options) {
    this.#target = target
    this.#options = options
    this.#interval = options.refreshInterval
    this.#output = new Output(options)
    this.state("host", "browser")
    if (!this.#interval) this.#measureInterval()
    this.#listen()
    this.#observeLongFrames()
    if (options.cells) this.#cells = new Cells(target, options, (line) => this.#output.put(line))
  }

  /** Records `body`, or its time until its promise is settled, and returns its result. */
  span(name, { category = "scrolltrace.work", item, ...rest } = {}, body = () => {}) {
    const begin = performance.now()
    const end = (thread) =>
      this.#output.put({ span: name, category, item, thread, ...rest, begin, end: performance.now() })
    let result
    try {
      result = body()
    } catch (error) {
      end()
      throw error
    }
    // What waits is no work of the main thread.
    if (typeof result?.then === "function") return result.finally(() => end(`async ${name}`))
    end()
    return result
  }

  mark(name, { category = "scrolltrace.work", ...rest } = {}) {
    this.#output.put({ mark: name, category, ...rest, at: performance.now() })
  }

  counter(name, value) {
    this.#output.put({ counter: name, value, at: performance.now() })
  }

  /** Sets a state, by which reports can be filtered; null clears it. */
  state(key, value) {
    this.#output.put({ state: key, value, at: performance.now() })
  }

  /** The lines that were not uploaded. */
  text() {
    return this.#output.text()
  }

  /** What was written, uploaded and lost so far. */
  get counts() {
    return { ...this.#output.counts }
  }

  /** Uploads what is there; whether the server has accepted all of it. */
  flush() {
    return this.#output.flush()
  }

  /** Ends the recording; whether the server has accepted all of it, if there is one. */
  stop() {
    this.#endMotion()
    for (const stop of this.#stops.splice(0)) stop()
    this.#cells?.stop()
    return this.#output.stop()
  }

  #listen() {
    const on = (target, name, body) => {
      target.addEventListener(name, body, { capture: true, passive: true })
      this.#stops.push(() => target.removeEventListener(name, body, { capture: true }))
    }
    // Only an element or a document receives what happens inside it.
    on(this.#target, "scroll", () => this.#moved())
    for (const name of ["touchstart", "pointerdown"]) {
      on(this.#target, name, () => { this.#isPressed = true })
    }
    for (const name of ["touchmove", "pointermove"]) {
      on(this.#target, name, () => { if (this.#isPressed) this.#moved() })
    }
    // A browser that scrolls cancels the pointer, but not the touch.
    const release = (event) => {
      if (event.pointerType === "touch") return
      this.#isPressed = false
      this.#changeKind("deceleration")
    }
    for (const name of ["touchend", "touchcancel", "pointerup", "pointercancel"]) {
      on(window, name, release)
    }
    // A hidden page gets no frames.
    on(document, "visibilitychange", () => {
      if (document.visibilityState === "hidden") {
        this.#endMotion()
        this.#output.leave()
      }
    })
    on(window, "pagehide", () => {
      this.#endMotion()
      this.#output.leave()
    })
  }

  #moved() {
    if (document.visibilityState === "hidden") return
    if (this.#motion === null) {
      const kind = this.#isPressed ? "drag" : "scroll"
      this.#motion = { kind, begin: performance.now(), quiet: 0, frames: [], last: 0 }
      this.#request = requestAnimationFrame((begin) => this.#tick(begin))
    } else if (this.#isPressed) {
      this.#changeKind("drag")
    }
    this.#motion.quiet = 0
  }

  #changeKind(kind) {
    const motion = this.#motion
    if (motion === null || motion.kind === kind || (kind === "deceleration" && motion.kind !== "drag")) {
      return
    }
    const now = performance.now()
    this.#output.put({ interaction: motion.kind, begin: motion.begin, end: now })
    motion.kind = kind
    motion.begin = now
  }

  /**
   * A motion ends with the first frame after the one that showed the last movement, however late that
   * is. Frames without movement are counted, because in time a stall is no different from a pause.
   */
  #tick(begin) {
    const motion = this.#motion
    if (motion === null) return
    // The scroll event of a frame comes after the time of the frame.
    if (motion.last === 0) motion.begin = Math.min(motion.begin, begin)
    if (motion.quiet <= 1) {
      // The frames of a pause count only if the movement goes on.
      for (const line of motion.frames.splice(0)) this.#output.put(line)
      motion.last = Math.max(begin, motion.begin)
    }
    motion.quiet += 1
    if (motion.quiet > quietFrames) {
      this.#endMotion()
      return
    }
    this.#request = requestAnimationFrame((next) => this.#tick(next))
    this.#cells?.check()
    const line = { frame: ++this.#frame, begin, commitStart: performance.now() }
    if (this.#interval) line.interval = this.#interval
    motion.frames.push(line)
    // Style, layout and paint follow the callbacks of the frame, and a message follows those.
    const channel = new MessageChannel()
    channel.port1.onmessage = () => {
      channel.port1.close()
      line.commitEnd = performance.now()
    }
    channel.port2.postMessage(null)
  }

  #endMotion() {
    const motion = this.#motion
    if (motion === null) return
    this.#motion = null
    cancelAnimationFrame(this.#request)
    // The numbers of frames that are not written are free again.
    for (const line of motion.frames.splice(0)) {
      if (line.begin < motion.last) this.#output.put(line)
      else this.#frame -= 1
    }
    if (motion.last > motion.begin) {
      this.#output.put({ interaction: motion.kind, begin: motion.begin, end: motion.last })
    }
  }

  /** Takes the median of twenty frames in which nothing else happens. */
  #measureInterval() {
    const times = []
    const tick = (time) => {
      times.push(time)
      if (times.length <= 20) {
        requestAnimationFrame(tick)
        return
      }
      const lengths = times.slice(1).map((t, i) => t - times[i]).sort((a, b) => a - b)
      this.#interval = lengths[lengths.length >> 1]
    }
    requestAnimationFrame(tick)
  }

  #observeLongFrames() {
    if (!globalThis.PerformanceObserver?.supportedEntryTypes?.includes("long-animation-frame")) return
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) this.#putLongFrame(entry)
    })
    observer.observe({ type: "long-animation-frame" })
    this.#stops.push(() => observer.disconnect())
  }

  #putLongFrame(entry) {
    const end = entry.startTime + entry.duration
    for (const script of entry.scripts) {
      this.#output.put({
        span: script.sourceFunctionName || script.invoker || "script", category: "script",
        begin: script.startTime, duration: script.duration, invoker: script.invoker,
        url: script.sourceURL, position: script.sourceCharPosition,
        forcedLayoutMs: script.forcedStyleAndLayoutDuration || undefined,
      })
    }
    if (entry.styleAndLayoutStart > 0 && end > entry.styleAndLayoutStart) {
      this.#output.put({
        span: "style and layout", category: "scrolltrace.phase", begin: entry.styleAndLayoutStart, end,
      })
    }
  }
}

/** The cells in view, which of them wait for their content, and how much of the view has no cell. */
class Cells {
  #put
  #options
  #identifiers = new WeakMap()
  #count = 0
  #visible = new Map()
  #waiting = new Set()
  #intersections
  #mutations
  #blank = -1
  #root
  #loaded = () => this.check()

  constructor(target, options, put) {
    this.#put = put
    this.#options = options
    const root = target.nodeType === 9 ? target.documentElement : target
    this.#root = root
    this.#intersections = new IntersectionObserver((entries) => this.#changed(entries), {
      root: target.nodeType === 9 ? null : target, threshold: [0, 0.25, 0.5, 0.75, 1],
    })
    this.#watch(root)
    this.#mutations = new MutationObserver((changes) => {
      for (const change of changes) {
        for (const node of change.addedNodes) if (node.nodeType === 1) this.#watch(node)
        for (const node of change.removedNodes) if (node.nodeType === 1) this.#forget(node)
      }
      this.check()
    })
    this.#mutations.observe(root, {
      childList: true, subtree: true, attributes: true, attributeFilter: ["aria-busy"],
    })
    // Content comes also when nothing moves.
    root.addEventListener("load", this.#loaded, { capture: true })
  }

  stop() {
    this.#intersections.disconnect()
    this.#mutations.disconnect()
    this.#root.removeEventListener("load", this.#loaded, { capture: true })
  }

  /** Finds the cells whose content has come. */
  check() {
    for (const cell of this.#waiting) {
      if (this.#options.isPlaceholder(cell)) continue
      this.#waiting.delete(cell)
      this.#mark("final", "scrolltrace.image", cell)
    }
  }

  #watch(root) {
    if (root.matches(this.#options.cells)) this.#intersections.observe(root)
    for (const cell of root.querySelectorAll(this.#options.cells)) this.#intersections.observe(cell)
  }

  #forget(root) {
    for (const cell of this.#visible.keys()) if (root.contains(cell)) this.#hide(cell)
  }

  #hide(cell) {
    this.#visible.delete(cell)
    this.#waiting.delete(cell)
    this.#mark("didEndDisplaying", "scrolltrace.cell", cell)
  }

  #changed(entries) {
    let view = null
    for (const { target, isIntersecting, intersectionRect, rootBounds } of entries) {
      view = rootBounds ?? view
      if (!isIntersecting) {
        if (this.#visible.has(target)) this.#hide(target)
        continue
      }
      const isNew = !this.#visible.has(target)
      this.#visible.set(target, intersectionRect.width * intersectionRect.height)
      if (!isNew) continue
      this.#mark("willDisplay", "scrolltrace.cell", target)
      if (this.#options.isPlaceholder(target)) {
        this.#waiting.add(target)
        this.#mark("placeholder", "scrolltrace.image", target)
      }
    }
    if (view === null || view.width * view.height === 0) return
    const covered = [...this.#visible.values()].reduce((sum, area) => sum + area, 0)
    const blank = Math.round(100 * Math.max(0, 1 - covered / (view.width * view.height)))
    if (blank === this.#blank) return
    this.#blank = blank
    this.#put({ counter: "view without cells (%)", value: blank, at: performance.now() })
  }

  #mark(mark, category, cell) {
    if (!this.#identifiers.has(cell)) this.#identifiers.set(cell, ++this.#count)
    const view = this.#identifiers.get(cell)
    const item = cell.dataset.item ?? view
    const number = Number(item)
    this.#put({
      mark, category, item: Number.isSafeInteger(number) ? number : String(item), view,
      at: performance.now(),
    })
  }
}

/** Leaves out what is finer than a nanosecond, which only the conversion of a double adds. */
function roundToNanoseconds(_key, value) {
  return typeof value === "number" ? Math.round(value * 1e6) / 1e6 : value
}

/** The lines, which are uploaded in pieces of whole lines. */
class Output {
  counts = { lines: 0, lost: 0, pieces: 0, uploadedBytes: 0, failures: 0 }
  #options
  #lines = []
  #lineBytes = 0
  /** The pieces that no server has accepted. */
  #pieces = []
  #storedBytes = 0
  #next = 0
  #sending = null
  #timer = 0
  #session
  #encoder = new TextEncoder()

  constructor(options) {
    this.#options = options
    this.#session = options.session
      ?? Array.from(crypto.getRandomValues(new Uint32Array(2)), (n) => n.toString(36)).join("")
    this.put({ scrolltrace: "ndjson/1", unit: "ms" })
    if (options.upload) {
      this.#timer = setInterval(() => this.flush(), options.uploadSeconds * 1000)
    }
  }

  put(line) {
    const text = JSON.stringify(line, roundToNanoseconds) + "\n"
    const bytes = this.#encoder.encode(text).length
    if (this.#storedBytes + bytes > this.#options.maximumBytes) {
      this.counts.lost += 1
      return
    }
    if (this.#lineBytes + bytes > this.#options.pieceBytes) this.#cut()
    this.#lines.push(text)
    this.#lineBytes += bytes
    this.#storedBytes += bytes
    this.counts.lines += 1
  }

  text() {
    return this.#pieces.map((piece) => piece.body).join("") + this.#lines.join("")
  }

  /** Posts one piece after the other until none is left or one is refused three times. */
  flush() {
    if (!this.#options.upload) return Promise.resolve(false)
    this.#sending ??= this.#send().finally(() => { this.#sending = null })
    return this.#sending
  }

  /** Hands over what is left while the page is closed. What the browser refuses stays here. */
  leave() {
    if (!this.#options.upload) return
    this.#cut()
    for (const piece of this.#pieces.filter((piece) => !piece.isUnderway)) {
      const body = new Blob([piece.body], { type: "application/x-ndjson" })
      if (navigator.sendBeacon(this.#address(piece), body)) this.#remove(piece)
      else this.counts.failures += 1
    }
  }

  async stop() {
    clearInterval(this.#timer)
    // What is under way does not include the last lines.
    await this.#sending
    return this.flush()
  }

  async #send() {
    this.#cut()
    let attempt = 1
    while (this.#pieces.length > 0) {
      const piece = this.#pieces[0]
      piece.isUnderway = true
      const isAccepted = await this.#post(piece)
      piece.isUnderway = false
      if (isAccepted) {
        this.#remove(piece)
        attempt = 1
        continue
      }
      this.counts.failures += 1
      if (attempt === attempts) return false
      await new Promise((resolve) => setTimeout(resolve, 500 * 2 ** attempt))
      attempt += 1
    }
    return true
  }

  /** A piece keeps its number when it is sent again, so that the server can drop the second. */
  async #post(piece) {
    try {
      const response = await fetch(this.#address(piece), {
        method: "POST", body: piece.body, keepalive: true,
        headers: { "content-type": "application/x-ndjson" },
      })
      return response.ok
    } catch {
      return false  // no connection: the piece waits for the next time
    }
  }

  #cut() {
    if (this.#lines.length === 0) return
    const body = this.#lines.splice(0).join("")
    this.#pieces.push({ number: this.#next++, body, bytes: this.#lineBytes, isUnderway: false })
    this.#lineBytes = 0
  }

  #remove(piece) {
    this.#pieces.splice(this.#pieces.indexOf(piece), 1)
    this.#storedBytes -= piece.bytes
    this.counts.uploadedBytes += piece.bytes
    this.counts.pieces += 1
  }

  #address(piece) {
    const separator = this.#options.upload.includes("?") ? "&" : "?"
    return `${this.#options.upload}${separator}session=${this.#session}&piece=${piece.number}`
  }
}
