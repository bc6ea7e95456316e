/// The script of a page, which zooms its drawings and reads out frames. Without it, they are displayed
/// as a whole.
///
/// It contains no less-than signs or ampersands, so that the page is also valid XML.
enum HTMLScript {
  /// The hash of `text` for the page's policy.
  static let hash = "sha256-hX3HgKWbeLynfMdXzVBqtHeB0MxWbX7nZcRfK5wq/l8="

  static let text = """
    "use strict";
    const whole = 1000;
    const owners = new Map();
    for (const figure of document.querySelectorAll("figure")) {
      const source = figure.querySelector("script"), isGraph = figure.matches(".graph");
      if (isGraph) if (!source) continue;
      const owner = figure.closest(".beside") || figure;
      if (!owners.has(owner)) owners.set(owner, []);
      owners.get(owner).push(isGraph ? graph(figure, JSON.parse(source.textContent)) : lanes(figure));
    }
    for (const [owner, drawings] of owners) zoomable(owner, drawings);
    for (const code of document.querySelectorAll("code.command")) copyable(code);
    addEventListener("hashchange", reveal);
    reveal();
    function ticks(begin, length, maximum) {
      let step = 1;
      for (let i = 1; length / maximum > step; i++) step = [1, 2, 5][i % 3] * 10 ** Math.floor(i / 3);
      const end = begin + length;
      const unit = 1e9 > Math.max(Math.abs(begin), Math.abs(end)) ? 1e6 : 1e9;
      let places = 0;
      for (let part = unit; step % part !== 0; part /= 10) places += 1;
      const list = [];
      for (let time = Math.ceil(begin / step) * step; end >= time; time += step)
        list.push([time, (time / unit).toFixed(places) + (unit === 1e6 ? " ms" : " s")]);
      return list;
    }
    function short(time) {
      const [value, unit] = time >= 999.5e6 ? [time / 1e9, " s"] : [time / 1e6, " ms"];
      return value.toFixed(value >= 9.95 ? 0 : 1).replace(".0", "") + unit;
    }
    function set(node, attributes) {
      for (const key in attributes) node.setAttribute(key, attributes[key]);
      return node;
    }
    function add(parent, name, attributes) {
      const node = document.createElementNS("http://www.w3.org/2000/svg", name);
      parent.append(node);
      return set(node, attributes);
    }
    function line(owner, name, text = "") {
      const node = document.createElement("p");
      [node.className, node.textContent] = [name, text];
      owner.append(node);
      return node;
    }
    function button(name, act) {
      const node = document.createElement("button");
      [node.type, node.textContent] = ["button", name];
      node.addEventListener("click", act);
      return node;
    }
    function axis(drawing, begin, length, from, width) {
      const group = drawing.querySelector("g.times"), first = begin + length * from / whole;
      if (!group) return;
      group.replaceChildren();
      const shown = length * width / whole, room = Math.max(2, drawing.clientWidth / 90);
      for (const [time, label] of ticks(first, shown, room)) {
        const x = (time - first) / shown * 100 + "%";
        add(group, "text", { x, class: "time", "text-anchor": "middle" }).textContent = label;
        add(group, "line", { x1: x, x2: x, y1: -15, y2: -11, class: "instant" });
      }
    }
    function box(part, from, width, pixels) {
      const { node, x, size, least } = part, word = node.querySelector("text");
      set(node, {
        x: (x - from) / width * 100 + "%", width: Math.max(least, size / width * 100) + "%",
      });
      node.classList.toggle("short", (word ? word.textContent.length * 5 : 0) > size * pixels);
      // The name of a box that starts outside stays in sight.
      if (word) set(word, { x: Math.max(3, 3 - (x - from) * pixels) });
    }
    function boxes(nodes, least) {
      const number = (node, name) => parseFloat(node.getAttribute(name) || "0") * 10;
      return [...nodes].map(
        node => ({ node, x: number(node, "x"), size: number(node, "width"), least }));
    }
    function graph(figure, data) {
      const drawing = figure.querySelector("svg"), plot = drawing.querySelector("svg.plot");
      const views = [...drawing.querySelectorAll("svg.stretched")];
      const paths = [plot.querySelector("path.good"), plot.querySelector("path.late")];
      const peak = drawing.querySelector("text.peak");
      const marks = [...drawing.querySelectorAll("g.mark")].map(mark =>
        ({ mark, x: parseFloat(mark.dataset.x) * 10, letter: mark.querySelector("text") }));
      const spans = boxes(drawing.querySelectorAll("svg.span"), 0.2);
      const scale = whole / data.length * 1e4, points = [], loads = new Map(data.loads);
      const numbers = data.points.split(" ").map(text => parseInt(text, 36));
      let time = 0;
      for (let i = 0; numbers.length > i; i += 3) {
        const [gap, size, work] = numbers.slice(i, i + 3), load = Math.abs(work) * 1e4 / data.unit;
        time += gap + size;
        points.push({
          begin: (time - size) * scale, end: time * scale, length: Math.abs(work) * 1e4,
          load: loads.has(i / 3) ? loads.get(i / 3) : 0 > work ? Math.max(load, 1.001) : Math.min(load, 1),
        });
      }
      const place = load => {
        let i = 1;
        while (data.scale.length - 1 > i) { if (data.scale[i][0] >= load) break; i += 1; }
        const [low, bottom] = data.scale[i - 1], [high, top] = data.scale[i];
        const y = bottom + Math.min((load - low) / (high - low), 1) * (top - bottom);
        return low === 1 ? Math.min(y, bottom - 2) : y;
      };
      const draw = (from, width) => {
        const columns = Math.max(200, Math.round(drawing.clientWidth));
        const worst = new Array(columns).fill(0);
        let highest = null;
        for (const point of points) {
          let first = Math.floor((point.begin - from) / width * columns) + 1;
          const last = Math.floor((point.end - from) / width * columns);
          if (0 > last || Math.min(first, last) >= columns) continue;
          if (last - first > 4) first += 1;
          for (let i = Math.max(0, Math.min(first, last)); Math.min(last, columns - 1) >= i; i++)
            worst[i] = Math.max(worst[i], point.load);
          if (point.load > (highest ? highest.load : 1)) highest = point;
        }
        const steps = ["", ""], ground = data.scale[0][1];
        worst.forEach((load, i) => {
          if (load === 0) return;
          const x = n => (n * whole / columns).toFixed(2);
          steps[load > 1 ? 1 : 0] += `M${x(i)} ${ground}V${place(load).toFixed(1)}H${x(i + 1)}V${ground}`;
        });
        paths.forEach((path, i) => set(path, { d: steps[i] }));
        for (const view of views)
          set(view, { viewBox: `${from} 0 ${width} ${view.getAttribute("height")}` });
        const pixels = drawing.clientWidth / width;
        for (const span of spans) box(span, from, width, pixels);
        if (peak) peak.textContent = highest ? short(highest.length) : "";
        if (highest) if (peak) {
          const middle = Math.max(from, highest.begin) + Math.min(from + width, highest.end);
          const at = (middle / 2 - from) / width * whole;
          set(peak, {
            x: at / 10 + "%", y: place(highest.load) - 4,
            "text-anchor": 50 > at ? "start" : at > 950 ? "end" : "middle",
          });
        }
        const taken = [];
        for (const { mark, x, letter } of marks) {
          const at = (x - from) / width, pixel = at * drawing.clientWidth;
          const isOutside = Math.abs(at - 0.5) > 0.5;
          const isCovered = isOutside || taken.some(other => 11 > Math.abs(other - pixel));
          set(mark, { visibility: isOutside ? "hidden" : "visible" });
          set(mark.querySelector("circle"), { cx: at * 100 + "%" });
          set(letter, { x: at * 100 + "%", class: isCovered ? "covered" : "" });
          if (!isCovered) taken.push(pixel);
        }
        axis(drawing, data.begin, data.length, from, width);
      };
      const pick = (x, width) => {
        const reach = width * 4 / drawing.clientWidth;
        let best = null, distance = reach;
        for (const point of points) {
          const away = Math.max(point.begin - x, x - point.end, 0);
          if (away > distance) continue;
          if (away === distance) if (best) if (best.load >= point.load) continue;
          [best, distance] = [point, away];
        }
        if (!best) return null;
        const mark = marks.find(({ x }) => best.end + reach >= x ? x >= best.begin - reach : false);
        const link = mark ? mark.mark.querySelector("a") : null;
        const at = ((data.begin + data.length * best.end / whole) / 1e9).toFixed(3);
        const name = figure.dataset.name ? figure.dataset.name + ", " : "";
        return {
          text: link ? link.querySelector("title").textContent
            : `${name}${at} s: ${short(best.length)}`
              + (data.isRelative ? `, ${best.load.toFixed(1)}× the time available` : ""),
          target: link ? link.getAttribute("href").slice(1) : "",
        };
      };
      return { drawing, draw, pick, worst: data.worst, least: 0.5 };
    }
    function lanes(figure) {
      const drawing = figure.querySelector("svg"), view = drawing.querySelector("svg");
      const begin = Number(figure.dataset.begin), length = Number(figure.dataset.length);
      const parts = boxes(view.querySelectorAll("svg, rect.overrun"), 0.2);
      const others = [...view.children].filter(node => /^(line|text)$/.test(node.tagName)).map(node =>
        [node, parseFloat(node.getAttribute("x1") || node.getAttribute("x")) * 10]);
      const draw = (from, width) => {
        for (const bar of parts) box(bar, from, width, drawing.clientWidth / width);
        for (const [node, x] of others) {
          const at = (x - from) / width * 100 + "%";
          set(node, node.tagName === "line" ? { x1: at, x2: at } : { x: at });
        }
        axis(drawing, begin, length, from, width);
      };
      return { drawing, draw, pick: () => null, worst: null, least: 1, isLanes: true };
    }
    function zoomable(owner, drawings) {
      let from = 0, width = whole;
      const isLanes = drawings[0].isLanes, least = drawings[0].least;
      const worst = drawings.map(each => each.worst).filter(Boolean)
        .sort((one, other) => other[2] - one[2])[0];
      const draw = () => {
        for (const each of drawings) if (each.drawing.clientWidth > 0) each.draw(from, width);
      };
      const show = (start, size) => {
        width = Math.min(whole, Math.max(least, size));
        from = Math.min(whole - width, Math.max(0, start));
        [...bar.children].slice(-4).forEach(button => { button.disabled = width === whole; });
        if (isLanes) bar.hidden = width === whole;
        draw();
      };
      const scaleBy = (factor, x) => {
        const size = Math.min(whole, Math.max(least, width * factor));
        show(x - (x - from) * size / width, size);
      };
      const middle = () => from + width / 2;
      const pan = part => show(from + width * part, width);
      const all = () => show(0, whole);
      const toWorst = () => { if (worst) show(worst[0] / 1000, (worst[1] - worst[0]) / 1000); };
      const bar = document.createElement("div");
      bar.className = "zoom";
      const acts = [
        ["To the worst hitch", "", toWorst], ["+", "Zoom in", () => scaleBy(0.5, middle())],
        ["−", "Zoom out", () => scaleBy(2, middle())], ["←", "Earlier", () => pan(-0.25)],
        ["→", "Later", () => pan(0.25)], ["Show all", "", all],
      ];
      for (const [name, label, act] of worst ? acts : acts.slice(1)) {
        bar.append(set(button(name, act), { "aria-label": label || name }));
      }
      owner.append(bar);
      const keys = {
        "+": () => scaleBy(0.5, middle()), "-": () => scaleBy(2, middle()),
        ArrowLeft: () => pan(-0.25), ArrowRight: () => pan(0.25), "0": all, Escape: all, w: toWorst,
      };
      keys["="] = keys["+"];
      const press = event => {
        if (event.ctrlKey || event.metaKey || event.altKey || !keys[event.key]) return;
        event.preventDefault();
        keys[event.key]();
      };
      owner.tabIndex = 0;
      owner.addEventListener("keydown", press);
      let readout = null;
      if (!isLanes) {
        line(owner, "hint", "Drag or turn the wheel to zoom, ← → to move, + − 0 to zoom and reset,"
          + " double-click for all"
          + (document.querySelector("figure.lanes") ? "; click a late frame for its timeline." : "."));
        readout = line(owner, "readout");
        if (document.querySelector("figure.graph") === drawings[0].drawing.parentElement)
          document.addEventListener("keydown", event => {
            if (document.activeElement === document.body) press(event);
          });
      }
      for (const { drawing } of drawings) {
        const at = event => {
          const box = drawing.getBoundingClientRect();
          return from + Math.min(1, Math.max(0, (event.clientX - box.left) / box.width)) * width;
        };
        const range = add(drawing, "rect", { class: "range", height: "100%", width: 0 });
        let start = null, isDrag = false, wait = 0;
        drawing.addEventListener("dragstart", event => event.preventDefault());
        drawing.addEventListener("pointerdown", event => {
          if (event.button === 0) [start, isDrag] = [{ x: at(event), pixel: event.clientX }, false];
        });
        drawing.addEventListener("pointermove", event => {
          const x = at(event);
          if (start) if (Math.abs(event.clientX - start.pixel) > 4) {
            if (!isDrag) drawing.setPointerCapture(event.pointerId);
            isDrag = true;
            set(range, {
              x: (Math.min(x, start.x) - from) / width * 100 + "%",
              width: Math.abs(x - start.x) / width * 100 + "%",
            });
          }
          const texts = drawings.map(each => each.pick(x, width)).filter(Boolean);
          if (texts.length > 0) readout.textContent = texts.map(each => each.text).join(" · ");
        });
        const stop = () => {
          start = null;
          set(range, { width: 0 });
        };
        drawing.addEventListener("pointercancel", stop);
        drawing.addEventListener("pointerup", event => {
          if (!start) return;
          const x = at(event), begin = start.x;
          stop();
          if (isDrag) return show(Math.min(x, begin), Math.abs(x - begin));
          if (event.target.closest("a")) return;
          const picked = drawings.find(each => each.drawing === drawing).pick(x, width);
          if (picked) if (picked.target) wait = setTimeout(() => openRow(picked.target), 250);
        });
        drawing.addEventListener("click", event => {
          const link = event.target.closest("a");
          if (!link) return;
          event.preventDefault();
          if (!isDrag) openRow(link.getAttribute("href").slice(1));
        });
        drawing.addEventListener("dblclick", () => {
          clearTimeout(wait);
          all();
        });
        drawing.addEventListener("wheel", event => {
          if (isLanes) if (!owner.contains(document.activeElement)) return;
          const lines = event.deltaMode === 1 ? 16 : 1;
          if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
            if (width === whole) return;
            pan(event.deltaX * lines / drawing.clientWidth);
          } else {
            if (event.deltaY > 0) if (width === whole) return;
            scaleBy(2 ** (event.deltaY * lines / 240), at(event));
          }
          event.preventDefault();
        }, { passive: false });
        new ResizeObserver(draw).observe(drawing);
      }
      show(0, whole);
    }
    function openRow(row) {
      const name = document.getElementById(row + "-lanes") ? row + "-lanes" : row;
      if (location.hash === "#" + name) reveal(); else location.hash = name;
    }
    function reveal() {
      const target = document.getElementById(location.hash.slice(1));
      if (!target) return;
      for (let at = target; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
      target.scrollIntoView();
    }
    function copyable(code) {
      const copy = button("Copy", async () => {
        const range = document.createRange();
        range.selectNodeContents(code);
        getSelection().removeAllRanges();
        getSelection().addRange(range);
        try { await navigator.clipboard.writeText(code.textContent); }
        catch { document.execCommand("copy"); }
        copy.textContent = "Copied";
      });
      copy.className = "copy";
      code.after(" ", copy);
    }
    """
}
