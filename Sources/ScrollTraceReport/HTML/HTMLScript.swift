/// The script of a page, which zooms its drawings and reads out frames. Without it, they are displayed
/// as a whole.
///
/// It contains no less-than signs or ampersands, so that the page is also valid XML.
enum HTMLScript {
  /// The hash of `text` for the page's policy.
  static let hash = "sha256-oxputzg2DIZJhY7S9Th8l1C+MhVexnH5Y0ifg9a4W0E="

  /// The script.
  static let text = """
    "use strict";
    const whole = 1000;
    for (const figure of document.querySelectorAll("figure.graph")) {
      const source = figure.querySelector("script");
      if (source) graph(figure, JSON.parse(source.textContent));
    }
    for (const figure of document.querySelectorAll("figure.lanes")) lanes(figure);
    function graph(figure, data) {
      const drawing = figure.querySelector("svg");
      const views = [...drawing.querySelectorAll("svg")];
      const paths = [views[0].querySelector("path.good"), views[0].querySelector("path.late")];
      const times = [...drawing.querySelectorAll("text.time")];
      const marks = [...drawing.querySelectorAll("circle")].map(circle =>
        [circle, parseFloat(circle.getAttribute("cx")) * 10]);
      const place = load => {
        let i = 1;
        while (data.loads.length - 1 > i) { if (data.loads[i] >= load) break; i += 1; }
        const low = data.loads[i - 1], part = (load - low) / (data.loads[i] - low);
        const y = data.places[i - 1] + Math.min(part, 1) * (data.places[i] - data.places[i - 1]);
        return low === 1000 ? Math.min(y, data.places[i - 1] - 2) : y;
      };
      const readout = document.createElement("p");
      readout.className = "readout";
      readout.textContent = "Point at a frame to read its time and work.";
      const zoom = zoomable(drawing, 0.5, (from, width) => {
        const columns = Math.max(200, Math.round(drawing.clientWidth));
        const worst = new Array(columns).fill(0);
        for (const [begin, end, load] of data.points) {
          const first = Math.floor((begin / 1000 - from) / width * columns) + 1;
          const last = Math.floor((end / 1000 - from) / width * columns);
          if (0 > last || Math.min(first, last) >= columns) continue;
          for (let i = Math.max(0, Math.min(first, last)); Math.min(last, columns - 1) >= i; i++)
            worst[i] = Math.max(worst[i], load);
        }
        const steps = ["", ""], ground = data.places[0];
        worst.forEach((load, i) => {
          if (load === 0) return;
          const x = n => (from + n / columns * width).toFixed(3);
          steps[load > 1000 ? 1 : 0] +=
            `M${x(i)} ${ground}V${place(load).toFixed(1)}H${x(i + 1)}V${ground}`;
        });
        paths.forEach((path, i) => path.setAttribute("d", steps[i]));
        for (const view of views)
          view.setAttribute("viewBox", `${from} 0 ${width} ${view.getAttribute("height")}`);
        times.forEach((text, i) => {
          const at = data.begin + data.length * (from + width * i / 4) / whole;
          text.textContent = (at / 1e9).toFixed(3) + " s";
        });
        for (const [circle, x] of marks) {
          const part = (x - from) / width;
          circle.setAttribute("cx", part * 100 + "%");
          circle.setAttribute("visibility", Math.abs(part - 0.5) > 0.5 ? "hidden" : "visible");
        }
      });
      zoom.bar.append(readout);
      drawing.addEventListener("pointermove", event => {
        const x = zoom.at(event) * 1000, near = zoom.width() * 4;
        let best = null, distance = near;
        for (const point of data.points) {
          const away = Math.max(point[0] - x, x - point[1], 0);
          if (away > distance) continue;
          if (away === distance) { if (best !== null) if (best[2] >= point[2]) continue; }
          [best, distance] = [point, away];
        }
        if (best === null) return;
        const at = (data.begin + data.length * best[1] / 1e6) / 1e9;
        readout.textContent = `${at.toFixed(3)} s: ${(best[3] / 1e6).toFixed(2)} ms`
          + (data.isRelative ? `, ${(best[2] / 1000).toFixed(2)}x` : "");
      });
    }
    function lanes(figure) {
      const drawing = figure.querySelector("svg");
      const view = drawing.querySelector("svg");
      const begin = Number(figure.dataset.begin), length = Number(figure.dataset.length);
      const number = (node, name) => parseFloat(node.getAttribute(name) || "0") * 10;
      const boxes = [...view.querySelectorAll("svg"), ...view.querySelectorAll("rect.overrun")].map(
        box => [box, number(box, "x"), number(box, "width")]);
      const lines = [...view.querySelectorAll("line")].map(line => [line, number(line, "x1")]);
      const words = [...view.children].filter(node => node.tagName === "text").map(
        text => [text, number(text, "x")]);
      const times = [...drawing.querySelectorAll("text.time")];
      zoomable(drawing, 1, (from, width) => {
        const part = x => (x - from) / width * 100 + "%";
        for (const [box, x, size] of boxes) {
          box.setAttribute("x", part(x));
          box.setAttribute("width", Math.max(0.2, size / width * 100) + "%");
          const pixels = drawing.clientWidth / width, word = box.querySelector("text");
          box.classList.toggle("short", 28 > size * pixels);
          // The name of a bar that starts outside stays in sight.
          if (word) word.setAttribute("x", Math.max(3, 3 - (x - from) * pixels));
        }
        for (const [line, x] of lines) {
          line.setAttribute("x1", part(x));
          line.setAttribute("x2", part(x));
        }
        for (const [text, x] of words) text.setAttribute("x", part(x));
        times.forEach((text, i) => {
          const at = begin + length * (from + width * i / 4) / whole;
          text.textContent = (at / 1e6).toFixed(width === whole ? 1 : 3) + " ms";
        });
      });
    }
    function zoomable(drawing, least, draw) {
      let from = 0, width = whole;
      const show = (middle, size) => {
        width = Math.min(whole, Math.max(least, size));
        from = Math.min(whole - width, Math.max(0, middle - width / 2));
        buttons.forEach((button, i) => { button.disabled = i === 0 ? false : width === whole; });
        draw(from, width);
      };
      const bar = document.createElement("div");
      bar.className = "zoom";
      const buttons = [
        ["Zoom in", () => show(from + width / 2, width / 2)],
        ["Zoom out", () => show(from + width / 2, width * 2)],
        ["Earlier", () => show(from + width / 4, width)],
        ["Later", () => show(from + width * 3 / 4, width)],
        ["Show all", () => show(whole / 2, whole)],
      ].map(([name, act]) => {
        const button = document.createElement("button");
        button.type = "button";
        button.textContent = name;
        button.addEventListener("click", act);
        bar.append(button);
        return button;
      });
      buttons.forEach((button, i) => { button.disabled = i > 0; });
      drawing.after(bar);
      let start = null;
      const at = event => {
        const box = drawing.getBoundingClientRect();
        return from + (event.clientX - box.left) / box.width * width;
      };
      drawing.addEventListener("pointerdown", event => { start = at(event); });
      drawing.addEventListener("pointerup", event => {
        if (start === null) return;
        const end = at(event), size = Math.abs(end - start);
        if (size > width / 50) show((start + end) / 2, size);
        start = null;
      });
      drawing.addEventListener("dblclick", () => show(whole / 2, whole));
      return { at, bar, width: () => width };
    }
    """
}
