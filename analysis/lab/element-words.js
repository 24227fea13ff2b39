/* element-words.js: messages of elements in a cycle, from the core; ends of links
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

const MOST_SPEAKING = 60;
const FAR = 2000; /* steps per call */

const ROPE_POINTS = 49; /* of a rope's drawing */

let listener = null;

/** TRUE if there are ropes, whose shapes the engine computes. */
function hasRopes() {
  return data.plane.links.some((link) => link.class === "rope");
}

/** Returns the signals of the messages: forces of links and sources, then coordinates and rates of nodes. */
function listenedSignals(lane) {
  const off = network.joins();
  const speakers = data.speakers.filter((one) => off.get(one.name) !== null);
  const nodes = data.nodes.length <= MOST_SPEAKING ? data.nodes.filter((node) => node.free) : [];

  lane.speakers = speakers;
  lane.nodes = nodes;
  return [...speakers.map((one) => one.signal),
          ...nodes.flatMap((node) => [signalName(node, false), signalName(node, true)])];
}

function stepOf(lane) {
  return timeOf(lane.run, Math.min(1, lane.run.n - 1)) / (lane.run.stride * lane.run.thin) || network.value("step");
}

/** Gets the messages at this instant, after the core has computed the steps up to it. */
async function listen() {
  const turn = listener.take();

  for (const lane of state.lanes) {
    const cycle = Math.round(Math.min(state.time, duration()) / stepOf(lane));

    if (lane.heard === undefined) {
      const names = listenedSignals(lane);
      const heard = names.length === 0 ? "nobody speaks" : listener.open(lane.text, names.join(","));

      lane.heard = typeof heard === "string" ? 0 : heard;
      lane.told = names.length;
      if (lane.heard !== 0) {
        lane.shapeOf = (name, row) => listener.shape(lane.heard, name, row, ROPE_POINTS);
      }
      listening.push(lane);
      forgetOthers();
    }
    if (lane.heard === 0) {
      continue;
    }
    /* With events the first cycle has no messages. */
    const wanted = Math.max(cycle, data.latency.includes(lane.name) && lane.run.events.length > 0 ? 1 : 0);
    let values = null;
    let at = lane.at !== undefined && lane.at <= wanted ? lane.at : 0;

    const fine = await listener.slices(turn, () => {
      at = Math.min(wanted, at + FAR);
      values = listener.cycle(lane.heard, at, lane.told);
      lane.at = at;
      return at < wanted;
    });

    if (!fine) {
      return;
    }
    Object.assign(lane, { said: { cycle: wanted, values,
                                  forces: new Map(lane.speakers.map((one, i) => [one.name, values[i]])) } });
  }
  if (state.forces || hasRopes()) {
    stage.draw(state.time, seenLanes());
  }
  if (!state.playing) {
    showWords();
  }
  count("heard");
}

/** Gets messages when nothing is being moved, as this runs the network again. */
function listenSoon() {
  clearTimeout(listenTimer);
  listenTimer = setTimeout(listen, state.forces || hasRopes() ? 0 : 100);
}

let listening = []; /* lanes with a core of their own */

function forgetOthers() {
  listening = listening.filter((lane) => {
    if (!state.lanes.includes(lane) && lane.heard) {
      listener.e.ifbam_core_free(lane.heard);
    }
    return state.lanes.includes(lane);
  });
}

function andAll(names) {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names[names.length - 1]}`;
}

/** Returns a sentence as in `ifbam dialogue`. */
function sentenceOf(speaker, force) {
  if (isNaN(force)) {
    return "nothing that is told here";
  }
  return force === 0 ? "I do not act." : `I act with the ${speaker.effort} F = ${showNumber(force, speaker.unit, 4)}.`;
}

function addSentence(list, name, to, said) {
  const [line, who] = [document.createElement("li"), document.createElement("b")];

  who.textContent = name;
  line.append(who, ` ${to === "" ? "" : `to ${to}: `}\u201c${said}\u201d`);
  list.push(line);
}

function showWords() {
  const lane = state.lanes[state.lanes.length - 1];
  const lines = [];

  find("who").textContent = network.scheme();
  if (lane === undefined || lane.said === undefined) {
    find("which").textContent = "These are too many to be heard.";
    find("sentences").replaceChildren();
    return;
  }
  const { values, cycle } = lane.said;
  const off = lane.speakers.length;
  const isLatent = data.latency.includes(lane.name);

  find("which").textContent = `Step ${cycle}, t = ${showShort(cycle * stepOf(lane), 6)} s; ` +
    (isLatent ? "rates half a step before" : "forces as they are here") +
    (isLatent && cycle === 0 ? "; courses and rows have the mean of the halves before and after" : "");
  lane.speakers.forEach((one, i) => {
    const most = Math.max(0, ...lane.speakers.map(({ unit }, k) => (unit === one.unit && Math.abs(values[k])) || 0));

    addSentence(lines, one.name, andAll(one.ends),
                sentenceOf(one, isNaN(values[i]) ? NaN : withoutRounding(values[i], most)));
  });
  lane.nodes.forEach((node, i) => {
    const column = 1 + data.nodes.indexOf(node);
    const [x, v] = [0, 1].map((k) => withoutRounding(values[off + 2 * i + k], Math.max(
      ...rangeOf(lane.run, column + k * data.nodes.length).map(Math.abs))));

    const key = rateKeyOf(node).join(".");
    const own = network.has(key) ? network.value(key) : NaN;

    addSentence(lines, node.name, "", cycle === 0 && isLatent && isFinite(own)
      ? `I start at ${showNumber(x, node.unit, 4)}, with ${showNumber(own, node.rateUnit, 4)}. ` +
        `My ${node.rate} half a step ago was ${showNumber(v, node.rateUnit, 4)}.`
      : cycle === 0 ? `I start at ${showNumber(x, node.unit, 4)}, with ${showNumber(v, node.rateUnit, 4)}.`
      : `I have shifted myself to ${showNumber(x, node.unit, 4)}; ` +
        `my ${node.rate} is ${showNumber(v, node.rateUnit, 4)}.`);
  });
  find("sentences").replaceChildren(...lines);
}

/* ---- structure */

function choose(name) {
  stage.chosen = network.canJoin(name) ? name : "";
  showJoins();
  drawNow();
}

function showJoins() {
  const name = stage.chosen;

  find("chosen").value = name;
  find("joins").hidden = name === "";
  if (name === "") {
    return;
  }
  const ends = network.ends(name);
  const places = network.places(name);

  find("joined").textContent = name;
  find("take-off").textContent = ends === "off" ? `Put ${name} back` : "Take off";
  [0, 1].forEach((end) => {
    const field = find(`end-${end}`);

    field.replaceChildren(...places.map((place) => new Option(place, place)));
    field.value = (ends === "off" ? network.ends(name, true) : ends).split(",")[end];
    field.disabled = ends === "off";
  });
}

function join(name, ends) {
  const isFine = attempt(() => network.set(`${name}.between`, ends));

  showJoins();
  if (isFine) {
    tell(ends === "off" ? `${name} is off` : `${name} joins ${andAll(ends.split(","))}`);
  }
}

function wireStructure() {
  const links = data.elements.filter((element) => network.canJoin(element.name));

  find("structure").hidden = links.length === 0;
  links.forEach((link) => find("chosen").add(new Option(link.name, link.name)));
  find("chosen").addEventListener("change", () => choose(find("chosen").value));
  [0, 1].forEach((end) => find(`end-${end}`).addEventListener("change", () => {
    join(stage.chosen, [0, 1].map((other) => find(`end-${other}`).value).join(","));
  }));
  find("take-off").addEventListener("click", () => join(stage.chosen, network.ends(stage.chosen) === "off"
    ? network.ends(stage.chosen, true) : "off"));
  find("cycle").addEventListener("click", () => {
    const lane = state.lanes[state.lanes.length - 1];

    if (lane === undefined) {
      return;
    }
    play(false);
    seek((Math.round(state.time / stepOf(lane)) + 1) * stepOf(lane));
  });
}

/* ---- handles: a mass on a line is a slider for the keyboard */

let handles = [];

function makeHandles() {
  const names = [...stage.places.keys()].filter((name) =>
    stage.places.get(name).keys.some((key) => network.has(`${name}.${key}`)));

  handles = data.restsFirst ? [] : names.slice(0, MOST_HANDLES).map((name) => makeHandle(name));
  find("handles").replaceChildren(...handles.map((handle) => handle.node));
  placeHandles();
}

function makeHandle(name) {
  const node = document.createElement("div");
  const keys = stage.places.get(name).keys.filter((key) => network.has(`${name}.${key}`));
  const number = network.numbers.get(`${name}.${keys[0]}`);
  const show = () => {
    const value = network.value(`${name}.${keys[0]}`);

    node.setAttribute("aria-valuenow", String(value));
    node.setAttribute("aria-valuetext",
                      keys.map((key) => showNumber(network.value(`${name}.${key}`), number.unit, 6)).join(", "));
  };

  node.tabIndex = 0;
  node.setAttribute("role", "slider");
  node.setAttribute("aria-label", `Start of ${name}`);
  node.addEventListener("keydown", (event) => {
    const step = 0.02 * scaleReach(name, keys[0]) * (/^Page/.test(event.key) || event.shiftKey ? 10 : 1);
    const by = { ArrowRight: [0, 1], ArrowLeft: [0, -1],
                 ArrowUp: [keys.length - 1, 1], ArrowDown: [keys.length - 1, -1],
                 PageUp: [0, 1], PageDown: [0, -1] }[event.key];

    if (by === undefined && event.key !== "Home") {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
    play(false);
    state.time = 0;
    const key = `${name}.${keys[by === undefined ? 0 : by[0]]}`;

    change(key, by === undefined ? network.numbers.get(key).value
      : Number((network.value(key) + by[1] * step).toPrecision(3)));
    tell(`${name} starts at ${showNumber(network.value(key), number.unit, 4)}`);
  });
  controls.set(`${name} handle`, show);
  show();
  return { name, node };
}

/** Returns a typical size of a start value. */
function scaleReach(name, key) {
  return Math.abs(network.numbers.get(`${name}.${key}`).value) || likelyReach(key);
}

/** Places the handles at the ends of the chosen link. */
function placeEnds() {
  const link = stage.links.get(stage.chosen);

  [0, 1].forEach((end) => {
    const node = find(`grip-${end}`);
    const pulled = stage.pulled && stage.pulled.end === end ? stage.pulled : null;

    node.hidden = link === undefined;
    if (link !== undefined) {
      const [x, y] = pulled ? pulled.at : link.ends[end];

      node.style.transform = `translate(${x}px, ${y}px)`;
      node.classList.toggle("on", pulled !== null && pulled.on !== null);
    }
  });
}

function placeHandles() {
  placeEnds();
  for (const { name, node } of handles) {
    const place = stage.places.get(name);

    node.hidden = place === undefined;
    if (place !== undefined) {
      const r = Math.max(13, place.r); /* for fingers */

      node.style.transform = `translate(${place.x - r}px, ${place.y - r}px)`;
      node.style.width = node.style.height = `${2 * r}px`;
    }
  }
}
