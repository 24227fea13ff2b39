/* address.js: differences from the file as text in the page's address
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

function addressParts() {
  const parts = Object.keys(network.changes).map((name) => `${name}=${network.changes[name]}`);

  if (state.time > 0 && !state.playing) {
    parts.push(`t=${Number(state.time.toPrecision(6))}`);
  }
  if (state.compares !== comparesFirst() || (state.compares && state.other !== otherFirst())) {
    parts.push(`compare=${state.compares ? state.other : "no"}`);
  }
  if (page.classList.contains("embed")) {
    parts.push("embed");
  }
  if (state.axis !== "course") {
    parts.push(`view=${state.axis}`);
  }
  if (state.see !== null && state.see.name !== state.firstSeen) {
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
      /* Pages in frames may not be allowed to. */
    }
  }, 200);
}

function firstNode() {
  return Math.max(0, data.nodes.findIndex((node) => node.free));
}

/** Returns how often a column changes between the upper and the lower quarter of its range. */
function swingsOf(run, c) {
  const [low, high] = rangeOf(run, c);
  const [all, apart, first] = columnOf(run, c);
  const every = Math.max(1, Math.floor(run.n / 4000));
  let [side, n] = [0, 0];

  for (let r = 0; r < run.n; r += every) {
    const part = (all[r * apart + first] - low) / (high - low);
    const now = part > 0.75 ? 1 : part < 0.25 ? -1 : side;

    n += now !== side && side !== 0 ? 1 : 0;
    side = now;
  }
  return n;
}

/** Without a signal in the link: chooses the first that oscillates, else the first that moves. */
function lookAtWhatMoves() {
  const sizeOfMotion = (i) => {
    const [low, high] = rangeOf(state.run, 1 + i);

    return data.nodes[i].free ? high - low : 0;
  };
  const least = 1e-9 * data.nodes.reduce((most, node, i) => Math.max(most, sizeOfMotion(i)), 0);
  const moves = (i) => sizeOfMotion(i) > least;

  if (!state.isSignalSaid) {
    const nodes = data.nodes.map((node, i) => i).filter((i) => moves(i)).slice(0, MOST_HANDLES);
    const all = [false, true].flatMap((isOther) => nodes.map((i) => [i, isToldByRate(i) !== isOther]));
    const [node, isRate] = all.find(([i, rate]) => swingsOf(state.run, 1 + i + (rate ? data.nodes.length : 0)) > 2) ||
      all[0] || [state.node, state.isRate];

    Object.assign(state, { node, isRate });
  }
}

/** TRUE if a comparison is shown at first: the paper's scheme "averaged" beside "original". */
function comparesFirst() {
  return network.scheme() === "averaged" && !stage.hasPlane && !stage.isLong && !data.hasAccount;
}

function otherFirst() {
  return network.scheme() === "averaged" ? "original" : network.scheme() === "rk4" ? "verlet" : "rk4";
}

/** TRUE if the rate is shown by default: voltages of circuits, flows of hydraulics. */
function isToldByRate(i) {
  return ["electricity", "hydraulics"].includes(data.nodes[i].domain);
}

/** TRUE for an anchor of the report, as opposed to settings. */
function isPlace(text) {
  return host !== null && (text === "" || document.getElementById(text) !== null);
}

/** Returns the decoded text after the "#", or the text itself if it can't be decoded. */
function addressWords() {
  const words = location.hash.slice(1);

  try {
    return decodeURI(words);
  } catch (error) {
    return words;
  }
}

/** Removes changes that the core refuses, one by one; returns their parts of a link with reasons. */
function sift() {
  const { changes } = network;
  const opened = openRun(network.text());

  if (typeof opened !== "string") {
    core.e.ifbam_core_free(opened);
    return [];
  }
  network.changes = {};
  return Object.keys(changes).map((name) => {
    const before = network.changes;

    network.changes = Object.assign({}, before, { [name]: changes[name] });
    const one = openRun(network.text());

    if (typeof one === "string") {
      network.changes = before;
      return `${name}=${changes[name]}, which is refused: ${one.split("\n")[0]}`;
    }
    core.e.ifbam_core_free(one);
    return "";
  }).filter((part) => part !== "");
}

/** Applies an address to the values of the file; unknown parts are reported as text. */
function openAddress(words = addressWords()) {
  const wrong = [];

  network.changes = {};
  Object.assign(state, { axis: "course", force: "", isSignalSaid: false });
  state.node = firstNode();
  state.isRate = isToldByRate(state.node);
  state.compares = comparesFirst();
  state.other = otherFirst();
  for (const part of words.split("&").filter((text) => text !== "")) {
    const [name, value] = part.split("=");
    const at = data.nodes.findIndex((node) =>
      [signalName(node, false), signalName(node, true)].includes(value));

    if (name === "t" && value && isFinite(Number(value))) {
      state.time = Math.max(0, Number(value));
    } else if (name === "see" && data.speakers.some((one) => value === `${one.name}.${one.effort}`)) {
      state.force = data.speakers.find((one) => value === `${one.name}.${one.effort}`).signal;
      state.isSignalSaid = true;
    } else if (name === "see" && at >= 0) {
      state.isSignalSaid = true;
      state.node = at;
      state.isRate = value === signalName(data.nodes[at], true);
    } else if (name === "view" && ["course", "all", "log", "phase"].includes(value)) {
      state.axis = value;
    } else if (name === "scheme" && data.schemes.includes(value)) {
      network.set("scheme", value);
    } else if (name === "compare" && (value === "no" || data.schemes.includes(value))) {
      state.compares = value !== "no";
      state.other = state.compares ? value : state.other;
    } else if (part === "embed") {
      page.classList.add("embed");
      document.documentElement.classList.add("embed");
    } else if (network.mayJoin(name, value)) {
      network.set(name, value);
    } else if (network.has(name) && value !== "" && isFinite(Number(value)) && !data.restsFirst) {
      network.set(name, Number(value));
    } else if (!isPlace(part)) {
      wrong.push(part);
    }
  }
  const unknown = wrong.length === 0 ? [] : [`The link says ${wrong.join(", ")}, which this network does not have.`];
  const refusals = core === null ? [] : sift();

  state.wrong = [...unknown, ...refusals.map((part) => `The link says ${part}`)].join("\n");
}

/** Follows a change of the page's address: a link in the text, or the Back button. */
function followAddress() {
  const words = addressWords();

  if (isPlace(words)) {
    return;
  }
  play(false);
  remember();
  openAddress(words);

  find("view").value = state.axis;
  find("compare").checked = state.compares;
  find("other").value = state.other;
  showCompared();
  showJoins();
  chooseSignal();
  compute();
}
