/* lab.js: the laboratory: what is said by hand becomes a run, and a run becomes pictures
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

const find = (id) => document.getElementById(id);
const data = JSON.parse(find("data").textContent);
const network = new Network(data);
const stage = new Stage(find("scene"), data);
const MOST_ROWS = 120; /* of numbers with a slider */
const TELL_EVENTS = 200;
const quiet = matchMedia("(prefers-reduced-motion: reduce)");

const MOST_HANDLES = 24; /* masses that keys reach */
const state = { time: 0, playing: false, slower: 1, lanes: [], run: null, ghost: null, past: [], see: null,
                node: 0, isRate: false, isPhase: false, compares: false, other: "", forces: false };
const controls = new Map(); /* name -> shows its number */
let core = null;
let accountant = null; /* who runs once more for what was lost and fed */
let spares = []; /* memory of runs that nobody looks at any more */
let accountTimer = 0;
let colours = {};
let addressTimer = 0;

function tell(text) {
  find("voice").textContent = text;
}

function note(text) {
  find("note").textContent = text;
  find("note").hidden = text === "";
}

function readColours() {
  const style = getComputedStyle(document.documentElement);

  for (const name of ["ink", "soft", "line", "run", "pale", "event", "other", "ghost", "card"]) {
    colours = Object.assign({}, colours, { [name]: style.getPropertyValue(`--${name}`).trim() });
  }
}

/* ---- pictures */

function duration() {
  return state.run === null ? 0 : timeOf(state.run, state.run.n - 1);
}

/** Who does something at this instant of playing. */
function whoFlashes() {
  const names = new Set();
  const near = FLASH / state.slower;

  for (const event of state.run.events) {
    if (event.time <= state.time + 1e-12 && state.time - event.time < near) {
      names.add(event.element);
    }
  }
  return names;
}

/** The lanes as pictures need them: with hues of their own. */
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
  if (state.isPhase) {
    drawPhase(find("course-chart"), lanes, state.see, state.time, colours);
  } else {
    drawCourse(find("course-chart"), lanes, state.ghost, state.see, state.time, colours);
  }
  drawEnergy(find("energy-chart"), lanes, state.time, colours);
  find("ledger").textContent = sayEnergies(state.run, state.time);
}

function drawAll() {
  if (state.run === null) {
    return;
  }
  readColours();
  const lanes = seenLanes();
  const modes = network.isAsInFile() ? data.modes : [];

  drawOverview(find("overview"), lanes, state.see.column, colours);
  const off = drawSpectrum(find("spectrum-chart"), lanes, state.see, modes, colours);

  find("whence").textContent = [modes.length > 0 ? "modes of the file" : "from the spectrum", off]
    .filter((x) => x).join("; ");
  drawNow();
}

/** As the program calls it; what is in the plane is a coordinate by its own name. */
function signalName(node, isRate) {
  return isRate ? `${node.name}.${node.rate}`
    : /\.(x|y|angle)$/.test(node.name) ? node.name : `${node.name}.${node.coordinate}`;
}

/** What is looked at: a node's coordinate, or its rate. */
function chooseSignal() {
  const node = data.nodes[state.node];
  const name = signalName(node, state.isRate);

  state.see = { node: state.node, column: 1 + state.node + (state.isRate ? data.nodes.length : 0),
                name, unit: state.isRate ? node.rateUnit : node.unit, coordinateUnit: node.unit,
                rateUnit: node.rateUnit, span: state.span };
  find("overview").setAttribute("aria-label", `The whole course of ${name}`);
  find("course-chart").setAttribute("aria-label", `The course of ${name} around this instant`);
}

function showEvents(run) {
  const body = document.querySelector("#events tbody");

  document.querySelector("#events table").hidden = run.events.length === 0;
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

/* ---- runs */

function spareFor() {
  return spares.pop() || null;
}

/** Nobody looks at these runs any more. */
function drop(runs) {
  spares = [...spares, ...runs.filter((run) => run && run.data).map((run) => run.data)].slice(-3);
}

function sum(row) {
  return row[0] + row[1];
}

/** What comes from nothing, as a part of all that there was, was lost and was fed. */
function restOf(account) {
  const [first, last] = [account.whole[0], account.whole[account.whole.length - 1]];
  const size = Math.max(...account.whole.map((row) => Math.max(...row.slice(0, 4).map(Math.abs))));
  const rest = sum(last) + last[2] - last[3] - sum(first) - first[2] + first[3];

  return { rest, part: size > 0 ? rest / size : 0 };
}

/** "holds", "grows", "decays", "diverges"; whether it grows decides what pictures show of it. */
function judge(run) {
  const { energies, whole } = run.account;
  const [start, end] = [sum(energies[0]), sum(energies[energies.length - 1])];
  const after = `after ${showShort(timeOf(run, run.n - 1))} s`;

  run.grows = run.diverged !== undefined;
  if (run.diverged !== undefined) {
    return `diverges at ${showShort(run.diverged, 3)} s`;
  }
  if (run.ended !== "") {
    return `ends at ${showShort(timeOf(run, run.n - 1), 4)} s`;
  }
  if (data.hasAccount) {
    const { rest, part } = whole === null || whole.length === 0 ? { rest: 0, part: NaN } : restOf(run.account);

    return isNaN(part) ? ""
      : Math.abs(part) < 0.02 ? `holds: its account closes to ${showShort(100 * Math.abs(part), 1)} %`
      : rest > 0 ? `grows: ${showNumber(rest, "J", 3)} out of nothing ${after}`
        : `loses ${showNumber(-rest, "J", 3)} to its scheme ${after}`;
  }
  const moving = energies.reduce((most, row) => Math.max(most, row[0]), 0);

  if (moving === 0) {
    return "at rest";
  }
  if (Math.abs(end - start) < 0.02 * Math.max(moving, Math.abs(start))) {
    return `holds: energy the same ${after}`;
  }
  run.grows = start > 0 && end > 1.5 * start;
  return `${end > start ? "grows" : "decays"}: energy \u00d7 ${showShort(end / start, 3)} ${after}`;
}

function sayEnergies(run, time) {
  const row = energiesAt(run, time);
  const [kinetic, potential, lost, fed] = row;
  const parts = [`${showNumber(kinetic, "J", 3)} moving`, `${showNumber(potential, "J", 3)} stored`];

  if (row.length > 2) {
    parts.push(`${showNumber(lost, "J", 3)} lost`, `${showNumber(fed, "J", 3)} fed`);
  }
  return parts.join(", ");
}

function showVerdicts() {
  for (const [i, lane] of state.lanes.entries()) {
    const place = find(i + 1 < state.lanes.length ? "verdict-other" : "verdict");

    lane.verdict = judge(lane.run);
    place.textContent = lane.verdict;
    place.classList.toggle("loud", /^(grows|diverges|ends)/.test(lane.verdict));
  }
}

/** What was lost and fed, once nobody moves anything. */
function findAccounts() {
  const turn = accountant.take();

  clearTimeout(accountTimer);
  if (!data.hasAccount) {
    return;
  }
  accountTimer = setTimeout(async () => {
    for (const lane of [...state.lanes].reverse()) {
      if (!await accountant.account(lane.text, turn, lane.run)) {
        return;
      }
    }
    showVerdicts();
    drawAll();
    document.documentElement.dataset.accounts = String(Number(document.documentElement.dataset.accounts || 0) + 1);
  }, 150);
}

/** The whole run again, from its start; with another scheme, too, where that is wanted. */
async function compute() {
  const turn = core.take();
  const text = network.text();
  const run = await core.run(text, turn, !data.hasAccount, spareFor());
  let other = null;

  if (run === null) {
    return;
  }
  const otherText = network.text(state.other);

  if (state.compares && run.faults === undefined) {
    other = await core.run(otherText, turn, !data.hasAccount, spareFor());
    if (other === null) {
      return;
    }
  }
  showCommand();
  find("reset").disabled = !network.isChanged();
  find("undo").disabled = state.past.length === 0;
  controls.forEach((show) => show());
  keepAddress();
  if (run.faults !== undefined) {
    note(run.faults);
    return;
  }
  if (run.nodes !== data.nodes.length) {
    note("That changes what there is, and this page was made for what there was (ifbam lab makes another)");
    return;
  }
  take(run, text, other, otherText);
}

function take(run, text, other, otherText) {
  const before = state.lanes.map((lane) => lane.run);

  note(run.ended);
  state.run = run;
  state.lanes = [{ name: network.scheme(), run, text }];
  find("verdict-other").textContent = "";
  if (other !== null && other.faults === undefined) {
    state.lanes.unshift({ name: state.other, run: other, text: otherText });
  } else if (other !== null) {
    find("verdict-other").textContent = `refused: ${other.faults.split("\n")[0]}`;
  }
  drop(before.filter((old) => old !== state.ghost && !state.lanes.some((lane) => lane.run === old)));
  showVerdicts();
  stage.look(run);
  stage.joined = network.joins();
  state.time = Math.min(state.time, duration());
  find("scrub").max = String(duration());
  showEvents(run);
  drawAll();
  listen();
  findAccounts();
  document.documentElement.dataset.runs = String(Number(document.documentElement.dataset.runs || 0) + 1);
}

function showCommand() {
  find("command").textContent = network.command();
  find("lines").replaceChildren(...network.changedLines().flatMap(([name, was, is]) => {
    const [before, now] = [document.createElement("del"), document.createElement("ins")];

    before.textContent = was;
    now.textContent = is;
    return [` [${name}] `, before, " ", now];
  }));
}

/** Before a change: what was can be had again, and stays as a ghost. */
function remember() {
  const was = JSON.stringify(network.changes);

  if (state.past[state.past.length - 1] !== was) {
    state.past.push(was);
  }
  if (state.ghost !== null && state.ghost !== state.run) {
    drop([state.ghost]);
  }
  state.ghost = state.run;
}

function change(name, value, isNew = true) {
  if (network.value !== undefined && isNew) {
    remember();
  }
  network.set(name, value);
  return compute();
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

/** A row, or what moves the picture by a little. */
function timeStep() {
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
    state.time += (now - before) / 1000 / state.slower;
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

/* ---- numbers */

/** From 0 to 1, and back: by powers of ten around the file's value, or on a line where it may be 0. */
function scaleOf(number, name) {
  const own = number.value;

  if (own > 0 && number.minimum !== null && number.minimum >= 0) {
    return { to: (value) => (Math.log10(value / own) + 1) / 2,
             from: (part) => Number((own * Math.pow(10, 2 * part - 1)).toPrecision(3)) };
  }
  const reach = 2 * Math.abs(own) || likelyReach(name.split(".")[1]);
  const low = Math.max(number.minimum === null ? -Infinity : number.minimum, own - reach);

  return { to: (value) => (value - low) / (own + reach - low),
           from: (part) => Number((low + part * (own + reach - low)).toPrecision(3)) };
}

/** As far as others of the key go. */
function likelyReach(key) {
  let most = 0;

  network.numbers.forEach((number) => {
    if (number.key === key && number.value !== null) {
      most = Math.max(most, Math.abs(number.value));
    }
  });
  return most || 1;
}

function makeField(name, number) {
  const field = document.createElement("input");

  field.type = "text";
  field.setAttribute("aria-label", `${name}, ${number.meaning}`);
  field.title = number.meaning;
  field.addEventListener("change", () => {
    const value = readNumber(field.value, number.unit);

    field.setAttribute("aria-invalid", String(isNaN(value)));
    if (isNaN(value)) {
      note(`${name}: "${field.value}" is no number` + (number.unit ? ` in ${number.unit}` : ""));
    } else {
      change(name, value);
    }
  });
  field.addEventListener("focus", () => {
    field.value = showNumber(network.value(name), number.unit);
  });
  field.addEventListener("blur", () => controls.get(name)());
  field.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      field.value = showNumber(network.value(name), number.unit);
      field.setAttribute("aria-invalid", "false");
      field.blur();
    }
  });
  return field;
}

function makeSlider(name, number) {
  const slider = document.createElement("input");
  const scale = scaleOf(number, name);

  slider.type = "range";
  Object.assign(slider, { min: "0", max: "1", step: "0.005" });
  slider.setAttribute("aria-label", `${name}, ${number.meaning}`);
  slider.addEventListener("input", () => {
    /* A drag is one change. */
    const value = Math.abs(Number(slider.value) - scale.to(number.value)) < 0.003 ? number.value
      : scale.from(Number(slider.value));

    change(name, value, slider.dataset.held !== "yes");
    slider.dataset.held = "yes";
  });
  slider.addEventListener("change", () => {
    slider.dataset.held = "";
    tell(`${name}: ${showNumber(network.value(name), number.unit)}`);
  });
  slider.show = () => {
    slider.value = String(scale.to(network.value(name)));
    slider.setAttribute("aria-valuetext", showNumber(network.value(name), number.unit));
  };
  return slider;
}

function makeRow(name, label, number, hasSlider) {
  const row = document.createElement("p");
  const title = document.createElement("label");
  const field = makeField(name, number);
  const slider = hasSlider ? makeSlider(name, number) : null;

  row.className = "row";
  row.dataset.name = name;
  field.id = `field-${name}`;
  title.htmlFor = field.id;
  title.textContent = label;
  title.title = `${name}: ${number.meaning}`;
  row.append(title, ...(slider === null ? [] : [slider]), field);
  controls.set(name, () => {
    row.classList.toggle("changed", name in network.changes);
    if (document.activeElement !== field) {
      field.value = showNumber(network.value(name), number.unit, 7);
    }
    if (slider !== null) {
      slider.show();
    }
  });
  return row;
}

/** Said numbers by their keys, with sliders; the others with fields. */
function makeNumbers() {
  const groups = new Map();
  const others = [];

  network.numbers.forEach((number, name) => {
    if (number.value === null || !number.said) {
      if (number.value !== null) {
        others.push(makeRow(name, name, number, false));
      }
      return;
    }
    if (!groups.has(number.key)) {
      groups.set(number.key, []);
    }
    groups.get(number.key).push([name, number]);
  });
  let n = 0;

  for (const [key, rows] of groups) {
    const title = document.createElement("h3");

    title.textContent = key === "step" ? "Step of the scheme" : key;
    find("sliders").append(title);
    for (const [name, number] of rows) {
      const label = name === "step" ? "\u03c4" : number.element.name;

      find("sliders").append(makeRow(name, label, number, n++ < MOST_ROWS));
    }
  }
  find("others").hidden = others.length === 0;
  find("fields").append(...others.slice(0, 10 * MOST_ROWS));
  for (const name of data.schemes) {
    find("scheme").add(new Option(name, name));
    find("other").add(new Option(name, name));
  }
  controls.set("scheme", () => {
    find("scheme").value = network.scheme();
  });
  if (data.restsFirst) {
    find("numbers").querySelectorAll("input").forEach((input) => {
      input.disabled = true;
    });
    note("It starts where it is at rest, which the program finds: numbers stay as they are here.");
  }
}

/* ---- the address: what differs from the file, in words */

function addressParts() {
  const parts = Object.keys(network.changes).map((name) => `${name}=${network.changes[name]}`);

  if (state.time > 0 && !state.playing) {
    parts.push(`t=${Number(state.time.toPrecision(6))}`);
  }
  if (state.compares !== comparesFirst() || (state.compares && state.other !== otherFirst())) {
    parts.push(`compare=${state.compares ? state.other : "no"}`);
  }
  if (state.see !== null && (state.node !== firstNode() || state.isRate !== isToldByRate(state.node))) {
    parts.push(`see=${state.see.name}`);
  }
  return parts;
}

function addressOf(parts) {
  return location.href.split("#")[0] + (parts.length ? `#${encodeURI(parts.join("&"))}` : "");
}

function keepAddress() {
  clearTimeout(addressTimer);
  addressTimer = setTimeout(() => {
    const parts = addressParts();

    try {
      history.replaceState(null, "", addressOf(parts));
    } catch (error) {
      /* A page in a frame may not. */
    }
  }, 200);
}

function firstNode() {
  return Math.max(0, data.nodes.findIndex((node) => node.free));
}

/** Where the link says nothing: the first that moves. */
function lookAtWhatMoves() {
  const moves = (i) => {
    const [low, high] = rangeOf(state.run, 1 + i);

    return data.nodes[i].free && high > low;
  };

  if (state.node === firstNode() && !moves(state.node)) {
    state.node = Math.max(state.node, data.nodes.findIndex((node, i) => moves(i)));
    state.isRate = isToldByRate(state.node);
    find("signal").value = `${state.node} ${Number(state.isRate)}`;
  }
}

/** The paper's first scheme beside its second one shows what the second is good for. */
function comparesFirst() {
  return network.scheme() === "averaged" && !stage.hasPlane && !stage.isLong && !data.hasAccount;
}

function otherFirst() {
  return network.scheme() === "averaged" ? "original" : network.scheme() === "rk4" ? "verlet" : "rk4";
}

/** Of a circuit people look at voltages, of pipes at flows. */
function isToldByRate(i) {
  return ["electricity", "hydraulics"].includes(data.nodes[i].domain);
}

function openAddress() {
  const wrong = [];

  state.node = firstNode();
  state.isRate = isToldByRate(state.node);
  state.compares = comparesFirst();
  state.other = otherFirst();
  for (const part of decodeURI(location.hash.slice(1)).split("&").filter((text) => text !== "")) {
    const [name, value] = part.split("=");
    const at = data.nodes.findIndex((node) =>
      [signalName(node, false), signalName(node, true)].includes(value));

    if (name === "t" && isFinite(Number(value))) {
      state.time = Number(value);
    } else if (name === "see" && at >= 0) {
      state.node = at;
      state.isRate = value === signalName(data.nodes[at], true);
    } else if (name === "scheme" && data.schemes.includes(value)) {
      network.set("scheme", value);
    } else if (name === "compare" && (value === "no" || data.schemes.includes(value))) {
      state.compares = value !== "no";
      state.other = state.compares ? value : state.other;
    } else if (part === "embed") {
      document.body.classList.add("embed");
    } else if (network.mayJoin(name, value)) {
      network.set(name, value);
    } else if (network.has(name) && value !== "" && isFinite(Number(value)) && !data.restsFirst) {
      network.set(name, Number(value));
    } else {
      wrong.push(part);
    }
  }
  return wrong.length === 0 ? "" : `The link says ${wrong.join(", ")}, which this network does not have.`;
}

/* ---- by hand */

function wireDrag() {
  const canvas = find("scene");

  canvas.addEventListener("pointerdown", (event) => {
    const box = canvas.getBoundingClientRect();
    const name = stage.find(event.clientX - box.left, event.clientY - box.top);
    const place = name === null ? null : stage.places.get(name);
    const keys = place === null ? [] : place.keys.filter((key) => network.has(`${name}.${key}`));

    if (keys.length === 0 || place.perPixel === 0 || data.restsFirst) {
      choose(stage.findLink(event.clientX - box.left, event.clientY - box.top) || "");
      return;
    }
    event.preventDefault();
    canvas.setPointerCapture(event.pointerId);
    play(false);
    remember();
    const from = keys.map((key) => network.value(`${name}.${key}`));
    const [x, y] = [event.clientX, event.clientY];
    let isMoved = false;
    const move = (now) => {
      const by = [now.clientX - x, y - now.clientY];

      isMoved = isMoved || Math.hypot(...by) > 3;
      if (isMoved) {
        keys.forEach((key, i) => {
          network.set(`${name}.${key}`, Number((from[i] + by[i + (place.axis || 0)] * place.perPixel).toPrecision(3)));
        });
        state.time = 0;
        compute();
      }
    };
    const up = () => {
      canvas.removeEventListener("pointermove", move);
      canvas.removeEventListener("pointerup", up);
      canvas.removeEventListener("pointercancel", up);
      if (isMoved) {
        tell(`${name} starts at ` + keys.map((key) =>
          `${key} ${showNumber(network.value(`${name}.${key}`), "m")}`).join(", "));
        play(!quiet.matches);
      } else {
        state.past.pop();
      }
    };

    canvas.addEventListener("pointermove", move);
    canvas.addEventListener("pointerup", up);
    canvas.addEventListener("pointercancel", up);
  });
  canvas.addEventListener("pointermove", (event) => {
    const box = canvas.getBoundingClientRect();
    const name = stage.find(event.clientX - box.left, event.clientY - box.top);
    const keys = name === null ? [] : stage.places.get(name).keys;

    canvas.classList.toggle("handle", keys.some((key) => network.has(`${name}.${key}`)) ||
      network.canJoin(stage.findLink(event.clientX - box.left, event.clientY - box.top)));
  });
}

function save(name, blob) {
  const link = document.createElement("a");

  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

function saveRows() {
  const { run } = state;
  const names = data.nodes.map((node) => signalName(node, false))
    .concat(data.nodes.map((node) => signalName(node, true)));
  const lines = [["time", ...names].join(",")];

  for (let r = 0; r < run.n; r++) {
    lines.push(run.data.subarray(r * run.width, (r + 1) * run.width).join(","));
  }
  save(`${data.file.replace(/\.ini$/, "")}.csv`, new Blob([lines.join("\n") + "\n"], { type: "text/csv" }));
}

async function copy(text, said) {
  try {
    await navigator.clipboard.writeText(text);
    tell(said);
  } catch (error) {
    tell(text);
  }
}

function wireTime() {
  find("play").addEventListener("click", () => play(!state.playing));
  find("start").addEventListener("click", () => seek(0, true));
  find("back").addEventListener("click", () => {
    play(false);
    seek(state.time - timeStep(), true);
  });
  find("on").addEventListener("click", () => {
    play(false);
    seek(state.time + timeStep(), true);
  });
  find("scrub").addEventListener("input", () => seek(Number(find("scrub").value)));
  find("scrub").addEventListener("change", keepAddress);
  for (const slower of [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 1e4, 1e5, 1e6]) {
    const text = slower > 1 ? `${slower} \u00d7 slower` : `${1 / slower} \u00d7 faster`;

    find("speed").add(new Option(slower === 1 ? "as it is" : text, slower));
  }
  find("speed").addEventListener("change", () => {
    state.slower = Number(find("speed").value);
  });
}

function wireSignals() {
  const choice = find("signal");

  data.nodes.forEach((node, i) => {
    choice.add(new Option(signalName(node, false), `${i} 0`));
    choice.add(new Option(signalName(node, true), `${i} 1`));
  });
  choice.value = `${state.node} ${Number(state.isRate)}`;
  choice.addEventListener("change", () => {
    const [node, isRate] = choice.value.split(" ").map(Number);

    Object.assign(state, { node, isRate: isRate === 1 });
    chooseSignal();
    drawAll();
    keepAddress();
  });
  find("view").addEventListener("change", () => {
    state.isPhase = find("view").value === "phase";
    drawNow();
  });
}

function wireTabs() {
  const tabs = [...document.querySelectorAll(".panel")].map((panel) => {
    const tab = document.createElement("button");

    tab.setAttribute("role", "tab");
    tab.setAttribute("aria-controls", panel.id);
    tab.textContent = panel.dataset.name;
    tab.addEventListener("click", () => {
      document.body.dataset.tab = panel.id;
      tabs.forEach((other) => {
        other.setAttribute("aria-selected", String(other === tab));
        other.tabIndex = other === tab ? 0 : -1;
      });
      drawAll();
    });
    tab.addEventListener("keydown", (event) => {
      const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];

      if (by !== undefined) {
        const next = tabs[(tabs.indexOf(tab) + by + tabs.length) % tabs.length];

        next.focus();
        next.click();
        event.stopPropagation();
      }
    });
    return tab;
  });
  const numbers = tabs.find((tab) => tab.getAttribute("aria-controls") === "numbers");

  find("tabs").append(numbers, ...tabs.filter((tab) => tab !== numbers));
  numbers.click();
}

function wireKeys() {
  document.addEventListener("keydown", (event) => {
    const isField = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];

    if ((event.ctrlKey || event.metaKey) && event.key === "z" && event.target.type !== "text") {
      find("undo").click();
      event.preventDefault();
    } else if (event.ctrlKey || event.metaKey || event.altKey || isField) {
      return;
    } else if (event.key === " " && event.target.tagName !== "BUTTON") {
      play(!state.playing);
      event.preventDefault();
    } else if (by !== undefined) {
      play(false);
      seek(state.time + by * timeStep() * (event.shiftKey ? 10 : 1), true);
    } else if (event.key === "Home") {
      seek(0, true);
    }
  });
}

function wireActions() {
  find("undo").addEventListener("click", () => {
    if (state.past.length > 0) {
      network.changes = JSON.parse(state.past.pop());
      state.ghost = state.run;
      showJoins();
      compute();
    }
  });
  find("reset").addEventListener("click", () => {
    remember();
    network.changes = {};
    showJoins();
    compute();
  });
  find("scheme").addEventListener("change", () => change("scheme", find("scheme").value));
  find("other").value = state.other;
  find("other").addEventListener("change", () => {
    state.other = find("other").value;
    compute();
  });
  find("compare").checked = state.compares;
  find("compare").addEventListener("change", () => {
    state.compares = find("compare").checked;
    showCompared();
    compute();
  });
  find("forces").addEventListener("change", () => {
    state.forces = find("forces").checked;
    drawNow();
    listen();
  });
  find("save-network").hidden = data.text === "";
  find("save-network").addEventListener("click", () =>
    save(network.savedName(), new Blob([network.fileText()], { type: "text/plain" })));
  find("copy").addEventListener("click", () => copy(network.command(), "The command is copied"));
  find("link").addEventListener("click", () => {
    copy(addressOf(addressParts()), "The link is copied: it holds all that differs from the file");
  });
  find("save-rows").addEventListener("click", saveRows);
  find("save-picture").addEventListener("click", () =>
    find("scene").toBlob((blob) => save(`${data.file.replace(/\.ini$/, "")}.png`, blob)));
}

function showCompared() {
  document.querySelector(".lane.other").hidden = !state.compares;
  find("stage").classList.toggle("two", state.compares);
}

/** A run takes ten to twenty seconds of the watch, and begins to be seen in detail. */
function chooseSpeed() {
  const wanted = 15 / (duration() || 1);
  const speeds = [...find("speed").options].map((option) => Number(option.value));

  state.slower = speeds.reduce((best, speed) =>
    (Math.abs(Math.log(speed / wanted)) < Math.abs(Math.log(best / wanted)) ? speed : best));
  find("speed").value = String(state.slower);
}

function standStill(why) {
  document.documentElement.classList.add("still");
  document.querySelectorAll("button, select, input").forEach((control) => {
    control.disabled = true;
  });
  note(why);
  document.documentElement.dataset.ready = "still";
}

/** After the first run: what to see, and how fast. */
function lookFirst(time) {
  if (state.run === null) {
    return;
  }
  const rows = 400 * timeOf(state.run, Math.min(1, state.run.n - 1));

  lookAtWhatMoves();
  state.span = Math.max(duration() / 8, Math.min(duration(), rows));
  chooseSignal();
  chooseSpeed();
  state.time = Math.min(duration(), time);
  drawAll();
  listen();
}

async function begin() {
  const wrong = openAddress();

  readColours();
  makeNumbers();
  controls.forEach((show) => show());
  showCommand();
  showCompared();
  if (find("core").textContent.trim() === "") {
    standStill("This page was made without the engine, by an ifbam that was built without clang and " +
      "lld: it stands still.");
    return;
  }
  try {
    const module = await unpackCore(find("core").textContent);

    core = new Core(module);
    accountant = new Core(module);
    listener = new Core(module);
  } catch (error) {
    standStill("This browser runs no WebAssembly, or can't unpack it: the page stands still. The " +
      "command below gives its numbers.");
    return;
  }
  wireTime();
  wireSignals();
  const t = state.time;

  state.span = Infinity;
  chooseSignal();
  state.time = 0;
  await compute();
  lookFirst(t);
  makeHandles();
  wireTabs();
  wireDrag();
  wireStructure();
  wireActions();
  wireKeys();
  if (wrong !== "") {
    note(wrong);
  }
  new ResizeObserver(drawAll).observe(document.querySelector("main"));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawAll);
  window.lab = { state, network, change, seek, play, stage, place: (name) => stage.places.get(name),
    at: (point) => stage.at(point) };
  document.documentElement.dataset.ready = String(Math.round(performance.now()));
}

begin();
