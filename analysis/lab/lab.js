/* lab.js: the laboratory: changes of numbers become runs, and runs become pictures
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

/* In a report it is in a shadow tree, so that ids and styles are separate. */
const host = document.getElementById("laboratory");
const root = host === null ? document : openTree();
const page = root.querySelector(".lab");
const find = (id) => root.getElementById(id);
const data = JSON.parse(document.getElementById("lab-data").textContent);
const network = new Network(data);
const stage = new Plane(find("scene"), data);
const LETTERS = 15; /* on a desktop [pixels] */
const MOST_ROWS = 120; /* numbers with a slider */
const TELL_EVENTS = 200;
const quiet = matchMedia("(prefers-reduced-motion: reduce)");

const MOST_HANDLES = 24; /* masses that the keyboard reaches */
const LONGEST_FRAME = 500; /* [ms]; after a hidden tab time continues from where it was */
const state = { time: 0, playing: false, slower: 1, lanes: [], run: null, ghost: null, past: [], future: [], see: null,
                wrong: "", axis: "course", force: "", node: 0, isRate: false, isPhase: false, compares: false,
                other: "", forces: false,
                loop: "" };
const controls = new Map(); /* name -> function that shows its number */
let core = null;
let accountant = null; /* core that runs again for dissipated and supplied energy */
let spares = []; /* memory of runs that are no longer used */
let accountTimer = 0;
let colours = {};
let addressTimer = 0;
let spectrumTimer = 0;
let listenTimer = 0;

function openTree() {
  const tree = host.attachShadow({ mode: "open" });

  tree.append(document.getElementById("lab-view").content);
  host.className = "running";
  return tree;
}

/** Counts an action, for tests. */
function count(what) {
  const { dataset } = document.documentElement;

  dataset[what] = String(Number(dataset[what] || 0) + 1);
}

/** Signals that tests and readers of the address may continue. */
function becomeReady(how) {
  document.documentElement.dataset.ready = how;
}

function tell(text) {
  find("voice").textContent = text;
}

function note(text) {
  find("note").textContent = text;
  find("note").hidden = text === "";
}

function readColours() {
  const style = getComputedStyle(page);

  letters = parseFloat(style.fontSize) / LETTERS;

  for (const name of ["ink", "soft", "line", "run", "pale", "event", "other", "ghost", "card"]) {
    colours = Object.assign({}, colours, { [name]: style.getPropertyValue(`--${name}`).trim() });
  }
}

function duration() {
  return state.run === null ? 0 : timeOf(state.run, state.run.n - 1);
}

/** Returns the names of elements with a recent event. */
function whoFlashes() {
  const names = new Set();
  const near = FLASH / state.slower;

  const { events } = state.run;

  for (let i = eventsUntil(state.run, state.time + 1e-12) - 1; i >= 0 && state.time - events[i].time < near; i--) {
    names.add(events[i].element);
    /* A contact is not drawn, so its ends flash. */
    const ends = (network.ends(events[i].element) || "").split(",");

    ends.filter((end) => stage.isBody(end)).forEach((end) => names.add(end));
  }
  return names;
}

/** Returns the lanes with their colours, for drawing. */
function seenLanes() {
  return state.lanes.map((lane, i) => Object.assign(lane, {
    colours: i + 1 < state.lanes.length
      ? Object.assign({}, colours, { run: colours.event, pale: colours.other }) : colours,
    flashing: i + 1 < state.lanes.length ? new Set() : whoFlashes(),
    forces: state.forces && lane.said !== undefined ? lane.said.forces : null }));
}

function drawNow() {
  if (state.run === null) {
    return;
  }
  const lanes = seenLanes();

  stage.draw(state.time, lanes);
  placeHandles();
  find("caption").textContent = stage.scaleSaid;
  find("now").textContent = `${showShort(state.time, 5)} s`;
  find("scrub").value = String(state.time);
  find("scrub").setAttribute("aria-valuetext", `${showShort(state.time, 5)} seconds`);
  if (isSeen(find("course-chart"))) {
    if (state.isPhase) {
      drawPhase(find("course-chart"), lanes, state.see, state.time, colours);
    } else {
      drawCourse(find("course-chart"), lanes, state.ghost, state.see, state.time, colours);
    }
  }
  if (isSeen(find("energy-chart"))) {
    drawEnergy(find("energy-chart"), lanes, state.time, colours);
  }
  drawWhy();
  const ledger = sayEnergies(state.run, state.time);

  find("ledger").textContent = ledger;
  const spoken = ledger.replace(/\u00a0[\u254c\u2508\u25a0\u2592]+/g, ""); /* without the chart's legend */

  find("energy-chart").setAttribute("aria-label", `Energies over time; now ${spoken}`);
}

function drawAll() {
  if (state.run === null) {
    return;
  }
  if (isSeen(find("overview"))) {
    drawOverview(find("overview"), seenLanes(), state.see, colours);
  }
  drawNow();
  explainSoon();
  /* Transforms are computed after the drawing of changes. */
  clearTimeout(spectrumTimer);
  spectrumTimer = setTimeout(drawSpectra, 0);
}

function drawSpectra() {
  if (state.run !== null && isSeen(find("spectrum-chart"))) {
    const modes = modesSoon(state.run, drawSpectra);
    const off = drawSpectrum(find("spectrum-chart"), seenLanes(), state.see, modes, colours);

    find("whence").textContent = [modes.length > 0 ? "dotted: modes" : "its highest lines", off]
      .filter((x) => x).join("; ");
  }
}

/** Draws again after a change of layout or colours. */
function redraw() {
  readColours();
  root.querySelectorAll("canvas").forEach((canvas) => sizes.delete(canvas));
  drawAll();
}

/** Returns a signal's name as in the program; coordinates in the plane have their own. */
function signalName(node, isRate) {
  return isRate ? `${node.name}.${node.rate}`
    : /\.(x|y|angle)$/.test(node.name) ? node.name : `${node.name}.${node.coordinate}`;
}

/** Sets the visible signal: a node's coordinate, its rate, or a force. */
function chooseSignal() {
  const one = data.speakers.find(({ signal }) => signal === state.force);

  state.isPhase = state.axis === "phase" && one === undefined;
  find("signal").value = state.force || `${state.node} ${Number(state.isRate)}`;
  const node = data.nodes[state.node];
  const name = signalName(node, state.isRate);

  state.see = { node: state.node, column: 1 + state.node + (state.isRate ? data.nodes.length : 0),
                name, unit: state.isRate ? node.rateUnit : node.unit, coordinateUnit: node.unit,
                rateUnit: node.rateUnit, span: state.span, from: null, axis: state.axis };
  if (one !== undefined) {
    Object.assign(state.see, { column: state.force, name: `${one.name}.${one.effort}`, unit: one.unit });
  }
  find("overview").setAttribute("aria-label", `The whole course of ${state.see.name}`);
  find("course-chart").setAttribute("aria-label", `The course of ${state.see.name} around this instant`);
}

function showEvents(run) {
  const body = root.querySelector("#events tbody");

  if (body === null) {
    return;
  }
  root.querySelector("#events table").hidden = run.events.length === 0;
  find("none").hidden = run.events.length > 0;
  body.replaceChildren(...run.events.slice(0, TELL_EVENTS).map((event) => {
    const line = document.createElement("tr");
    const cells = [`${showShort(event.time, 6)} s`, event.element, event.word,
                   event.impulse ? `${showShort(event.impulse, 4)} N s` : ""];

    line.append(...cells.map((text) => {
      const cell = document.createElement("td");

      cell.textContent = text;
      return cell;
    }));
    return line;
  }));
}

/* ---- time */

function seek(time, isSpoken = false) {
  state.time = Math.min(duration(), Math.max(0, time));
  drawNow();
  listen();
  if (isSpoken) {
    tell(`${showShort(state.time, 5)} seconds`);
  }
}

/** Returns the time of one row, or of a small visible motion. */
function timeStep() {
  if (state.run === null) {
    return 0;
  }
  const dt = state.run.n > 1 ? timeOf(state.run, 1) : 1;

  return dt * Math.max(1, Math.round(duration() / 2000 / dt));
}

function play(isOn) {
  state.playing = isOn && state.run !== null;
  find("play").textContent = state.playing ? "Pause" : "Play";
  if (!state.playing) {
    keepAddress();
    listen();
    return;
  }
  if (state.time >= duration()) {
    state.time = 0;
  }
  let before = performance.now();
  const frame = (now) => {
    if (!state.playing) {
      return;
    }
    state.time += Math.min(now - before, LONGEST_FRAME) / 1000 / state.slower;
    before = now;
    if (state.time >= duration()) {
      state.time = duration();
      play(false);
      tell("The end of the run");
    }
    if (state.forces) {
      listen();
    }
    const begun = performance.now();

    drawNow();
    state.work = performance.now() - begun;
    requestAnimationFrame(frame);
  };

  requestAnimationFrame(frame);
}

/* ---- all together */

function standStill(why) {
  if (host !== null) {
    /* The report has all static parts. */
    find("note").append(why);
    find("note").hidden = false;
    page.replaceChildren(root.querySelector("slot"), find("note"));
    host.className = "still";
    becomeReady("still");
    return;
  }
  page.classList.add("still");
  root.querySelectorAll("button, select, input").forEach((control) => {
    control.disabled = true;
  });
  note(why);
  becomeReady("still");
}

/** After the first run: chooses signal, range and speed. */
function lookFirst() {
  const rows = 400 * timeOf(state.run, Math.min(1, state.run.n - 1));

  lookAtWhatMoves();
  state.span = Math.max(duration() / 8, Math.min(duration(), rows));
  chooseSignal();
  state.firstSeen = state.isSignalSaid ? "" : state.see.name;
  chooseSpeed();
  state.time = Math.min(duration(), state.first);
  drawNow();
  makeHandles();
  becomeReady(String(Math.round(performance.now())));
}

async function begin() {
  const packed = document.getElementById("lab-core").textContent.trim();

  openAddress();
  readColours();
  makeNumbers();
  controls.forEach((show) => show());
  showCommand();
  showCompared();
  if (packed === "") {
    standStill("This page was made without the engine, by an ifbam that was built without clang and " +
      "lld: it stands still.");
    return;
  }
  try {
    const module = await unpackCore(packed);

    core = new Core(module);
    accountant = new Core(module);
    listener = new Core(module);
    explainer = new Core(module);
  } catch (error) {
    standStill("This browser runs no WebAssembly, or can't unpack it: the page stands still. The " +
      "command below gives its numbers.");
    return;
  }
  openAddress();
  Object.assign(state, { first: state.time, time: 0, span: Infinity });
  wireTime();
  wireSignals();
  chooseSignal();
  if (!data.hasEvents) {
    find("events").remove();
  }
  wireTabs();
  wireDrag();
  wireStructure();
  wireActions();
  wireKeys();
  window.addEventListener("hashchange", followAddress);
  const observer = new ResizeObserver(redraw);

  root.querySelectorAll("canvas").forEach((canvas) => observer.observe(canvas));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
  window.lab = { state, network, change, modes: () => modesNow(state.run), seek, play, stage, draw: drawNow,
    place: (name) => stage.places.get(name), at: (point) => stage.at(point),
    memory: () => [core, accountant, listener, explainer]
      .reduce((all, one) => all + one.e.memory.buffer.byteLength, 0) };
  await compute();
}

begin();
