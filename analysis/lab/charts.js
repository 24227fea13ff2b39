/* charts.js: the whole course, a part of it, the phase portrait, the spectrum
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

const POINTS = 4096; /* of a spectrum */

function prepare(canvas) {
  const ratio = window.devicePixelRatio || 1;
  const [width, height] = [canvas.clientWidth, canvas.clientHeight];
  const g = canvas.getContext("2d");

  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
  }
  g.setTransform(ratio, 0, 0, ratio, 0, 0);
  g.clearRect(0, 0, width, height);
  g.font = "12px system-ui, sans-serif";
  return { g, width, height };
}

/** Column `c` of a run: least and largest; each run knows it once asked. */
function rangeOf(run, c) {
  run.ranges = run.ranges || new Map();
  if (!run.ranges.has(c)) {
    let low = Infinity;
    let high = -Infinity;

    for (let i = c; i < run.n * run.width; i += run.width) {
      low = Math.min(low, run.data[i]);
      high = Math.max(high, run.data[i]);
    }
    run.ranges.set(c, low <= high ? [low, high] : [0, 0]);
  }
  return run.ranges.get(c);
}

function timeOf(run, r) {
  return run.data[r * run.width];
}

function rowAt(run, time) {
  const dt = run.n > 1 ? timeOf(run, 1) - timeOf(run, 0) : 1;

  return Math.max(0, Math.min(run.n - 1, Math.round(time / dt)));
}

/** A line of a column over the rows, at least and largest of each pixel. */
function strokeColumn(g, run, c, rows, X, Y) {
  const [from, to] = rows;
  let pixel = null;
  let low = 0;
  let high = 0;

  g.beginPath();
  for (let r = from; r < to; r++) {
    const x = Math.round(X(timeOf(run, r)) * 2) / 2;
    const y = Y(run.data[r * run.width + c]);

    if (x !== pixel) {
      if (pixel !== null) {
        g.lineTo(pixel, low);
        g.lineTo(pixel, high);
      }
      pixel = x;
      low = high = y;
    } else {
      low = Math.min(low, y);
      high = Math.max(high, y);
    }
  }
  if (pixel !== null) {
    g.lineTo(pixel, low);
    g.lineTo(pixel, high);
  }
  g.stroke();
}

function widened([low, high]) {
  const size = high - low || Math.abs(high) || 1;

  return [low - 0.06 * size, high + 0.06 * size];
}

function drawOverview(canvas, run, c, colours) {
  const { g, width, height } = prepare(canvas);
  const last = timeOf(run, run.n - 1) || 1;
  const [low, high] = widened(rangeOf(run, c));
  const X = (t) => width * t / last;
  const Y = (v) => height - height * (v - low) / (high - low);

  g.strokeStyle = colours.run;
  strokeColumn(g, run, c, [0, run.n], X, Y);
  g.strokeStyle = colours.event;
  g.lineWidth = 1;
  for (const event of run.events.slice(0, 4000)) {
    g.beginPath();
    g.moveTo(X(event.time), height);
    g.lineTo(X(event.time), height - 9);
    g.stroke();
  }
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

function drawTimes(chart, from, to, unit, colours) {
  const { g, width, height, left } = chart;
  const step = niceStep((to - from) / 3);

  g.fillStyle = colours.soft;
  g.textAlign = "center";
  for (let k = Math.ceil(from / step); k * step <= to; k++) {
    g.fillText(showNumber(Number((k * step).toPrecision(9)), unit, 6),
               Math.min(width - 22, left + (width - left) * (k * step - from) / (to - from)), height - 4);
  }
}

function drawCourse(canvas, run, ghost, see, time, colours) {
  const chart = Object.assign(prepare(canvas), { left: 62, bottom: 20 });
  const { g, width, height, left, bottom } = chart;
  const last = timeOf(run, run.n - 1) || 1;
  const span = Math.min(last, see.span);
  const from = Math.max(0, Math.min(last - span, time - span / 2));
  const rows = [rowAt(run, from), Math.min(run.n, rowAt(run, from + span) + 1)];
  const [low, high] = widened(rangeOf(run, see.column));
  const X = (t) => left + (width - left) * (t - from) / span;
  const Y = (v) => (height - bottom) * (1 - (v - low) / (high - low));

  drawGrid(chart, [low, high], see.unit, colours);
  drawTimes(chart, from, from + span, "s", colours);
  g.save();
  g.beginPath();
  g.rect(left, 0, width - left, height - bottom);
  g.clip();
  if (ghost !== null && ghost.width === run.width) {
    g.strokeStyle = colours.ghost;
    strokeColumn(g, ghost, see.column, [rowAt(ghost, from), Math.min(ghost.n, rowAt(ghost, from + span) + 1)], X, Y);
  }
  g.strokeStyle = colours.run;
  g.lineWidth = 1.8;
  strokeColumn(g, run, see.column, rows, X, Y);
  g.strokeStyle = colours.ink;
  g.lineWidth = 1;
  g.beginPath();
  g.moveTo(X(time), 0);
  g.lineTo(X(time), height - bottom);
  g.stroke();
  g.restore();
}

function drawPhase(canvas, run, see, time, colours) {
  const chart = Object.assign(prepare(canvas), { left: 62, bottom: 20 });
  const { g, width, height, left, bottom } = chart;
  const other = 1 + run.nodes + see.node;
  const [a, b] = [widened(rangeOf(run, 1 + see.node)), widened(rangeOf(run, other))];
  const X = (v) => left + (width - left) * (v - a[0]) / (a[1] - a[0]);
  const Y = (v) => (height - bottom) * (1 - (v - b[0]) / (b[1] - b[0]));
  const now = rowAt(run, time);
  const every = Math.max(1, Math.floor(run.n / 20000));

  drawGrid(chart, b, see.rateUnit, colours);
  drawTimes(chart, a[0], a[1], see.coordinateUnit, colours);
  g.strokeStyle = colours.run;
  g.beginPath();
  for (let r = 0; r < run.n; r += every) {
    g.lineTo(X(run.data[r * run.width + 1 + see.node]), Y(run.data[r * run.width + other]));
  }
  g.stroke();
  g.fillStyle = colours.event;
  g.beginPath();
  g.arc(X(run.data[now * run.width + 1 + see.node]), Y(run.data[now * run.width + other]), 5, 0, 2 * Math.PI);
  g.fill();
}

/* ---- the spectrum: amplitudes, of POINTS points under a Hann window (Cooley & Tukey 1965) */

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
  for (let length = 2; length <= n; length *= 2) {
    for (let k = 0; k < length / 2; k++) {
      const c = Math.cos(-2 * Math.PI * k / length);
      const s = Math.sin(-2 * Math.PI * k / length);

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
  let mean = 0;

  if (n < 16) {
    return null;
  }
  for (let i = 0; i < n; i++) {
    re[i] = run.data[Math.floor(i * run.n / n) * run.width + c];
    mean += re[i] / n;
  }
  for (let i = 0; i < n; i++) {
    re[i] = (re[i] - mean) * (0.5 - 0.5 * Math.cos(2 * Math.PI * i / n));
  }
  transform(re, im);
  return { amplitudes: re.subarray(0, n / 2).map((x, i) => 4 / n * Math.hypot(x, im[i])),
           resolution: 1 / (timeOf(run, run.n - 1) - timeOf(run, 0)) };
}

/** The highest lines, each higher than all around it. */
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

function drawSpectrum(canvas, run, see, colours) {
  const chart = Object.assign(prepare(canvas), { left: 62, bottom: 20 });
  const { g, width, height, left, bottom } = chart;
  const spectrum = spectrumOf(run, see.column);
  const top = spectrum === null ? 0 : Math.max(...spectrum.amplitudes);

  if (!(top > 0)) {
    canvas.setAttribute("aria-label", "No spectrum: nothing moves");
    return;
  }
  const { amplitudes, resolution } = spectrum;
  const peaks = peaksOf(amplitudes, 4);
  const last = Math.min(amplitudes.length, Math.max(24, Math.ceil(1.5 * Math.max(...peaks, 8))));
  const X = (i) => left + (width - left) * i / last;
  const Y = (v) => (height - bottom) * (1 - v / (1.15 * top));

  drawGrid(chart, [0, 1.15 * top], see.unit, colours);
  drawTimes(chart, 0, last * resolution, "Hz", colours);
  g.strokeStyle = colours.run;
  g.lineWidth = 1.5;
  g.beginPath();
  for (let i = 0; i < last; i++) {
    g.lineTo(X(i), Y(amplitudes[i]));
  }
  g.stroke();
  g.fillStyle = colours.ink;
  g.textAlign = "center";
  for (const i of peaks) {
    g.fillText(showShort(i * resolution), Math.min(width - 20, X(i)), Y(amplitudes[i]) - 4);
  }
  canvas.setAttribute("aria-label", `Spectrum of ${see.name}, lines at ` +
    peaks.map((i) => showShort(i * resolution)).join(", ") + " Hz");
}
