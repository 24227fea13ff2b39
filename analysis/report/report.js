/* report.js: functions of a report's page: fills in the data, draws charts, moves the step
 *
 * All numbers come from the program that wrote the page: `report-data` is JSON; its values {n, at}
 * are n numbers of `report-numbers`, 32-bit floats in base64, from index `at` on.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
(function () {
  "use strict";

  const data = JSON.parse(element("report-data").textContent);
  const numbers = decode(element("report-numbers").textContent);
  const ladder = data.ladder;

  function element(id) {
    return document.getElementById(id);
  }

  function decode(text) {
    const letters = atob(text.trim());
    const bytes = new DataView(new ArrayBuffer(letters.length));
    const values = new Float32Array(letters.length / 4);
    for (let i = 0; i < letters.length; i++) {
      bytes.setUint8(i, letters.charCodeAt(i));
    }
    for (let i = 0; i < values.length; i++) {
      values[i] = bytes.getFloat32(4 * i, true);
    }
    return values;
  }

  /* ---- Words and numbers */

  const PREFIXES = ["f", "p", "n", "\u00b5", "m", "", "k", "M", "G", "T"];
  const NO_PREFIX = 5;

  function takesPrefix(unit) {
    return /^(N|m|s|J|Hz|Pa|F|H|A|V|W|ohm)($|[ /])/.test(unit);
  }

  function prefixOf(size, unit) {
    if (!takesPrefix(unit) || !(size > 0) || !isFinite(size)) {
      return NO_PREFIX;
    }
    const prefix = NO_PREFIX + Math.floor(Math.log10(size) / 3 + 1e-9);
    return Math.min(Math.max(prefix, 0), PREFIXES.length - 1);
  }

  function digits(number, n) {
    if (number === 0) {
      return "0";
    }
    const text = Number(number.toPrecision(n));
    const size = Math.abs(text);
    const shortest = size >= 1e6 || size < 1e-4 ? text.toExponential() : String(text);
    return shortest.replace(/-/g, "\u2212");
  }

  function withPrefix(number, unit, prefix, n) {
    const text = digits(number * Math.pow(10, -3 * (prefix - NO_PREFIX)), n);
    return unit === "" ? text : text + "\u00a0" + PREFIXES[prefix] + unit;
  }

  function quantity(number, unit, n) {
    if (number === null || !isFinite(number)) {
      return "\u2013";
    }
    return withPrefix(number, unit, prefixOf(Math.abs(number), unit), n || 4);
  }

  /* Labels of an axis, with one prefix for all. */
  function marks(splits, unit) {
    const size = Math.max.apply(null, splits.map(function (value) {
      return Math.abs(value || 0);
    }));
    const prefix = prefixOf(size, unit);
    return splits.map(function (value) {
      return value === null ? "" : withPrefix(value, unit, prefix, 6);
    });
  }

  /* Returns the factor of a mode's amplitude over a duration. */
  function factorText(growth, duration) {
    const exponent = growth * duration;
    if (exponent > 13.8) {
      return "\u00d7 10" + superscript(Math.round(exponent / Math.LN10));
    }
    if (Math.abs(exponent) < 5e-4) {
      return "\u00d7 1";
    }
    return "\u00d7 " + digits(Math.exp(exponent), Math.abs(exponent) < 0.1 ? 4 : 3);
  }

  function superscript(number) {
    return String(number).replace(/\d/g, function (digit) {
      return "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079"[digit];
    }).replace("-", "\u207b");
  }

  function vector(name, attributes) {
    const node = document.createElementNS("http://www.w3.org/2000/svg", name);
    Object.keys(attributes).forEach(function (key) {
      node.setAttribute(key, String(attributes[key]));
    });
    return node;
  }

  function make(name, className, text) {
    const node = document.createElement(name);
    if (className) {
      node.className = className;
    }
    if (text !== undefined) {
      node.textContent = text;
    }
    return node;
  }

  function show(id, text) {
    element(id).textContent = text;
    element(id).hidden = text === "";
  }

  function colour(name) {
    return getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
  }

  function curveColour(i) {
    return colour("curve-" + i % 8);
  }

  /* ---- Charts: redrawn for other colours, fitted to another width */

  /* Margin for half of the last number of an axis [pixels] */
  const BESIDE = 28;

  const charts = [];

  /* make(width, height) returns the plot, with the data and colours of the time of the call. */
  function addChart(name, host, build) {
    const chart = { name: name, host: host, build: build, plot: null };
    charts.push(chart);
    draw(chart);
    return chart;
  }

  function draw(chart) {
    if (chart.plot !== null) {
      chart.plot.destroy();
    }
    chart.plot = chart.build(Math.max(chart.host.clientWidth, 120),
                             Math.max(chart.host.clientHeight, 100));
  }

  function drawAll() {
    charts.forEach(draw);
  }

  function fitAll() {
    charts.forEach(function (chart) {
      const width = Math.max(chart.host.clientWidth, 120);
      const height = Math.max(chart.host.clientHeight, 100);
      if (chart.plot.width !== width || chart.plot.height !== height) {
        chart.plot.setSize({ width: width, height: height });
      }
    });
  }

  const FAMILY = "system-ui, -apple-system, \"Segoe UI\", Roboto, \"DejaVu Sans\", sans-serif";

  /* Returns the size of letters in charts, in proportion to the page's. */
  function letterSize() {
    return Math.max(Math.round(0.74 * parseFloat(getComputedStyle(document.body).fontSize)), 11);
  }

  function axis(unit, label, more) {
    const font = letterSize() + "px " + FAMILY;
    return Object.assign({
      stroke: colour("soft"),
      font: font,
      labelFont: font,
      label: label || undefined,
      labelSize: 1.7 * letterSize(),
      size: 2.4 * letterSize() + 6,
      space: 6 * letterSize(),
      grid: { stroke: colour("grid"), width: 1 },
      ticks: { stroke: colour("line"), width: 1, size: 5 },
      border: { show: true, stroke: colour("line"), width: 1 },
      values: function (plot, splits) {
        return marks(splits, unit);
      }
    }, more);
  }

  /* Returns the width of the longest label. */
  function uprightSize(plot, values) {
    const longest = (values || []).reduce(function (most, text) {
      return Math.max(most, (text || "").length);
    }, 3);
    return 18 + 0.63 * letterSize() * longest;
  }

  function upright(unit, label, more) {
    return axis(unit, label, Object.assign({ size: uprightSize, space: 2.6 * letterSize() }, more));
  }

  function curve(label, stroke, more) {
    return Object.assign({ label: label, stroke: stroke, width: 1.6, spanGaps: true }, more);
  }

  /* ---- Tabs: buttons of which one is active; arrow keys move between them */

  function addTabs(id, names, panel, choose) {
    const host = element(id);
    const buttons = names.map(function (name, i) {
      const button = make("button", "", name);
      button.type = "button";
      button.setAttribute("role", "tab");
      button.setAttribute("aria-controls", panel);
      button.addEventListener("click", function () {
        select(i);
      });
      host.appendChild(button);
      return button;
    });
    function select(i) {
      buttons.forEach(function (button, j) {
        button.setAttribute("aria-selected", String(i === j));
        button.tabIndex = i === j ? 0 : -1;
      });
      choose(i);
    }
    host.addEventListener("keydown", function (event) {
      const i = buttons.indexOf(document.activeElement);
      const last = buttons.length - 1;
      const next = { ArrowRight: i + 1, ArrowLeft: i - 1, Home: 0, End: last }[event.key];
      if (i < 0 || next === undefined) {
        return;
      }
      const wrapped = (next + buttons.length) % buttons.length;
      buttons[wrapped].focus();
      select(wrapped);
      event.preventDefault();
    });
    buttons.forEach(function (button, j) {
      button.setAttribute("aria-selected", String(j === 0));
      button.tabIndex = j === 0 ? 0 : -1;
    });
  }

  function addToggle(id, change) {
    const button = element(id);
    button.addEventListener("click", function () {
      const on = button.getAttribute("aria-pressed") !== "true";
      button.setAttribute("aria-pressed", String(on));
      change(on);
    });
  }

  /* Adds a legend with buttons that switch curves: each belongs to one or several series. */
  function addLegend(id, entries, shown, changed) {
    entries.forEach(function (name, i) {
      const button = make("button");
      const line = make("i");
      button.type = "button";
      button.setAttribute("aria-pressed", String(shown[i]));
      line.style.color = "var(--curve-" + i % 8 + ")";
      button.appendChild(line);
      button.appendChild(document.createTextNode(name));
      button.addEventListener("click", function () {
        shown[i] = !shown[i];
        button.setAttribute("aria-pressed", String(shown[i]));
        changed(i);
      });
      element(id).appendChild(button);
    });
  }

  function showLegend(id, shown) {
    Array.from(element(id).children).forEach(function (button, i) {
      button.setAttribute("aria-pressed", String(shown[i]));
    });
  }

  /* ---- Facts, elements, dialogue */

  function plural(n, one, many) {
    return n.toLocaleString("en-GB") + "\u00a0" + (n === 1 ? one : many || one + "s");
  }

  function fillFacts() {
    const summary = data.summary;
    element("laboratory-link").hidden = element("laboratory") === null;
    const facts = [
      ["Network", plural(summary.free_nodes, "free node") + ", " + plural(summary.links, "link")],
      ["Scheme", summary.scheme + (summary.start === "cold" ? ", cold start" : "")],
      ["Step", quantity(summary.step, "s")],
      ["Duration", quantity(summary.duration, "s") + ", " + plural(summary.steps, "step")]
    ];
    if (summary.fastest_frequency > 0) {
      facts.push(["Fastest mode", quantity(summary.fastest_frequency, "Hz")]);
    }
    facts.forEach(function (fact) {
      const pair = make("div");
      pair.appendChild(make("dt", "", fact[0]));
      pair.appendChild(make("dd", "", fact[1]));
      element("facts").appendChild(pair);
    });
    element("origin").textContent = "A report by ifbam " + data.version + " on " + data.file
      + (summary.sha256 ? " (SHA-256 " + summary.sha256.slice(0, 12) + "\u2026)" : "");
    if (data.diverged !== null) {
      show("diverged", "This network diverges: " + data.diverged + ".");
    }
  }

  function fillElements() {
    const summary = data.summary;
    const all = summary.free_nodes + summary.given_nodes + summary.links + summary.sources;
    data.elements.forEach(function (row) {
      const line = make("tr");
      const name = make("th", "", row.name);
      name.scope = "row";
      line.appendChild(name);
      [row["class"], row.joins, row.values].forEach(function (text) {
        line.appendChild(make("td", "", text));
      });
      element("element-rows").appendChild(line);
      labelCells(line);
    });
    show("elements-note", data.elements.length < all
      ? plural(data.elements.length, "element") + " of " + all.toLocaleString("en-GB") + "." : "");
    show("diagram-note", [
      data.drawn < summary.free_nodes
        ? plural(data.drawn, "node") + " of " + summary.free_nodes.toLocaleString("en-GB")
          + " are drawn." : "",
      data.links_left_out > 0
        ? plural(data.links_left_out, "link")
          + " between them would be a tangle, and are not drawn." : ""
    ].join(" ").trim());
  }

  /* On a phone a row is shown as a card, whose lines have the names of the columns. */
  function labelCells(line) {
    const heads = line.closest("table").querySelectorAll("thead th");
    Array.from(line.children).forEach(function (cell, i) {
      if (cell.tagName === "TD") {
        cell.dataset.label = heads[i].textContent;
      }
    });
  }

  function fillDialogue() {
    const turns = make("div", "turns");
    let list = null;
    data.dialogue.forEach(function (saying) {
      if (saying.kind === "step") {
        const turn = make("div", "turn");
        list = make("ol");
        turn.appendChild(make("h3", "", saying.line));
        turn.appendChild(list);
        turns.appendChild(turn);
        return;
      }
      const item = make("li", saying.kind);
      const colon = saying.line.indexOf(": \"");
      if (saying.speaker !== "" && colon > 0) {
        item.appendChild(make("b", "", saying.line.slice(0, colon)));
        item.appendChild(document.createTextNode(
          saying.line.slice(colon + 2).replace(/^"/, "\u201c").replace(/"$/, "\u201d")));
      } else {
        item.textContent = saying.line;
      }
      list.appendChild(item);
    });
    element("conversation").appendChild(turns);
    if (data.dialogue.length === 0) {
      show("dialogue-note", "The dialogue of so many nodes is more than anybody reads.");
    } else {
      show("dialogue-note", [
        data.dialogue_from > 0
          ? "After the first step this goes on where something happens, in step "
            + data.dialogue_from.toLocaleString("en-GB") + "." : "",
        data.dialogue_goes_on ? "And so on: ifbam dialogue prints all of it." : ""
      ].join(" ").trim());
    }
  }

  /* ---- Schemes and the slider */

  const state = { step: ladder.own, signal: 0, window: 0, ownScale: false };
  const stepListeners = [];
  const WINDOWS = ["All the time", "The first periods"];

  /* The most accurate course: the scheme of the highest order at the shortest step. */
  const reference = ladder.schemes.reduce(function (best, scheme) {
    return scheme.order > best.order ? scheme : best;
  }).rungs[0];

  /* Returns times and values: all rows, or of each interval of rows minimum and maximum, at its
   * first and last row. */
  function points(trace, signal) {
    const times = new Array(trace.n);
    const at = trace.at + signal * trace.n;
    for (let i = 0; i < trace.n; i++) {
      const row = trace.stretch === 1 ? i
        : Math.floor(i / 2) * trace.stretch + (i % 2) * (trace.stretch - 1);
      times[i] = Math.min(row, trace.rows - 1) * trace.interval;
    }
    return [times, numbers.subarray(at, at + trace.n)];
  }

  function traceOf(rung) {
    return state.window === 1 ? rung.head : rung.whole;
  }

  function rangeOf(values) {
    let low = Infinity;
    let high = -Infinity;
    for (let i = 0; i < values.length; i++) {
      low = Math.min(low, values[i]);
      high = Math.max(high, values[i]);
    }
    return [low, high];
  }

  /* Returns twice the range of the reference, for all panels: larger values are outside. */
  function commonRange() {
    const range = rangeOf(points(traceOf(reference), state.signal)[1]);
    const middle = (range[0] + range[1]) / 2;
    let half = Math.max(range[1] - range[0], 0.4 * Math.abs(middle));
    if (!(half > 0)) {
      half = 1;
    }
    return [middle - half, middle + half];
  }

  function panelData(scheme) {
    const rung = scheme.rungs[state.step];
    const joined = uPlot.join([points(traceOf(reference), state.signal),
                               points(traceOf(rung), state.signal)]);
    return joined;
  }

  const sync = uPlot.sync("schemes");

  function panelPlot(scheme, i, host, readout) {
    return function (width, height) {
      const signal = ladder.signals[state.signal];
      return new uPlot({
        width: width,
        height: height,
        padding: [null, BESIDE, null, null],
        legend: { show: false },
        cursor: { sync: { key: sync.key }, drag: { x: true, y: false }, points: { size: 6 } },
        scales: {
          x: { time: false, range: function (plot, low, high) {
            return zoomed(plot, low, high);
          } },
          y: { range: function (plot, low, high) {
            return state.ownScale ? wide(low, high) : commonRange();
          } }
        },
        axes: [axis("s", ""), upright(signal.unit, "")],
        series: [{},
                 curve("reference", colour("reference"), { width: 1.2, points: { show: false } }),
                 curve(scheme.name, curveColour(i))],
        hooks: { setCursor: [function (plot) {
          readout.textContent = readCursor(plot, signal.unit);
        }] }
      }, panelData(scheme), host);
    };
  }

  /* Returns the whole time, or the selected part, which does not change with the data. */
  function zoomed(plot, low, high) {
    const end = state.window === 1 ? ladder.head : ladder.duration;
    return low === plot.data[0][0] ? [0, Math.max(high === plot.data[0][plot.data[0].length - 1]
      ? end : high, 1e-300)] : [low, high];
  }

  function wide(low, high) {
    const more = 0.08 * (high - low) || 0.5 * Math.abs(high) || 1;
    return [low - more, high + more];
  }

  function readCursor(plot, unit) {
    const left = plot.cursor.left;
    if (left === undefined || left === null || left < 0) {
      return "";
    }
    const at = plot.cursor.idxs ? plot.cursor.idxs[2] : plot.cursor.idx;
    const index = nearest(plot.data[2], at === undefined || at === null ? plot.cursor.idx : at);
    if (index < 0) {
      return "";
    }
    return quantity(plot.data[0][index], "s") + ": " + quantity(plot.data[2][index], unit);
  }

  /* Returns the index of the next existing value, as courses have different times. */
  function nearest(values, from) {
    for (let away = 0; from !== null && away < values.length; away++) {
      if (typeof values[from - away] === "number") {
        return from - away;
      }
      if (typeof values[from + away] === "number") {
        return from + away;
      }
    }
    return -1;
  }

  const panels = [];

  function fillPanels() {
    ladder.schemes.forEach(function (scheme) {
      const panel = make("div", "panel");
      const title = make("h3");
      const badge = make("span", "badge");
      const host = make("div", "chart");
      const readout = make("p", "note readout");
      title.appendChild(make("span", "", scheme.name));
      title.appendChild(badge);
      title.title = scheme.summary + "; " + scheme.stability;
      host.setAttribute("role", "img");
      readout.setAttribute("aria-hidden", "true");
      panel.appendChild(title);
      panel.appendChild(host);
      panel.appendChild(readout);
      element("panels").appendChild(panel);
      panels.push({ scheme: scheme, badge: badge, host: host });
    });
    panels.forEach(function (panel, i) {
      panel.chart = addChart("scheme " + panel.scheme.name, panel.host,
                             panelPlot(panel.scheme, i, panel.host,
                                       panel.host.parentNode.querySelector(".readout")));
    });
  }

  /* Largest difference from the finest course, relative to its range; with larger ones a course is
   * not steady, with or without growth. */
  const AGREES = 0.05;

  /* Results of a run, which also determine its colour */
  const ENDS = {
    diverged: "diverged at ",
    stuck: "could not go on at ",
    rattled: "rattles, ended at ",
  };

  function endText(rung) {
    return rung.ended === null ? "finished" : ENDS[rung.end] + quantity(rung.ended, "s", 3);
  }

  function badgeOf(rung) {
    const exponent = rung.growth * ladder.duration;
    if (rung.ended !== null) {
      return ["diverged", endText(rung)];
    }
    if (exponent > 0.01) {
      return ["grows", "grows " + factorText(rung.growth, ladder.duration)];
    }
    if (exponent < -0.01) {
      return ["grows", "decays " + factorText(rung.growth, ladder.duration)];
    }
    const strays = rung.strays[state.signal];
    if (strays === null) {
      return ["unknown", "finished"]; /* the finest run has not finished */
    }
    return strays > AGREES
      ? ["strays", strays > 1 ? "strays" : "strays by " + Math.round(100 * strays) + "\u202f%"]
      : ["steady", "steady"];
  }

  function updatePanels() {
    panels.forEach(function (panel) {
      const rung = panel.scheme.rungs[state.step];
      const badge = badgeOf(rung);
      panel.badge.className = "badge " + badge[0];
      panel.badge.textContent = badge[1];
      panel.host.setAttribute("aria-label", ladder.signals[state.signal].name + " under "
        + panel.scheme.name + " with a step of " + quantity(ladder.steps[state.step], "s") + ": "
        + badge[1]);
      panel.chart.plot.setData(panelData(panel.scheme));
    });
  }

  function redrawPanels() {
    panels.forEach(function (panel) {
      draw(panel.chart);
    });
    updatePanels();
  }

  function stepText() {
    const step = ladder.steps[state.step];
    const parts = [quantity(step, "s") + (state.step === ladder.own ? " (the network's own)" : "")];
    if (ladder.frequency > 0) {
      parts.push("\u03c9\u03c4 = " + digits(ladder.frequency * step, 3));
      parts.push(digits(2 * Math.PI / (ladder.frequency * step), 3)
        + " steps in a period of the fastest mode");
    }
    return parts.join(" \u00b7 ");
  }

  function setStep(step) {
    state.step = Math.min(Math.max(step, 0), ladder.steps.length - 1);
    element("step").value = state.step;
    element("step").setAttribute("aria-valuetext", quantity(ladder.steps[state.step], "s"));
    element("step-text").textContent = stepText();
    element("shorter").disabled = state.step === 0;
    element("longer").disabled = state.step === ladder.steps.length - 1;
    updatePanels();
    stepListeners.forEach(function (listener) {
      listener();
    });
  }

  function addSlider() {
    const slider = element("step");
    let timer = null;
    function stop() {
      clearInterval(timer);
      timer = null;
      element("play").setAttribute("aria-pressed", "false");
      element("play").textContent = "Play";
    }
    slider.max = ladder.steps.length - 1;
    slider.addEventListener("input", function () {
      stop();
      setStep(Number(slider.value));
    });
    element("shorter").addEventListener("click", function () {
      stop();
      setStep(state.step - 1);
    });
    element("longer").addEventListener("click", function () {
      stop();
      setStep(state.step + 1);
    });
    element("own").addEventListener("click", function () {
      stop();
      setStep(ladder.own);
    });
    element("play").addEventListener("click", function () {
      if (timer !== null) {
        stop();
        return;
      }
      element("play").setAttribute("aria-pressed", "true");
      element("play").textContent = "Stop";
      setStep(state.step === ladder.steps.length - 1 ? 0 : state.step);
      timer = setInterval(function () {
        if (state.step === ladder.steps.length - 1) {
          stop();
        } else {
          setStep(state.step + 1);
        }
      }, 800);
    });
  }

  function schemesNote() {
    const parts = [];
    if (ladder.duration < 0.999 * data.summary.duration) {
      parts.push("The first " + quantity(ladder.duration, "s") + " of "
        + quantity(data.summary.duration, "s") + " are shown: the network is large.");
    }
    if (ladder.frequency > 0) {
      parts.push("\u03c9 is the angular frequency of the fastest mode, from the laws' slopes"
        + (data.modes.about === "rest" ? " where it is at rest" : " at the start")
        + "; growth is that of the worst mode's amplitude, dampers and contacts counted.");
    }
    parts.push("Of a course with more rows than the picture has room for, the smallest and the"
      + " largest value of every stretch are drawn. Drag in a panel to look closer, double-click to"
      + " go back.");
    return parts.join(" ");
  }

  /* ---- Stability */

  const shownSchemes = ladder.schemes.map(function () {
    return true;
  });
  let stabilityChart = null;

  /* Returns angular frequencies of the oscillating modes, descending; at least one [1/s]. */
  function markedFrequencies() {
    const marked = data.modes.modes.filter(function (mode) {
      return mode.frequency > 0;
    }).map(function (mode) {
      return 2 * Math.PI * mode.frequency;
    });
    if (ladder.frequency > 0 && (marked.length === 0 || !data.modes.all)) {
      marked.push(ladder.frequency);
    }
    return marked.sort(function (one, other) {
      return other - one;
    });
  }

  /* Returns logarithmic data: decay has positive values, too, and is dashed. */
  function stabilityData() {
    const n = data.stability.n;
    const at = data.stability.at;
    const columns = [Array.from(numbers.subarray(at, at + n))];
    ladder.schemes.forEach(function (scheme, s) {
      const growth = numbers.subarray(at + (s + 1) * n, at + (s + 2) * n);
      columns.push(Array.from(growth, function (value) {
        return value > 1e-10 ? value : null;
      }));
      columns.push(Array.from(growth, function (value) {
        return value < -1e-10 ? -value : null;
      }));
    });
    return columns;
  }

  function isPowerOfTen(value) {
    return value > 0 && Math.abs(Math.log10(value) - Math.round(Math.log10(value))) < 1e-9;
  }

  function powerOfTen(plot, splits) {
    return splits.map(function (value) {
      const exponent = Math.round(Math.log10(value));
      if (!isPowerOfTen(value)) {
        return "";
      }
      return Math.abs(exponent) < 3 ? digits(value, 3) : "10" + superscript(exponent);
    });
  }

  /* Returns an axis with powers of ten. */
  function decades(more) {
    return Object.assign({
      values: powerOfTen,
      grid: { stroke: colour("grid"), width: 1, filter: function (plot, splits) {
        return splits.map(function (value) {
          return isPowerOfTen(value) ? value : null;
        });
      } }
    }, more);
  }

  function drawMarks(plot) {
    const context = plot.ctx;
    const step = ladder.steps[state.step];
    const box = plot.bbox;
    context.save();
    context.beginPath();
    context.rect(box.left, box.top, box.width, box.height);
    context.clip();
    context.strokeStyle = colour("ink");
    context.fillStyle = colour("ink");
    context.lineWidth = 2;
    context.font = "600 " + letterSize() * uPlot.pxRatio + "px " + FAMILY;
    const labels = [];
    const ratio = uPlot.pxRatio;
    const height = 1.4 * letterSize() * ratio;
    let free = Infinity;
    context.textAlign = "right";
    context.setLineDash([]);
    markedFrequencies().forEach(function (frequency) {
      const x = Math.round(plot.valToPos(frequency * step, "x", true));
      const text = quantity(frequency / (2 * Math.PI), "Hz");
      const width = context.measureText(text).width + 12 * ratio;
      context.beginPath();
      context.moveTo(x, box.top);
      context.lineTo(x, box.top + box.height);
      context.stroke();
      /* The fastest has its number, others if there is room. */
      if (x < free && x - width > box.left) {
        labels.push({ text: text, x: x, width: width });
        free = x - width;
      }
    });
    labels.forEach(function (label) {
      context.fillStyle = colour("card");
      context.fillRect(label.x - label.width, box.top + 0.3 * height,
                       label.width - 2 * ratio, height);
      context.fillStyle = colour("ink");
      context.fillText(label.text, label.x - 6 * ratio, box.top + height);
    });
    context.restore();
  }

  function stabilityPlot(host) {
    return function (width, height) {
      const series = [{}];
      ladder.schemes.forEach(function (scheme, s) {
        const look = { show: shownSchemes[s], spanGaps: false, points: { show: false }, width: 2 };
        series.push(curve(scheme.name, curveColour(s), look));
        series.push(curve(scheme.name + ", decay", curveColour(s),
                          Object.assign({}, look, { dash: [5, 5] })));
      });
      return new uPlot({
        width: width,
        height: height,
        padding: [null, BESIDE, null, null],
        legend: { show: false },
        cursor: { drag: { x: false, y: false }, points: { show: false } },
        scales: {
          x: { time: false, distr: 3, range: [1e-3, 4] },
          y: { distr: 3, range: [1e-9, 5] }
        },
        axes: [axis("", "angular frequency \u00d7 step, \u03c9\u03c4", decades()),
               axis("", "growth per step", decades({ size: 4.6 * letterSize(),
                                                     space: 2.2 * letterSize() }))],
        series: series,
        hooks: { draw: [drawMarks] }
      }, stabilityData(), host);
    };
  }

  function fillStability() {
    const host = element("stability-chart");
    addLegend("stability-legend", ladder.schemes.map(function (scheme) {
      return scheme.name;
    }), shownSchemes, function (s) {
      stabilityChart.plot.setSeries(2 * s + 1, { show: shownSchemes[s] });
      stabilityChart.plot.setSeries(2 * s + 2, { show: shownSchemes[s] });
      drawPlane();
    });
    stabilityChart = addChart("stability", host, stabilityPlot(host));
    show("stability-note", (ladder.frequency > 0
      ? "Dashed: decay. Curves are those of a mode without dampers; growth and longest step"
        + " in the table count dampers and contacts, as ifbam stability does;"
        + " the run is that of the slider,"
        + " and stops where its energy is a million times what was there."
      : "Nothing in this network oscillates at the start, so no mode is marked.")
      + (ladder.schemes.some(function (scheme) {
        return scheme.rungs.some(function (rung) { return rung.end === "rattled"; });
      }) ? " A run rattles where its step is so long that far more happens within it, contacts that"
        + " open and close or steps that are halved, than this page waits for: it ends there."
        : ""));
  }

  function updateStability() {
    const body = element("scheme-rows");
    body.textContent = "";
    ladder.schemes.forEach(function (scheme, s) {
      const rung = scheme.rungs[state.step];
      const longest = data.stability.longest_steps[s];
      const line = make("tr");
      const name = make("th", "", scheme.name);
      name.scope = "row";
      line.appendChild(name);
      [String(scheme.order),
       Math.abs(rung.growth) < 1e-9 ? "none" : digits(rung.growth, 4) + "\u00a0/s",
       factorText(rung.growth, ladder.duration),
       endText(rung),
       longest === null ? "\u2013" : quantity(longest, "s", 3)].forEach(function (text) {
        line.appendChild(make("td", "", text));
      });
      body.appendChild(line);
      labelCells(line);
    });
    stabilityChart.plot.redraw(false, false);
  }

  /* ---- Effects of the schemes on modes */

  const PLANES = [
    { name: "Regions of stability", left: -4, right: 3, low: -3.5, high: 3.5,
      curves: data.one_mode.regions,
      x: "real part of exponent \u00d7 step", y: "imaginary part",
      note: "Within its border a scheme lets no mode with a conjugate pair of exponents grow."
        + " Dots: this network's modes at the step of the slider." },
    { name: "Roots", left: -1.6, right: 1.6, low: -1.6, high: 1.6,
      curves: data.one_mode.roots, circle: true,
      x: "real part of what a step multiplies by", y: "imaginary part",
      note: "All roots of a mode without damping, as \u03c9\u03c4 goes from 0 to 4; what leaves the"
        + " unit circle grows, what is inside decays. Two of them are the mode's, others are the"
        + " scheme's own." },
    { name: "Elongated periods", left: 0, right: 0.35, low: -50, high: 100, of: 0, factor: 100,
      x: "step / period", y: "elongation of the period [%]",
      note: "How much longer a period gets. Lines: this network's modes at the step of the"
        + " slider." },
    { name: "Numerical damping", left: 0, right: 0.35, low: -0.8, high: 0.4, of: 1, factor: 1,
      x: "step / period", y: "numerical damping ratio",
      note: "Below 0 a mode grows, above it decays, which no damper of the network did. Lines: this"
        + " network's modes at the step of the slider." }
  ];
  const planeState = { picture: 0 };

  /* Returns the curves of a picture for one scheme, [x values, y values]. */
  function planeCurves(picture, s) {
    if (picture.curves) {
      return picture.curves[s].map(function (xy) {
        return [numbers.subarray(xy[0], xy[0] + xy[1]),
                numbers.subarray(xy[0] + xy[1], xy[0] + 2 * xy[1])];
      });
    }
    const at = data.one_mode.elongation[0];
    const n = data.one_mode.elongation[1];
    const own = at + (2 * s + picture.of) * n;
    const last = at + 2 * ladder.schemes.length * n;
    return [[numbers.subarray(last, last + n), numbers.subarray(own, own + n)]];
  }

  /* Returns "1 2 5" ticks, about six on an axis. */
  function ticks(low, high) {
    const rough = (high - low) / 6;
    const power = Math.pow(10, Math.floor(Math.log10(rough)));
    const step = [1, 2, 5, 10].map(function (factor) {
      return factor * power;
    }).find(function (candidate) {
      return candidate >= rough;
    });
    const found = [];
    for (let i = Math.ceil(low / step - 1e-9); i * step <= high + 1e-9 * step; i += 1) {
      found.push(Number((i * step).toPrecision(6)));
    }
    return found;
  }

  function drawPlane() {
    const picture = PLANES[planeState.picture];
    const equal = Boolean(picture.curves);
    const width = 640;
    const box = { left: 64, top: 12, width: width - 80, height: equal ? width - 80 : 320 };
    const across = function (x) {
      return box.left + box.width * (x - picture.left) / (picture.right - picture.left);
    };
    const up = function (y) {
      return box.top + box.height * (picture.high - y) / (picture.high - picture.low);
    };
    const svg = vector("svg", {
      viewBox: "0 0 " + width + " " + (box.top + box.height + 52), "class": "plane", role: "img",
      "aria-label": picture.name + " of every scheme: " + picture.y + " over " + picture.x
    });
    /* A picture in the picture, with the same coordinates, is clipped at the box. */
    const curves = vector("svg", {
      "class": "plane-curves", x: box.left, y: box.top, width: box.width, height: box.height,
      viewBox: box.left + " " + box.top + " " + box.width + " " + box.height
    });
    function grid(way) {
      svg.appendChild(vector("path", { "class": "plane-grid", d: way }));
    }
    function label(text, x, y, anchor, more) {
      const node = vector("text", Object.assign({ x: x, y: y, "text-anchor": anchor }, more));
      node.textContent = text;
      svg.appendChild(node);
    }
    ticks(picture.left, picture.right).forEach(function (value) {
      grid("M" + across(value) + " " + box.top + "v" + box.height);
      label(String(value).replace("-", "\u2212"), across(value), box.top + box.height + 20,
            "middle");
    });
    ticks(picture.low, picture.high).forEach(function (value) {
      grid("M" + box.left + " " + up(value) + "h" + box.width);
      label(String(value).replace("-", "\u2212"), box.left - 8, up(value) + 5, "end");
    });
    label(picture.x, box.left + box.width / 2, box.top + box.height + 44, "middle");
    label(picture.y, 16, box.top + box.height / 2, "middle",
          { transform: "rotate(-90 16 " + (box.top + box.height / 2) + ")" });
    if (picture.circle) {
      curves.appendChild(vector("circle", { "class": "plane-circle", cx: across(0), cy: up(0),
                                            r: across(1) - across(0) }));
    }
    ladder.schemes.forEach(function (scheme, s) {
      if (!shownSchemes[s]) {
        return;
      }
      planeCurves(picture, s).forEach(function (xy) {
        let way = "";
        let pen = "M";
        xy[0].forEach(function (x, i) {
          const y = picture.curves ? xy[1][i] : picture.factor * xy[1][i];
          /* Points far outside are omitted: numbers of a path are short. */
          if (!(Math.abs(x) < 1e3 && Math.abs(y) < 1e3)) {
            pen = "M";
            return;
          }
          way += pen + across(x).toFixed(1) + " " + up(y).toFixed(1);
          pen = "L";
        });
        curves.appendChild(vector("path", { d: way, style: "stroke:var(--curve-" + s % 8 + ")" }));
      });
    });
    markPlane(picture, curves, across, up, box);
    svg.appendChild(curves);
    element("plane-panel").textContent = "";
    element("plane-panel").appendChild(svg);
    show("plane-note", picture.note);
  }

  /* Marks the network's own modes that are within the picture. */
  function markPlane(picture, host, across, up, box) {
    const step = ladder.steps[state.step];
    data.modes.modes.forEach(function (mode) {
      const angle = 2 * Math.PI * mode.frequency * step;
      const ratio = mode.damping_ratio || 0;
      const decay = angle * ratio / Math.sqrt(Math.max(1e-12, 1 - ratio * ratio));
      if (!(mode.frequency > 0) || picture.circle) {
        return;
      }
      if (!picture.curves) {
        host.appendChild(vector("path", {
          "class": "plane-mark",
          d: "M" + across(mode.frequency * step) + " " + box.top + "v" + box.height
        }));
        return;
      }
      [1, -1].forEach(function (side) {
        host.appendChild(vector("circle", { "class": "plane-dot", r: 4, cx: across(-decay),
                                            cy: up(side * angle) }));
      });
    });
  }

  function fillPlane() {
    addTabs("plane-tabs", PLANES.map(function (picture) {
      return picture.name;
    }), "plane-panel", function (i) {
      planeState.picture = i;
      drawPlane();
    });
    drawPlane();
  }

  /* ---- Spectrum */

  const spectrumState = { signal: 0, log: false };
  let spectrumChart = null;

  function currentSpectrum() {
    return data.spectra[spectrumState.signal];
  }

  function spectrumPlot(host) {
    return function (width, height) {
      const spectrum = currentSpectrum();
      const n = spectrum.n || 0;
      const at = spectrum.at || 0;
      const columns = [Array.from(numbers.subarray(at, at + n)),
                       Array.from(numbers.subarray(at + n, at + 2 * n))];
      const top = columns[1].reduce(function (most, value) {
        return Math.max(most, value);
      }, 0) || 1;
      return new uPlot({
        width: width,
        height: height,
        padding: [null, BESIDE, null, null],
        legend: { show: false },
        cursor: { drag: { x: true, y: false } },
        scales: {
          x: { time: false },
          y: spectrumState.log ? { distr: 3, range: [top * 1e-6, top * 3] }
            : { range: [0, top * 1.12] }
        },
        axes: [axis("Hz", "frequency"), spectrumState.log
          ? axis("", "amplitude [" + spectrum.unit + "]", decades({ size: 4.6 * letterSize() }))
          : upright(spectrum.unit, "amplitude")],
        series: [{}, curve("amplitude", curveColour(1),
                           { fill: colour("grid"), points: { show: false } })],
        hooks: { draw: [drawPeaks] }
      }, columns, host);
    };
  }

  function drawPeaks(plot) {
    const context = plot.ctx;
    const box = plot.bbox;
    const ratio = uPlot.pxRatio;
    const labels = [];
    context.save();
    context.beginPath();
    context.rect(box.left, box.top, box.width, box.height);
    context.clip();
    context.font = "600 " + letterSize() * ratio + "px " + FAMILY;
    context.textAlign = "left";
    context.strokeStyle = colour("soft");
    context.lineWidth = ratio;
    context.setLineDash([4 * ratio, 4 * ratio]);
    data.modes.modes.forEach(function (mode) {
      const x = Math.round(plot.valToPos(mode.frequency, "x", true));
      if (mode.frequency > 0) {
        context.beginPath();
        context.moveTo(x, box.top);
        context.lineTo(x, box.top + box.height);
        context.stroke();
      }
    });
    /* The highest have their numbers, as many as fit. */
    (currentSpectrum().peaks || []).slice().sort(function (one, other) {
      return other.amplitude - one.amplitude;
    }).forEach(function (peak) {
      const x = plot.valToPos(peak.frequency, "x", true);
      const y = plot.valToPos(peak.amplitude, "y", true);
      const text = quantity(peak.frequency, "Hz");
      const width = context.measureText(text).width;
      const left = x + 7 * ratio + width < box.left + box.width ? x + 7 * ratio
        : x - 7 * ratio - width;
      const label = { left: left, right: left + width,
                      bottom: Math.max(y - 4 * ratio, box.top + 1.2 * letterSize() * ratio) };
      context.fillStyle = colour("curve-0");
      context.beginPath();
      context.arc(x, y, 4 * ratio, 0, 2 * Math.PI);
      context.fill();
      context.fillStyle = colour("ink");
      if (labels.every(function (other) {
        return label.right < other.left - 10 * ratio || label.left > other.right + 10 * ratio
          || Math.abs(label.bottom - other.bottom) > 1.2 * letterSize() * ratio;
      })) {
        context.fillText(text, label.left, label.bottom);
        labels.push(label);
      }
    });
    context.restore();
  }

  /* Returns a small picture of a mode: amplitudes of nodes, in the order of the file. */
  function shapePicture(mode) {
    const picture = vector("svg", { "class": "shape", viewBox: "0 0 120 34", role: "img" });
    const values = Array.from(numbers.subarray(mode.at, mode.at + mode.n));
    const place = function (i) {
      return [(120 * (i + 0.5) / mode.n).toFixed(1), (17 - 14 * values[i]).toFixed(1)];
    };
    const add = function (name, attributes) {
      picture.appendChild(vector(name, attributes));
    };
    picture.setAttribute("aria-label", mode.n <= 12 ? "shape " + values.map(function (value) {
      return digits(value, 2);
    }).join(", ") : "shape");
    add("line", { x1: 0, y1: 17, x2: 120, y2: 17 });
    add("path", { d: values.map(function (value, i) {
      return (mode.n <= 12 ? "M" + place(i)[0] + " 17L" : i === 0 ? "M" : "L") + place(i).join(" ");
    }).join("") });
    for (let i = 0; i < mode.n && mode.n <= 12; i++) {
      add("circle", { cx: place(i)[0], cy: place(i)[1], r: 3 });
    }
    return picture;
  }

  /* Returns a peak's frequency without the scheme's error, if that is known. */
  function trueFrequency(peak) {
    return peak.corrected_frequency === null ? peak.frequency : peak.corrected_frequency;
  }

  function nearestTo(frequency, list, frequencyOf) {
    return list.reduce(function (best, item) {
      return best === null || Math.abs(frequencyOf(item) - frequency)
        < Math.abs(frequencyOf(best) - frequency) ? item : best;
    }, null);
  }

  function frequencyOfMode(mode) {
    return mode.frequency;
  }

  /* Returns the peak of a mode: each is the other's nearest, and nearer than half the distance to
   * the next mode. */
  function partner(mode, spectrum) {
    const peak = nearestTo(mode.frequency, spectrum.peaks || [], trueFrequency);
    const other = nearestTo(mode.frequency, data.modes.modes.filter(function (candidate) {
      return candidate !== mode;
    }), frequencyOfMode);
    if (peak === null || !(mode.frequency > 0)
        || nearestTo(trueFrequency(peak), data.modes.modes, frequencyOfMode) !== mode) {
      return null;
    }
    return Math.abs(trueFrequency(peak) - mode.frequency) < Math.min(
      Math.max(0.1 * mode.frequency, 2 * spectrum.resolution), 0.2 * mode.frequency,
      other === null ? Infinity : 0.5 * Math.abs(other.frequency - mode.frequency)) ? peak : null;
  }

  function modeName(mode) {
    if (mode.kind === "free") {
      return "free (rigid body)";
    }
    if (mode.kind === "overdamped") {
      return "overdamped, decays at " + quantity(mode.decay_rate, "/s");
    }
    return quantity(mode.frequency, "Hz", 6) + (mode.kind === "unstable" ? ", grows at "
      + quantity(-mode.decay_rate, "/s") : "");
  }

  function addModeRow(mode, peak, unit) {
    const line = make("tr");
    const name = make("th", "", mode === null ? "\u2013" : modeName(mode));
    const shape = make("td");
    name.scope = "row";
    line.appendChild(name);
    line.appendChild(make("td", "", mode === null ? "" : digits(mode.damping_ratio, 3)));
    if (mode !== null) {
      shape.appendChild(shapePicture(mode));
    }
    line.appendChild(shape);
    line.appendChild(make("td", "", peak === null ? "\u2013" : quantity(peak.frequency, "Hz", 6)));
    line.appendChild(make("td", "", peak === null ? ""
      : quantity(peak.corrected_frequency, "Hz", 6)));
    line.appendChild(make("td", "", peak === null || mode === null ? ""
      : digits(100 * (trueFrequency(peak) / mode.frequency - 1), 2) + "\u00a0%"));
    line.appendChild(make("td", "", peak === null ? "" : quantity(peak.amplitude, unit)));
    element("mode-rows").appendChild(line);
    labelCells(line);
  }

  /* Fills in the modes, each with its peak, and peaks without a mode, by frequency. */
  function fillModes() {
    const spectrum = currentSpectrum();
    const rows = data.modes.modes.map(function (mode) {
      return { mode: mode, peak: partner(mode, spectrum), frequency: mode.frequency };
    });
    (spectrum.peaks || []).forEach(function (peak) {
      if (rows.every(function (row) {
        return row.peak !== peak;
      })) {
        rows.push({ mode: null, peak: peak, frequency: peak.frequency });
      }
    });
    element("mode-rows").textContent = "";
    rows.sort(function (one, other) {
      return one.frequency - other.frequency;
    }).forEach(function (row) {
      addModeRow(row.mode, row.peak, spectrum.unit);
    });
    element("modes").hidden = rows.length === 0;
  }

  function spectrumNote(spectrum) {
    const parts = [];
    if (spectrum.n) {
      parts.push("Resolution " + quantity(spectrum.resolution, "Hz")
        + ", Hann window, the network's own scheme and step; peaks refined by harmonic inversion"
        + (data.spectra_duration < 0.999 * data.summary.duration
          ? ", of the first " + quantity(data.spectra_duration, "s") : "")
        + (spectrum.peaks.length > 0 && spectrum.n_peaks > spectrum.peaks.length
          ? "; the " + spectrum.peaks.length + " lowest of " + spectrum.n_peaks + " peaks" : "")
        + ".");
    }
    if (data.modes.message !== null) {
      parts.push("No modes: " + data.modes.message + ".");
    } else {
      parts.push((data.modes.all ? "All modes" : "The " + data.modes.modes.length + " lowest modes")
        + ", linearised about "
        + (data.modes.about === "rest" ? "where the network is at rest." : "the start."));
    }
    if (data.modes.about === "held") {
      parts.push("The network is not at rest there: the modes are those of it held as it starts.");
    }
    if (data.modes.nonlinear.length > 0) {
      parts.push("Not linear, so that the modes are those of small motions: "
        + data.modes.nonlinear.join(", ") + ".");
    }
    return parts.join(" ");
  }

  function showSpectrum() {
    const spectrum = currentSpectrum();
    show("spectrum-message", spectrum.n ? ""
      : "No spectrum: " + (spectrum.message || "there are no rows") + ".");
    element("spectrum-chart").hidden = !spectrum.n;
    show("spectrum-note", spectrumNote(spectrum));
    fillModes();
  }

  function fillSpectrum() {
    const host = element("spectrum-chart");
    addTabs("spectrum-signals", data.spectra.map(function (spectrum) {
      return spectrum.signal;
    }), "spectrum-panel", function (i) {
      spectrumState.signal = i;
      showSpectrum();
      draw(spectrumChart);
    });
    addToggle("spectrum-log", function (on) {
      spectrumState.log = on;
      draw(spectrumChart);
    });
    showSpectrum();
    spectrumChart = addChart("spectrum", host, spectrumPlot(host));
  }

  /* ---- Energy */

  const ENERGIES = ["kinetic", "potential", "energy", "dissipated", "supplied", "balance"];
  /* Kinetic and potential energy alternate: over many periods they would cover the other curves. */
  const energyState = {
    window: 0,
    shown: [data.energy.whole, data.energy.head].map(function (trace) {
      return ENERGIES.map(function (name, i) {
        return trace === null || trace.stretch === 1 || i >= 2;
      });
    })
  };
  const energyShown = energyState.shown[0].slice();
  let energyChart = null;

  function energyPlot(host) {
    return function (width, height) {
      const trace = energyState.window === 1 ? data.energy.head : data.energy.whole;
      const columns = [points(trace, 0)[0]];
      const series = [{}];
      ENERGIES.forEach(function (name, i) {
        columns.push(points(trace, i)[1]);
        series.push(curve(name, curveColour(i), {
          show: energyShown[i], points: { show: false },
          alpha: trace.stretch > 1 && i < 2 ? 0.35 : 1,
          width: name === "balance" ? 2.4 : 1.6, dash: name === "balance" ? [8, 5] : undefined
        }));
      });
      return new uPlot({
        width: width,
        height: height,
        padding: [null, BESIDE, null, null],
        legend: { show: false },
        cursor: { drag: { x: true, y: false } },
        scales: { x: { time: false }, y: { range: function (plot, low, high) {
          return low === null ? [0, 1] : wide(low, high);
        } } },
        axes: [axis("s", "time"), upright("J", "")],
        series: series
      }, columns, host);
    };
  }

  function energyNote(energy) {
    const parts = ["The balance departs from the energy at the start by at most "
      + quantity(energy.worst, "J", 3)
      + (energy.largest > 0 ? ", " + digits(100 * energy.worst / energy.largest, 2)
        + "\u00a0% of the largest energy." : ".")];
    if (energy.ended !== null) {
      parts.push("The run diverged at " + quantity(energy.ended, "s", 3) + ".");
    } else if (energy.duration < 0.999 * data.summary.duration) {
      parts.push("The first " + quantity(energy.duration, "s")
        + " are shown: the network is large.");
    }
    return parts.join(" ");
  }

  function fillEnergy() {
    const host = element("energy-chart");
    const energy = data.energy;
    addLegend("energy-legend", ENERGIES, energyShown, function (i) {
      energyState.shown[energyState.window][i] = energyShown[i];
      energyChart.plot.setSeries(i + 1, { show: energyShown[i] });
    });
    if (energy.head !== null) {
      addTabs("energy-windows", WINDOWS, "energy-chart", function (i) {
        energyState.window = i;
        energyState.shown[i].forEach(function (shown, j) {
          energyShown[j] = shown;
        });
        showLegend("energy-legend", energyShown);
        draw(energyChart);
      });
    }
    energyChart = addChart("energy", host, energyPlot(host));
    [["Energy at the start", energy.first], ["Kinetic", energy.kinetic],
     ["Potential", energy.potential], ["Dissipated", energy.dissipated],
     ["Supplied", energy.supplied], ["Balance", energy.balance]].forEach(function (row) {
      const line = make("tr");
      const name = make("th", "", row[0]);
      name.scope = "row";
      line.appendChild(name);
      line.appendChild(make("td", "", quantity(row[1], "J", 6)));
      element("energy-rows").appendChild(line);
      labelCells(line);
    });
    show("energy-note", energyNote(energy));
  }

  /* ---- The motion: the picture's own clock is stopped, set and started here */

  function fillMotion() {
    const movie = document.querySelector("#movie svg");
    const slider = element("motion-time");
    const play = element("motion-play");
    if (movie === null) {
      element("motion").remove();
      element("motion-link").remove();
      return;
    }
    element("motion").hidden = false;
    element("motion-link").hidden = false;
    const duration = data.motion.duration;
    const playing = duration / data.motion.speed;
    /* The picture starts again after its end. */
    const last = playing * (1 - 1e-6);
    function tell() {
      const part = Math.min(movie.getCurrentTime() % playing / playing, 1);
      const text = quantity(part * duration, "s", 3);
      slider.value = Math.round(part * slider.max);
      slider.setAttribute("aria-valuetext", text);
      element("motion-text").textContent = text + " of " + quantity(duration, "s", 3);
    }
    function goOn() {
      if (!movie.animationsPaused()) {
        tell();
        requestAnimationFrame(goOn);
      }
    }
    function stop() {
      movie.pauseAnimations();
      play.setAttribute("aria-pressed", "false");
      play.textContent = "Play";
      tell();
    }
    slider.addEventListener("input", function () {
      const part = slider.value / slider.max;
      stop();
      movie.setCurrentTime(Math.min(part * playing, last));
      tell();
    });
    play.addEventListener("click", function () {
      if (!movie.animationsPaused()) {
        stop();
        return;
      }
      movie.unpauseAnimations();
      play.setAttribute("aria-pressed", "true");
      play.textContent = "Stop";
      goOn();
    });
    window.addEventListener("beforeprint", stop);
    movie.setCurrentTime(0);
    stop();
    if (duration < 0.999 * data.summary.duration) {
      show("motion-note", "The first " + quantity(duration, "s") + " of "
        + quantity(data.summary.duration, "s") + " are shown.");
    }
  }

  /* ---- Start */

  fillFacts();
  fillElements();
  fillMotion();
  fillDialogue();
  fillPanels();
  fillStability();
  fillPlane();
  fillSpectrum();
  fillEnergy();
  addTabs("scheme-signals", ladder.signals.map(function (signal) {
    return signal.name;
  }), "panels", function (i) {
    state.signal = i;
    redrawPanels();
  });
  if (ladder.head > 0) {
    addTabs("scheme-windows", WINDOWS, "panels", function (i) {
      state.window = i;
      redrawPanels();
    });
  }
  addToggle("own-scale", function (on) {
    state.ownScale = on;
    redrawPanels();
  });
  addSlider();
  stepListeners.push(updateStability);
  stepListeners.push(drawPlane);
  setStep(ladder.own);
  show("schemes-note", schemesNote());

  /* Printed pages have light colours, and charts as wide as the paper. */
  function printing(on) {
    if (on) {
      document.documentElement.dataset.print = "";
      element("elements").open = data.elements.length <= 40;
    } else {
      delete document.documentElement.dataset.print;
    }
    drawAll();
    updatePanels();
  }

  new ResizeObserver(fitAll).observe(document.body);
  window.addEventListener("beforeprint", function () {
    printing(true);
  });
  window.addEventListener("afterprint", function () {
    printing(false);
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", function () {
    drawAll();
    updatePanels();
  });

  /* For tests, and for use in the console */
  window.ifbamReport = { data: data, numbers: numbers, charts: charts, state: state };
}());
