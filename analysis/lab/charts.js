/* charts.js: the whole course, a part of it, the phase portrait, the spectrum
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

const POINTS = 4096; /* of the spectrum's transform */
const COURSE_LEFT = 62; /* left margin of a chart for its numbers [pixels] */
const ABOVE = 18; /* top margin of a spectrum for the numbers of its lines [pixels] */

let letters = 1; /* size of the page's letters relative to a desktop's */
const sizes = new WeakMap(); /* of canvases as laid out; asking for one costs a layout */

function sizeOf(canvas) {
  if (!sizes.has(canvas)) {
    sizes.set(canvas, [canvas.clientWidth, canvas.clientHeight]);
  }
  return sizes.get(canvas);
}

/** TRUE if a canvas is visible; otherwise its size is zero. */
function isSeen(canvas) {
  return sizeOf(canvas)[0] > 0 && sizeOf(canvas)[1] > 0;
}

function prepare(canvas) {
  const ratio = window.devicePixelRatio || 1;
  const [width, height] = sizeOf(canvas);
  const g = canvas.getContext("2d");

  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
  }
  /* The drawing is scaled with the letters. */
  g.setTransform(ratio * letters, 0, 0, ratio * letters, 0, 0);
  g.clearRect(0, 0, width, height);
  g.font = "12px system-ui, sans-serif";
  return { g, width: width / letters, height: height / letters };
}

/** Returns minimum and maximum of column `c`, which are stored in the run after the first call. */
function rangeOf(run, c) {
  run.ranges = run.ranges || new Map();
  if (!run.ranges.has(c)) {
    const extremes = run.n > 0 ? extremesOf(run, c, [0, run.n], 1) : [0, 0];

    run.ranges.set(c, extremes[0] <= extremes[1] ? extremes : [0, 0]);
  }
  return run.ranges.get(c);
}

function timeOf(run, r) {
  return run.data[r * run.width];
}

/** Returns the number of events up to a time. */
function eventsUntil({ events }, time) {
  let [low, high] = [0, events.length];

  while (low < high) {
    const middle = (low + high) >> 1;

    [low, high] = events[middle].time <= time ? [middle + 1, high] : [low, middle];
  }
  return low;
}

/** Returns a value, or 0 if it is rounding error relative to the largest one. */
function withoutRounding(value, most) {
  return Math.abs(value) > 1e-12 * most ? value : 0;
}

function rowAt(run, time) {
  const dt = run.n > 1 ? timeOf(run, 1) - timeOf(run, 0) : 1;

  return Math.max(0, Math.min(run.n - 1, Math.round(time / dt)));
}

/** Returns a column's array, the interval between its values, and the first index. A force's column is its name. */
function columnOf(run, c) {
  return typeof c !== "string" ? [run.data, run.width, c]
    : [run.force === c ? run.forces : new Float64Array(run.n), 1, 0];
}

/** Returns minimum and maximum of a column over rows in each of n <= `pixels` intervals. */
function extremesOf(run, c, [from, to], pixels) {
  const [all, width, first] = columnOf(run, c);
  const n = Math.max(1, Math.min(to - from, pixels));
  const extremes = new Float64Array(2 * n);
  let r = from;

  for (let k = 0; k < n; k++) {
    const end = from + Math.ceil((to - from) * (k + 1) / n);
    let low = all[r * width + first];
    let high = low;

    for (r++; r < end; r++) {
      const value = all[r * width + first];

      if (value < low) {
        low = value;
      } else if (value > high) {
        high = value;
      }
    }
    extremes[2 * k] = low;
    extremes[2 * k + 1] = high;
  }
  return extremes;
}

/** Draws a column over the rows as a line, through minimum and maximum of each half pixel. */
function strokeColumn(g, run, c, [from, to], X, Y) {
  if (to <= from) {
    return;
  }
  const [left, right] = [X(timeOf(run, from)), X(timeOf(run, to - 1))];
  const extremes = extremesOf(run, c, [from, to], Math.ceil(2 * (right - left)) + 1);
  const n = extremes.length / 2;

  g.beginPath();
  for (let k = 0; k < n; k++) {
    const x = n > 1 ? left + (right - left) * k / (n - 1) : left;

    g.lineTo(x, Y(extremes[2 * k]));
    if (extremes[2 * k + 1] !== extremes[2 * k]) {
      g.lineTo(x, Y(extremes[2 * k + 1]));
    }
  }
  g.stroke();
}

/** The same for dense rows: vertical bars one pixel wide, which are fast. */
function fillColumn(g, run, c, width, last, Y) {
  const right = Math.max(1, Math.round(width * timeOf(run, run.n - 1) / last));
  const extremes = extremesOf(run, c, [0, run.n], right);
  let [low, high] = [Y(extremes[0]), Y(extremes[1])];

  for (let k = 0; k < extremes.length / 2; k++) {
    /* Each bar touches the previous one. */
    const [top, bottom] = [Math.min(Y(extremes[2 * k + 1]), low), Math.max(Y(extremes[2 * k]), high)];

    g.fillRect(k, top - 0.5, 1, bottom - top + 1);
    [low, high] = [Y(extremes[2 * k]), Y(extremes[2 * k + 1])];
  }
}

function widened([low, high]) {
  const size = high - low || Math.abs(high) || 1;

  return [low - 0.06 * size, high + 0.06 * size];
}

/** Returns the visible range of a signal for all lanes: that of the lower one; if its scheme makes it grow, of the
 * first eighth. */
function scaleFor(lanes, c) {
  const { run } = lanes[lanes.length - 1];

  if (!run.grows) {
    return widened(rangeOf(run, c));
  }
  return widened(extremesOf(run, c, [0, Math.max(1, Math.floor(run.n / 8))], 1));
}

/** Returns the vertical axis of a signal: limits, and a function from values to it. see.axis: "all" fits all lanes,
 * "log" is log10 of absolute values, from a hundredth of the initial size. */
function axisOf(lanes, see) {
  const ranges = lanes.map(({ run }) => rangeOf(run, see.column));
  const all = [Math.min(...ranges.map(([low]) => low)), Math.max(...ranges.map(([, high]) => high))];
  const [low, high] = see.axis === "all" ? widened(all) : scaleFor(lanes, see.column);
  const sizeOfRange = (range) => Math.log10(Math.max(...range.map(Math.abs)) || 1);

  return see.axis !== "log" ? { low, high, of: (v) => v }
    : { low: sizeOfRange([low, high]) - 2, high: Math.max(sizeOfRange(all), sizeOfRange([low, high])) + 0.1,
        of: (v) => Math.log10(Math.abs(v)) };
}

function drawOverview(canvas, lanes, see, colours) {
  const { g, width, height } = prepare(canvas);
  const last = Math.max(...lanes.map(({ run }) => timeOf(run, run.n - 1))) || 1;
  const { low, high, of } = axisOf(lanes, see);
  const c = see.column;
  const X = (t) => width * t / last;
  const Y = (v) => Math.max(-2, Math.min(height + 2, height - height * (of(v) - low) / (high - low)));

  lanes.forEach((lane, i) => {
    g.globalAlpha = i + 1 < lanes.length ? 0.5 : 1;
    g.strokeStyle = g.fillStyle = lane.colours.run;
    if (lane.run.n > 2 * width) {
      fillColumn(g, lane.run, c, width, last, Y);
    } else {
      strokeColumn(g, lane.run, c, [0, lane.run.n], X, Y);
    }
  });
  g.globalAlpha = 1;
  g.strokeStyle = colours.event;
  g.lineWidth = 1;
  const { events } = lanes[lanes.length - 1].run;
  const most = events.reduce((size, event) => Math.max(size, Math.abs(event.impulse)), 0);

  g.beginPath();
  for (const event of events.slice(0, 4000)) {
    /* The height shows its impulse. */
    const size = most > 0 && event.impulse ? 6 + 14 * Math.sqrt(Math.abs(event.impulse) / most) : 6;

    g.moveTo(X(event.time), height);
    g.lineTo(X(event.time), height - size);
  }
  g.stroke();
}

function drawGrid(chart, [low, high], unit, colours) {
  const { g, width, height, left, bottom } = chart;
  const power = powerFor(Math.max(Math.abs(low), Math.abs(high)), unit);
  const step = niceStep((high - low) / 2.5);

  g.strokeStyle = colours.line;
  g.fillStyle = colours.soft;
  g.lineWidth = 1;
  g.textAlign = "right";
  for (let k = Math.ceil(low / step); k * step <= high; k++) {
    const y = (height - bottom) * (1 - (k * step - low) / (high - low));

    g.beginPath();
    g.moveTo(left, y);
    g.lineTo(width, y);
    g.stroke();
    g.fillText(showShort(shifted(Number((k * step).toPrecision(6)), -power)), left - 6, Math.max(10, y + 4));
  }
  g.textAlign = "left";
  g.fillText(`${PREFIXES[power]}${unit}`, 0, height - 4);
}

/** Draws powers of ten, as many as fit. */
function drawDecades(chart, [low, high], unit, colours) {
  const { g, width, height, left, bottom } = chart;
  const every = Math.max(1, Math.ceil((high - low) * 24 / (height - bottom)));

  g.strokeStyle = colours.line;
  g.fillStyle = colours.soft;
  g.lineWidth = 1;
  g.textAlign = "right";
  for (let k = Math.ceil(low); k <= high; k += every) {
    const y = (height - bottom) * (1 - (k - low) / (high - low));

    g.beginPath();
    g.moveTo(left, y);
    g.lineTo(width, y);
    g.stroke();
    g.fillText(k === 0 ? "1" : `10${raised(k)}`, left - 6, Math.max(10, y + 4));
  }
  g.textAlign = "left";
  g.fillText(unit, 0, height - 4);
}

function drawTimes(chart, from, to, unit, colours) {
  const { g, width, height, left } = chart;
  const step = niceStep((to - from) / 3);

  g.fillStyle = colours.soft;
  g.textAlign = "center";
  for (let k = Math.ceil(from / step), end = 0; k * step <= to; k++) {
    const text = showNumber(Number((k * step).toPrecision(9)), unit, 6);
    const half = g.measureText(text).width / 2;
    const x = Math.min(width - half, left + (width - left) * (k * step - from) / (to - from));

    if (x - half > end) {
      g.fillText(text, x, height - 4);
      end = x + half + 6;
    }
  }
}

function drawCourse(canvas, lanes, ghost, see, time, colours) {
  const chart = Object.assign(prepare(canvas), { left: COURSE_LEFT, bottom: 20 });
  const { g, width, height, left, bottom } = chart;
  const last = Math.max(...lanes.map(({ run }) => timeOf(run, run.n - 1))) || 1;
  const span = Math.min(last, see.span);
  const from = Math.max(0, Math.min(last - span, see.from === null ? time - span / 2 : see.from));
  const { low, high, of } = axisOf(lanes, see);
  const X = (t) => left + (width - left) * (t - from) / span;
  const Y = (v) => Math.max(-height, Math.min(2 * height, (height - bottom) * (1 - (of(v) - low) / (high - low))));
  const stroke = (run) => strokeColumn(g, run, see.column,
                                       [rowAt(run, from), Math.min(run.n, rowAt(run, from + span) + 1)], X, Y);

  (see.axis === "log" ? drawDecades : drawGrid)(chart, [low, high], see.unit, colours);
  drawTimes(chart, from, from + span, "s", colours);
  g.save();
  g.beginPath();
  g.rect(left, 0, width - left, height - bottom);
  g.clip();
  if (ghost !== null && ghost.width === lanes[0].run.width &&
      (typeof see.column !== "string" || ghost.force === see.column)) {
    g.strokeStyle = colours.ghost;
    stroke(ghost);
  }
  lanes.forEach((lane, i) => {
    g.strokeStyle = lane.colours.run;
    g.lineWidth = i + 1 < lanes.length ? 1.2 : 2;
    stroke(lane.run);
  });
  g.strokeStyle = colours.ink;
  g.lineWidth = 1;
  g.beginPath();
  g.moveTo(X(time), 0);
  g.lineTo(X(time), height - bottom);
  g.stroke();
  drawReading(g, lanes, [X(time), Y], see, time, colours, width);
  g.restore();
  Object.assign(see, { seenFrom: from, perPixel: span / (width - left) / letters });
}

/** Draws the values at this instant: a dot on each line, and the number of the lower lane. */
function drawReading(g, lanes, [x, Y], see, time, colours, width) {
  const valueOf = ({ run }) => {
    const [all, apart, first] = columnOf(run, see.column);

    return withoutRounding(all[Math.min(run.n - 1, rowAt(run, time)) * apart + first],
                           Math.max(...rangeOf(run, see.column).map(Math.abs)));
  };
  const text = showNumber(valueOf(lanes[lanes.length - 1]), see.unit, 4);
  const half = g.measureText(text).width + 8;

  for (const lane of lanes) {
    g.fillStyle = lane.colours.run;
    g.beginPath();
    g.arc(x, Y(valueOf(lane)), 4, 0, 2 * Math.PI);
    g.fill();
  }
  g.textAlign = x + half > width ? "right" : "left";
  g.fillStyle = colours.card;
  g.globalAlpha = 0.8;
  g.fillRect(x + half > width ? x - half : x + 1, 1, half - 1, 16);
  g.globalAlpha = 1;
  g.fillStyle = colours.ink;
  g.fillText(text, x + half > width ? x - 5 : x + 5, 13);
}

function drawPhase(canvas, lanes, see, time, colours) {
  const chart = Object.assign(prepare(canvas), { left: COURSE_LEFT, bottom: 20 });
  const { g, width, height, left, bottom } = chart;
  const c = 1 + see.node;
  const other = c + lanes[0].run.nodes;
  const [a, b] = [scaleFor(lanes, c), scaleFor(lanes, other)];
  const X = (v) => left + (width - left) * (v - a[0]) / (a[1] - a[0]);
  const Y = (v) => (height - bottom) * (1 - (v - b[0]) / (b[1] - b[0]));

  drawGrid(chart, b, see.rateUnit, colours);
  drawTimes(chart, a[0], a[1], see.coordinateUnit, colours);
  g.save();
  g.beginPath();
  g.rect(left, 0, width - left, height - bottom);
  g.clip();
  lanes.forEach((lane, i) => {
    const { run } = lane;
    const every = Math.max(1, Math.floor(run.n / 20000));
    const now = Math.min(run.n - 1, rowAt(run, time));

    g.strokeStyle = lane.colours.run;
    g.lineWidth = 1;
    g.globalAlpha = i + 1 < lanes.length ? 0.5 : 1;
    g.beginPath();
    for (let r = 0; r < run.n; r += every) {
      g.lineTo(X(run.data[r * run.width + c]), Y(run.data[r * run.width + other]));
    }
    g.stroke();
    g.globalAlpha = 1;
    g.fillStyle = lane.colours.run;
    g.strokeStyle = colours.card;
    g.lineWidth = 2;
    g.beginPath();
    g.arc(X(run.data[now * run.width + c]), Y(run.data[now * run.width + other]), 6, 0, 2 * Math.PI);
    g.fill();
    g.stroke();
  });
  g.restore();
}

/** Returns an integer in superscript digits. */
function raised(k) {
  const small = "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079\u207b";

  return String(k).replace(/./g, (c) => small["0123456789-".indexOf(c)]);
}

/* ---- energies: kinetic, potential, and the balance with dissipated and supplied energy */

/** Returns kinetic, potential, dissipated, supplied energy at an instant; the last two only if they occur. */
function energiesAt(run, time) {
  const { times, energies, whole } = run.account;
  let i = Math.max(0, times.findIndex((t) => t > time) - 1);

  if (time >= times[times.length - 1]) {
    i = Math.min(times.length, energies.length) - 1;
  }
  return whole !== null && whole[i] !== undefined ? whole[i] : energies[i];
}

/** Returns the lowest potential energy if it is below 0, as the zero of bars and courses, else 0. */
function lowestOf(run) {
  return run.account.energies.reduce((least, row) => Math.min(least, row[1]), 0);
}

/** Draws bars of one scale, and the courses below: next to each other, or relative to the initial energy on a
 * logarithmic axis if one grows. */
function drawEnergy(canvas, lanes, time, colours) {
  const chart = Object.assign(prepare(canvas), { left: 70, bottom: 20 });
  const { g, width, left, bottom } = chart;
  const last = Math.max(...lanes.map(({ run }) => timeOf(run, run.n - 1))) || 1;
  const own = lanes[lanes.length - 1].run;
  const total = (row) => row[0] + row[1];
  const startOf = (run) => Math.abs(total(run.account.energies[0]));
  const mostOf = (run) => run.account.energies.reduce((most, row) => Math.max(most, total(row)), -Infinity) -
    lowestOf(run);
  const isGrowing = lanes.some(({ run }) => run.grows && startOf(run) > 0);
  const bars = 22 * lanes.length + 8;
  const full = own.grows ? 1.5 * startOf(own) : mostOf(own) || 1;

  lanes.forEach((lane, i) => {
    const [moving, stored] = energiesAt(lane.run, time);
    const row = [moving, stored - lowestOf(lane.run)];
    const size = (value) => (width - left - 4) * Math.max(0, Math.min(1, value / full));
    const y = 22 * i + 2;

    g.fillStyle = colours.line;
    g.fillRect(left, y, width - left - 4, 14);
    g.fillStyle = lane.colours.run;
    g.fillRect(left, y, size(row[0]), 14);
    g.globalAlpha = 0.45;
    g.fillRect(left + size(row[0]), y, size(total(row)) - size(row[0]), 14);
    g.globalAlpha = 1;
    g.textAlign = "left";
    g.fillText(lane.name.slice(0, 8), 0, y + 11);
  });
  g.save();
  g.translate(0, bars);
  chart.height -= bars;
  const { height } = chart;
  const X = (t) => left + (width - left) * t / last;

  drawTimes(chart, 0, last, "s", colours);
  if (isGrowing) {
    drawGrowth(chart, lanes, X, colours);
  } else {
    drawAccounts(chart, lanes, X, colours);
  }
  g.strokeStyle = colours.ink;
  g.lineWidth = 1;
  g.beginPath();
  g.moveTo(X(time), 0);
  g.lineTo(X(time), height - bottom);
  g.stroke();
  g.restore();
}

function drawGrowth({ g, width, height, left, bottom }, lanes, X, colours) {
  const parts = lanes.map(({ run }) => run.account.energies.map((row) =>
    (row[0] + row[1]) / (run.account.energies[0][0] + run.account.energies[0][1])));
  const high = Math.max(1, Math.min(6, Math.ceil(Math.log10(Math.max(...parts.flat().filter(isFinite))))));
  const low = Math.min(0, Math.max(-6, Math.floor(Math.log10(Math.min(...parts.flat().filter((x) => x > 0))) + 0.3)));
  const Y = (x) => (height - bottom) * (1 - (Math.log10(x) - low + 0.1) / (high - low + 0.2));

  g.font = "12px system-ui, sans-serif";
  for (let k = low; k <= high; k += Math.max(1, Math.round((high - low) / 3))) {
    g.strokeStyle = colours.line;
    g.fillStyle = colours.soft;
    g.textAlign = "right";
    g.beginPath();
    g.moveTo(left, Y(Math.pow(10, k)));
    g.lineTo(width, Y(Math.pow(10, k)));
    g.stroke();
    g.fillText(k === 0 ? "\u00d7 1" : `\u00d7 10${raised(k)}`,
               left - 6, Y(Math.pow(10, k)) + 4);
  }
  lanes.forEach((lane, i) => {
    g.strokeStyle = lane.colours.run;
    g.lineWidth = i + 1 < lanes.length ? 1.2 : 2;
    g.beginPath();
    parts[i].forEach((part, k) => part > 0 && g.lineTo(X(lane.run.account.times[k]), Math.max(0, Y(part))));
    g.stroke();
  });
}

/** Draws the stored energy, dissipated energy dashed, supplied energy dotted. */
function drawAccounts(chart, lanes, X, colours) {
  const { g, height, bottom } = chart;
  const rows = (run) => (run.account.whole === null ? run.account.energies : run.account.whole)
    .map((row) => [row[0], row[1] - lowestOf(run), ...row.slice(2)]);
  const all = lanes.flatMap(({ run }) => rows(run).flatMap((row) => [row[0] + row[1], ...row.slice(2)]))
    .filter(isFinite);
  const range = widened([Math.min(0, ...all), Math.max(...all)]);
  const Y = (v) => (height - bottom) * (1 - (v - range[0]) / (range[1] - range[0]));

  drawGrid(chart, range, "J", colours);
  lanes.forEach((lane, i) => {
    const kinds = [[[], (row) => row[0] + row[1]], [[6, 4], (row) => row[2]], [[2, 3], (row) => row[3]]];

    kinds.forEach(([dash, value], kind) => {
      if (kind > 0 && lane.run.account.whole === null) {
        return;
      }
      g.strokeStyle = lane.colours.run;
      g.lineWidth = i + 1 < lanes.length ? 1.2 : 2;
      g.setLineDash(dash);
      g.beginPath();
      rows(lane.run).forEach((row, k) => g.lineTo(X(lane.run.account.times[k]), Y(value(row))));
      g.stroke();
      g.setLineDash([]);
    });
  });
}

/* ---- the spectrum: amplitudes of POINTS points with a Hann window (Cooley & Tukey 1965) */

const circles = new Map();

/** Returns cosines and sines of n points on the circle, in the direction of the transform. */
function circleOf(n) {
  if (!circles.has(n)) {
    const angles = Float64Array.from({ length: n }, (x, k) => -2 * Math.PI * k / n);

    circles.set(n, { cosines: angles.map(Math.cos), sines: angles.map(Math.sin) });
  }
  return circles.get(n);
}

function transform(re, im) {
  const n = re.length;

  for (let i = 1, j = 0; i < n; i++) {
    let bit = n >> 1;

    for (; j & bit; bit >>= 1) {
      j ^= bit;
    }
    j ^= bit;
    if (i < j) {
      [re[i], re[j]] = [re[j], re[i]];
      [im[i], im[j]] = [im[j], im[i]];
    }
  }
  const { cosines, sines } = circleOf(n);

  for (let length = 2; length <= n; length *= 2) {
    for (let k = 0; k < length / 2; k++) {
      const c = cosines[k * n / length];
      const s = sines[k * n / length];

      for (let p = k; p < n; p += length) {
        const q = p + length / 2;
        const x = re[q] * c - im[q] * s;
        const y = re[q] * s + im[q] * c;

        re[q] = re[p] - x;
        im[q] = im[p] - y;
        re[p] += x;
        im[p] += y;
      }
    }
  }
}

function spectrumOf(run, c) {
  const n = Math.min(POINTS, Math.pow(2, Math.floor(Math.log2(run.n))));
  const [re, im] = [new Float64Array(n), new Float64Array(n)];
  const [all, apart, first] = columnOf(run, c);
  let mean = 0;

  if (n < 16) {
    return null;
  }
  for (let i = 0; i < n; i++) {
    re[i] = all[Math.floor(i * run.n / n) * apart + first];
    mean += re[i] / n;
  }
  for (let i = 0; i < n; i++) {
    re[i] = (re[i] - mean) * (0.5 - 0.5 * Math.cos(2 * Math.PI * i / n));
  }
  transform(re, im);
  return { amplitudes: re.subarray(0, n / 2).map((x, i) => 4 / n * Math.hypot(x, im[i])),
           resolution: 1 / (timeOf(run, run.n - 1) - timeOf(run, 0)) };
}

/** Returns the highest local maxima. */
function peaksOf(amplitudes, most) {
  const top = Math.max(...amplitudes);
  const peaks = [];

  for (let i = 2; i < amplitudes.length - 2; i++) {
    const near = amplitudes.subarray(Math.max(0, i - 4), i + 5);

    if (amplitudes[i] > 0.02 * top && amplitudes[i] >= Math.max(...near)) {
      peaks.push(i);
    }
  }
  return peaks.sort((a, b) => amplitudes[b] - amplitudes[a]).slice(0, most);
}

/** modes: frequencies from the program if the numbers are those of the file; otherwise empty. */
function drawSpectrum(canvas, lanes, see, modes, colours) {
  const chart = Object.assign(prepare(canvas), { left: COURSE_LEFT, bottom: 20 });
  const { g, width, height, left, bottom } = chart;
  const spectra = lanes.map(({ run }) => (run.spectrum && run.spectrum.column === see.column ? run.spectrum
    : Object.assign(run, { spectrum: Object.assign({ column: see.column }, spectrumOf(run, see.column)) }).spectrum));
  const own = spectra[spectra.length - 1];
  const top = own.amplitudes === undefined ? 0 : Math.max(...own.amplitudes);

  if (!(top > 0)) {
    canvas.setAttribute("aria-label", "No spectrum: nothing moves");
    return "";
  }
  const peaks = peaksOf(own.amplitudes, 4);
  const last = Math.min(own.amplitudes.length, Math.max(24, Math.ceil(1.5 * Math.max(...peaks, 8))));
  const X = (f) => left + (width - left) * f / (last * own.resolution);
  const Y = (v) => Math.max(ABOVE - 4, ABOVE + (height - ABOVE - bottom) * (1 - v / (1.05 * top)));
  const isOff = spectra.some(({ amplitudes }) => amplitudes !== undefined && Math.max(...amplitudes) > 1.6 * top);

  g.save();
  g.translate(0, ABOVE);
  chart.height -= ABOVE;
  drawGrid(chart, [0, 1.05 * top], see.unit, colours);
  drawTimes(chart, 0, last * own.resolution, "Hz", colours);
  g.restore();
  g.strokeStyle = colours.soft;
  g.setLineDash([2, 3]);
  g.beginPath();
  for (const mode of modes.filter((f) => f < last * own.resolution)) {
    g.moveTo(X(mode), ABOVE - 4);
    g.lineTo(X(mode), height - bottom);
  }
  g.stroke();
  g.setLineDash([]);
  spectra.forEach(({ amplitudes, resolution }, k) => {
    g.strokeStyle = lanes[k].colours.run;
    g.lineWidth = k + 1 < lanes.length ? 1.2 : 2;
    g.beginPath();
    for (let i = 0; amplitudes !== undefined && i < amplitudes.length && i * resolution <= last * own.resolution; i++) {
      g.lineTo(X(i * resolution), Y(amplitudes[i]));
    }
    g.stroke();
  });
  g.fillStyle = colours.ink;
  g.textAlign = "center";
  if (modes.length > 0) {
    let end = 0;

    for (const mode of modes.filter((f) => f < last * own.resolution)) {
      const half = g.measureText(showShort(mode)).width / 2 + 3;
      const x = Math.min(width - half, X(mode));

      if (x - half > end) {
        g.fillText(showShort(mode), x, 10);
        end = x + half;
      }
    }
  } else {
    const told = [];

    for (const i of peaks) {
      const [text, x] = [showShort(i * own.resolution), X(i * own.resolution)];
      const half = g.measureText(text).width / 2;

      if (!told.some(([low, high]) => x + half > low && x - half < high)) {
        told.push([x - half - 4, x + half + 4]);
        g.fillText(text, Math.max(left + half, Math.min(width - half, x)), Math.max(10, Y(own.amplitudes[i]) - 5));
      }
    }
  }
  canvas.setAttribute("aria-label", `Spectrum of ${see.name}, lines at ` +
    peaks.map((i) => showShort(i * own.resolution)).join(", ") + " Hz" +
    (modes.length > 0 ? `; modes at ${modes.slice(0, 8).map((f) => showShort(f)).join(", ")} Hz` : ""));
  return isOff ? `${lanes[0].name} off the sheet` : "";
}
