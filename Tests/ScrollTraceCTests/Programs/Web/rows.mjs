// Two rows in view for a second, of which one gets its content after 50 ms and the other never:
// rows.mjs SCRIPT
import { readFileSync } from "node:fs"

let now = 0
let callbacks = []
let seen
let mutated
const target = { addEventListener() {}, removeEventListener() {} }
const define = (values) => {
  for (const [name, value] of Object.entries(values)) {
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
  }
}
const row = (item) => ({
  nodeType: 1, dataset: { item }, isBusy: true, matches: () => true, querySelectorAll: () => [],
  contains(other) { return this === other },
})
const rows = [row("1"), row("2")]
const listeners = {}
define({
  window: target, performance: { now: () => now },
  document: {
    ...target, visibilityState: "visible", nodeType: 9,
    addEventListener: (name, body) => { listeners[name] = body },
    documentElement: { ...target, matches: () => false, querySelectorAll: () => rows },
  },
  requestAnimationFrame: (body) => callbacks.push(body), cancelAnimationFrame() {},
  MessageChannel: class { port1 = {}; port2 = { postMessage() {} } },
  IntersectionObserver: class {
    constructor(body) { seen = body }
    observe() {}
    disconnect() {}
  },
  MutationObserver: class {
    constructor(body) { mutated = body }
    observe() {}
    disconnect() {}
  },
})
const rect = (height) => ({ width: 100, height })
const entries = (isIntersecting) => rows.map((target) => ({
  target, isIntersecting, intersectionRect: rect(isIntersecting ? 40 : 0), rootBounds: rect(100),
}))

const source = readFileSync(process.argv[2], "utf8")
const { record } = await import("data:text/javascript," + encodeURIComponent(source))
const trace = record(document, {
  refreshInterval: 10, cells: ".row", isPlaceholder: (cell) => cell.isBusy,
})
for (let begin = 0; begin <= 1000; begin += 10) {
  now = begin
  if (begin === 0) seen(entries(true))
  if (begin === 50) {
    rows[0].isBusy = false
    mutated([{ addedNodes: [], removedNodes: [] }])
  }
  if (begin < 1000) listeners.scroll()
  for (const body of callbacks.splice(0)) body(begin)
}
seen(entries(false))
await trace.stop()
process.stdout.write(trace.text())
