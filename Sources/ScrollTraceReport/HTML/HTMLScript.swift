/// The script of a page, which zooms its graphs. Without it, they are displayed as a whole.
///
/// It contains no less-than signs or ampersands, so that the page is also valid XML.
enum HTMLScript {
  /// The hash of `text` for the page's policy.
  static let hash = "sha256-Tthu0lFqzKZkNi9sDxv3XTyoEF648X0j7y3TwzpyX4k="

  /// The script.
  static let text = """
    "use strict";
    const whole = 1000;
    for (const figure of document.querySelectorAll("figure.graph")) {
      const source = figure.querySelector("script");
      if (source) zoomable(figure, JSON.parse(source.textContent));
    }
    function zoomable(figure, data) {
      const drawing = figure.querySelector("svg");
      const views = [...drawing.querySelectorAll("svg")];
      const paths = [views[0].querySelector("path.good"), views[0].querySelector("path.late")];
      const times = [...drawing.querySelectorAll("text.time")];
      const marks = [...drawing.querySelectorAll("circle")].map(circle =>
        [circle, parseFloat(circle.getAttribute("cx")) * 10]);
      let from = 0, width = whole;
      const place = load => {
        let i = 1;
        while (data.loads.length - 1 > i) { if (data.loads[i] >= load) break; i += 1; }
        const low = data.loads[i - 1], part = (load - low) / (data.loads[i] - low);
        const y = data.places[i - 1] + Math.min(part, 1) * (data.places[i] - data.places[i - 1]);
        return low === 1000 ? Math.min(y, data.places[i - 1] - 2) : y;
      };
      const draw = () => {
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
      };
      const show = (middle, size) => {
        width = Math.min(whole, Math.max(0.5, size));
        from = Math.min(whole - width, Math.max(0, middle - width / 2));
        buttons.forEach((button, i) => { button.disabled = i === 0 ? false : width === whole; });
        draw();
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
    }
    """
}
