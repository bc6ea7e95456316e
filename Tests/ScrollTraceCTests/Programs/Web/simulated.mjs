// A page without a browser, whose time passes as this script wants: simulated.mjs SCRIPT
//
// A finger drags from 100 to 140 ms, the list decelerates until 180 ms with no frame at 150 and 160 ms,
// and after a pause the page is hidden in the middle of a scroll by script.
import { readFileSync } from "node:fs"

let now = 0
let callbacks = []
let messages = []
let observer
const listeners = {}
const target = {
  addEventListener: (name, body) => { (listeners[name] ??= []).push(body) },
  removeEventListener: (name, body) => {
    listeners[name] = listeners[name].filter((other) => other !== body)
  },
}
const fire = (name, event = {}) => {
  for (const body of [...(listeners[name] ?? [])]) body({ type: name, ...event })
}
const define = (values) => {
  for (const [name, value] of Object.entries(values)) {
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
  }
}
define({
  window: target,
  document: { ...target, visibilityState: "visible", nodeType: 9 },
  performance: { now: () => now },
  requestAnimationFrame: (body) => callbacks.push(body),
  cancelAnimationFrame: () => { callbacks = [] },
  MessageChannel: class {
    port1 = { close() {} }
    port2 = { postMessage: () => messages.push(this.port1) }
  },
  PerformanceObserver: class {
    static supportedEntryTypes = ["long-animation-frame"]
    constructor(body) { observer = body }
    observe() {}
    disconnect() {}
  },
})

// Runs a frame that does `work` for so long, and scrolls before it if it is to.
function frame(begin, { scrolls = true, work = 4 } = {}) {
  now = begin + 0.5
  if (scrolls) fire("scroll")
  for (const body of callbacks.splice(0)) body(begin)
  now = begin + work
  for (const port of messages.splice(0)) port.onmessage()
}

const source = readFileSync(process.argv[2], "utf8")
const { record } = await import("data:text/javascript," + encodeURIComponent(source))
const trace = record(document, { refreshInterval: 10, maximumBytes: 6000 })
now = 95
fire("pointerdown", { pointerType: "touch" })
fire("touchstart")
for (const begin of [100, 110, 120, 130]) frame(begin)
now = 139
fire("pointercancel", { pointerType: "touch" })  // the browser scrolls; the finger is still down
fire("touchend")
frame(140, { work: 29 })
observer({ getEntries: () => [{
  startTime: 140, duration: 30, styleAndLayoutStart: 168,
  scripts: [{
    sourceFunctionName: "", invoker: "IMG.onload", startTime: 142, duration: 25, sourceURL: "feed.js",
    sourceCharPosition: 7, forcedStyleAndLayoutDuration: 3,
  }],
}] })
frame(170)
for (let begin = 180; begin < 300; begin += 10) frame(begin, { scrolls: false })
for (const begin of [500, 510, 520]) frame(begin)
document.visibilityState = "hidden"
fire("visibilitychange")
fire("scroll")
if (callbacks.length > 0) throw Error("a hidden page requests frames")
const { lost } = trace.counts
for (let index = 0; index < 200; index++) trace.mark("beyond the limit")
if (lost !== 0 || trace.counts.lost < 50) throw Error("lines beyond the limit are not counted")
await trace.stop()
process.stdout.write(trace.text().split("\n").filter((line) => !line.includes("beyond")).join("\n"))
