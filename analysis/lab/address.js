/* address.js: what differs from the file, in words that a link holds
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
  const sizeOfMotion = (i) => {
    const [low, high] = rangeOf(state.run, 1 + i);

    return data.nodes[i].free ? high - low : 0;
  };
  const least = 1e-9 * data.nodes.reduce((most, node, i) => Math.max(most, sizeOfMotion(i)), 0);
  const moves = (i) => sizeOfMotion(i) > least;

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

/** A place of the report, and no words. */
function isPlace(text) {
  return host !== null && (text === "" || document.getElementById(text) !== null);
}

/** What stands behind the page's address; what is no coded text stays as it is. */
function addressWords() {
  const words = location.hash.slice(1);

  try {
    return decodeURI(words);
  } catch (error) {
    return words;
  }
}

/** Changes that the core refuses are taken back, one by one; their parts of a link, with the reasons. */
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
      return `${name}=${changes[name]} (${one.split("\n")[0]})`;
    }
    core.e.ifbam_core_free(one);
    return "";
  }).filter((part) => part !== "");
}

/** What an address says, on top of what the file says: in words what this network does not have. */
function openAddress(words = addressWords()) {
  const wrong = [];

  network.changes = {};
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
    } else if (name === "see" && at >= 0) {
      state.node = at;
      state.isRate = value === signalName(data.nodes[at], true);
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
  if (core !== null) {
    wrong.push(...sift());
  }
  state.wrong = wrong.length === 0 ? "" : `The link says ${wrong.join(", ")}, which this network does not have.`;
}

/** Somebody went to another address of the page: by a link in the text, or back. */
function followAddress() {
  const words = addressWords();

  if (isPlace(words)) {
    return;
  }
  play(false);
  remember();
  openAddress(words);

  find("signal").value = `${state.node} ${Number(state.isRate)}`;
  find("compare").checked = state.compares;
  find("other").value = state.other;
  showCompared();
  showJoins();
  chooseSignal();
  compute();
}
