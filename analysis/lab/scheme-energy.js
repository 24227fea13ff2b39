/* scheme-energy.js: panel "Why": energy that the scheme brings, per element, and the loop of a link
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

const MOST_ACCOUNTED = 200000; /* steps */
const MOST_TERMS = 12; /* elements with a bar of their own */
const LOOP_TURNS = 3; /* reversals of a compression that its loop shows */

let explainer = null; /* core that runs again for these energies */
let explainTimer = 0;

/** Returns the amplitude's factor per step of an undamped mode, h = angular frequency * step: the largest root of the
 * characteristic polynomial of the scheme with coefficients in powers of h^2. 1: not known. */
function growthPerStep(scheme, h) {
  const factors = [0, 1, 2, 3].map((j) =>
    data.growth[scheme].slice(5 * j, 5 * j + 5).reduce((all, c, k) => all + c * Math.pow(h, 2 * k), 0));
  const n = factors[3] === 0 ? 2 : 3;
  const companion = Array.from({ length: n }, (x, i) => Array.from({ length: n }, (y, j) =>
    (i === 0 ? -factors[n - 1 - j] / factors[n] : Number(i === j + 1))));

  return factors[n] === 0 ? 1 : Math.max(...(eigenvaluesOf(companion) || []).map(([re, im]) => Math.hypot(re, im)));
}

/** Returns a sentence about the mode that grows fastest under a lane's scheme; "": no mode is known to grow. */
function growingMode(lane) {
  let [most, frequency] = [1, 0];

  for (const f of modesNow(lane.run)) {
    const h = 2 * Math.PI * f * stepOf(lane);
    const factor = growthPerStep(lane.name, h);

    /* Less is a rounding error of the roots, which are near each other. */
    [most, frequency] = factor > Math.max(most, 1 + 1e-13 / h) ? [factor, f] : [most, frequency];
  }
  const by = most < 2 ? `by ${showShort(100 * (most - 1), 3)} %` : `\u00d7 ${showShort(most, 4)}`;

  return frequency === 0 ? "" : `${data.hasAccount ? "Without damping the" : "The"} mode of ` +
    `${showNumber(frequency, "Hz", 4)} grows: its amplitude ${by} in each step.`;
}

/** Returns the names of links, which have a loop. */
function loopLinks() {
  return data.speakers.map(({ name }) => name).filter((name) => network.ends(name));
}

/** Returns the energies of a lane: at instants all sums, at each step the loop's point of a link. Null: cancelled by a
 * later request. */
async function explain(lane, link) {
  const turn = explainer.take();
  const steps = Math.min(MOST_ACCOUNTED, (lane.run.n - 1) * lane.run.stride * lane.run.thin);
  const every = Math.max(1, Math.ceil(steps / INSTANTS));
  const handle = explainer.open(lane.text);

  if (typeof handle === "string") {
    return { fault: handle };
  }
  const { e } = explainer;
  const n = e.ifbam_core_scheme_energy_begin(handle);
  const names = Array.from({ length: n }, (x, i) => explainer.read(e.ifbam_core_scheme_energy_name(handle, i)));
  const why = { link, names, every, fault: explainer.said(handle), rows: [new Float64Array(n + 2)],
                points: new Float64Array(4 * steps), steps: 0 };
  const place = e.malloc(8 * (4 * every + n + 2));
  const fine = n === 0 || await explainer.slices(turn, () => {
    const some = Math.min(every, steps - why.steps);
    const went = e.ifbam_core_scheme_energy_advance(handle, some, Math.max(0, names.indexOf(link)), place,
                                                    place + 32 * every);

    why.points.set(new Float64Array(e.memory.buffer, place, 4 * went), 4 * why.steps);
    why.steps += went;
    if (went === some) {
      why.rows.push(new Float64Array(e.memory.buffer, place + 32 * every, n + 2).slice());
    }
    return went === some && why.steps < steps;
  });

  e.free(place);
  e.ifbam_core_free(handle);
  return fine ? why : null;
}

/** Returns the link with a loop that has the largest energy at the end; "": there is none. */
function largestLink(why) {
  const energyOf = (name) => why.rows[why.rows.length - 1][why.names.indexOf(name)];

  return loopLinks().filter((name) => why.names.includes(name))
    .reduce((best, name) => (best === "" || energyOf(name) > energyOf(best) ? name : best), "");
}

/** Explains the lower lane when nothing is being moved, if the panel is visible. */
function explainSoon() {
  clearTimeout(explainTimer);
  explainTimer = setTimeout(async () => {
    const lane = state.lanes[state.lanes.length - 1];
    const link = state.loop;
    const isKnown = lane === undefined || (lane.why !== undefined && (lane.why.fault !== "" || lane.why.link === link));
    const why = isKnown || !isSeen(find("loop-chart")) ? null : await explain(lane, link);

    if (why === null) {
      return;
    }
    Object.assign(lane, { why });
    /* At first, or without the link of the last loop */
    if (why.fault === "" && !why.names.includes(link)) {
      chooseLoop(largestLink(why));
    }
    find("growing").textContent = growingMode(lane);
    drawWhy();
    count("explained");
  }, 150);
}

/** Chooses the link for the loop. */
function chooseLoop(name) {
  state.loop = name;
  explainSoon();
}

/** Returns name and energy of each bar: the elements with the largest energies at the end, and the others together. */
function termsOf(why, row) {
  const last = why.rows[why.rows.length - 1];
  const largest = why.names.map((name, i) => i)
    .sort((a, b) => Math.abs(last[b]) - Math.abs(last[a])).slice(0, MOST_TERMS);
  const rest = why.names.reduce((all, name, i) => all + (largest.includes(i) ? 0 : row[i]), 0);

  return [...largest.sort((a, b) => a - b).map((i) => [why.names[i], row[i]]),
          ...(why.names.length > MOST_TERMS ? [["others", rest]] : [])];
}

function showTerms(why, row) {
  const terms = termsOf(why, row);
  const most = Math.max(...terms.map(([, energy]) => Math.abs(energy)));
  const list = find("terms");
  const links = loopLinks();

  if (list.dataset.names !== terms.map(([name]) => name).join()) {
    list.dataset.names = terms.map(([name]) => name).join();
    list.replaceChildren(...terms.map(([name]) => {
      const line = document.createElement("li");

      line.innerHTML = "<button type=\"button\"></button><i></i><output></output>";
      Object.assign(line.firstChild, { textContent: name, disabled: !links.includes(name) });
      line.firstChild.addEventListener("click", () => chooseLoop(name));
      return line;
    }));
  }
  terms.forEach(([name, energy], i) => {
    const [button, bar, output] = list.children[i].children;
    const part = most > 0 ? Math.abs(energy) / most : 0;

    button.setAttribute("aria-pressed", String(name === state.loop));
    bar.className = energy < 0 ? "taken" : "";
    bar.style.setProperty("--part", part.toFixed(4));
    output.textContent = showNumber(withoutRounding(energy, most), "J", 4);
  });
}

/** Shows the energies up to this instant, and the loop that leads to it. */
function drawWhy() {
  const lane = state.lanes[state.lanes.length - 1];
  const why = lane === undefined ? undefined : lane.why;

  if (why === undefined || !isSeen(find("loop-chart"))) {
    return;
  }
  find("terms").hidden = why.fault !== "";
  find("bringer").textContent = lane.name;
  if (why.fault !== "") {
    find("balance").textContent = `${why.fault[0].toUpperCase()}${why.fault.slice(1)}.`;
    prepare(find("loop-chart"));
    find("loop-words").textContent = "";
  } else {
    const step = Math.min(why.steps, Math.round(state.time / stepOf(lane)));
    const at = Math.min(why.rows.length - 1, Math.floor(step / why.every));
    const row = why.rows[at];
    const n = why.names.length;
    const total = why.names.reduce((all, name, i) => all + row[i], 0);
    const size = Math.max(Math.abs(total), Math.abs(row[n + 1]));
    const rest = size > 0 ? 100 * Math.abs(row[n + 1] - row[n] - total) / size : 0;

    showTerms(why, row);
    const until = showNumber(Math.min(at * why.every, why.steps) * stepOf(lane), "s", 4);

    find("balance").textContent = `Up to ${until} their sum is ${showNumber(total, "J", 4)}` +
      (row[n] === 0 ? "" : `, and ${showNumber(row[n], "J", 4)} in steps with events`) + "; the run's energy balance " +
      `gives ${showNumber(row[n + 1], "J", 4)} (difference ${rest < 0.005 ? "below 0.01" : showShort(rest, 2)} %).`;
    find("loop-words").textContent = !why.names.includes(why.link) ? "" : drawLoop(find("loop-chart"), why, step);
  }
}

/** Draws a link's force over its compression: as applied by the scheme, and of its law. Returns a legend. */
function drawLoop(canvas, why, step) {
  const chart = Object.assign(prepare(canvas), { left: COURSE_LEFT, bottom: 20 });
  const { g, width, height, left, bottom } = chart;
  const speaker = data.speakers.find(({ name }) => name === why.link);
  const node = data.nodes.find(({ name }) => network.ends(why.link).split(",").includes(name));
  const at = (k) => why.points.subarray(4 * k, 4 * k + 4);
  const moves = (k) => Math.sign(at(k)[1] - at(k)[0]);
  let [first, turns, area] = [step, 0, 0];

  for (; first > 0 && turns < LOOP_TURNS; first--) {
    turns += first < step && moves(first - 1) * moves(first) < 0 ? 1 : 0;
  }
  /* The first point, before the loop, gives the law at its start. */
  const points = Array.from({ length: Math.max(0, step - first - 1) }, (x, i) => {
    const [[, , , old], [before, after, force, law]] = [at(first + i), at(first + i + 1)];

    area += ((old + law) / 2 - force) * (after - before);
    return { x: (before + after) / 2, law: (old + law) / 2, late: force - (old + law) / 2 };
  });

  if (points.length < 2) {
    return "";
  }
  const rangeFor = (of) => widened([Math.min(...points.map(of)), Math.max(...points.map(of))]);
  const force = rangeFor((point) => point.law);
  const most = Math.max(...points.map(({ late }) => Math.abs(late))) || Infinity;
  /* Thin loops are drawn wider, by a power of ten. */
  const power = Math.max(0, Math.floor(Math.log10(0.3 * (force[1] - force[0]) / most)));
  const wide = Math.pow(10, power);
  const [a, b] = [rangeFor(({ x }) => x), rangeFor(({ law, late }) => law + wide * late)];
  const X = (v) => left + (width - left) * (v - a[0]) / (a[1] - a[0]);
  const Y = (v) => (height - bottom) * (1 - (v - b[0]) / (b[1] - b[0]));

  drawGrid(chart, b, speaker.unit, colours);
  drawTimes(chart, a[0], a[1], node === undefined ? "" : node.unit, colours);
  g.lineWidth = 2;
  g.fillStyle = colours.other;
  [[colours.event, wide], [colours.run, 0]].forEach(([color, factor]) => {
    g.strokeStyle = color;
    g.beginPath();
    points.forEach(({ x, law, late }) => g.lineTo(X(x), Y(law + factor * late)));
    if (factor > 0) {
      g.fill();
    }
    g.stroke();
  });
  canvas.setAttribute("aria-label", `Force of ${why.link} over its compression: applied, and of its law`);
  return `${why.link}: force over compression, by its law (blue) and as applied (red` +
    (wide > 1 ? `, difference \u00d7 10${raised(power)}` : "") + `). The loop brings ${showNumber(area, "J", 3)}.`;
}
