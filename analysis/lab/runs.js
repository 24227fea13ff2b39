/* runs.js: runs after changes, and their verdicts
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

const PATIENCE = 400; /* time until the progress is shown [ms] */

function spareFor() {
  return spares.pop() || null;
}

/** Releases runs that are no longer used. */
function drop(runs) {
  spares = [...spares, ...runs.filter((run) => run && run.data).map((run) => run.data)].slice(-3);
}

function sum(row) {
  return row[0] + row[1];
}

/** Compares the halves of a list of values: displacement of the middle of their range, and half of the sum of both
 * ranges. The trend of oscillations is small relative to their swing; that of growing or decaying values is not. */
function trendOf(values) {
  const half = Math.ceil(values.length / 2);
  const [[a, b], [c, d]] = [values.slice(0, half), values.slice(half - 1)].map((part) =>
    [Math.min(...part), Math.max(...part)]);

  return { trend: (c + d - a - b) / 2, swing: (b - a + d - c) / 2 };
}

/** Returns the error of the balance relative to the largest energy; swings: the same if it oscillates. */
function restOf({ whole }) {
  const size = Math.max(...whole.map((row) => Math.max(...row.slice(0, 4).map(Math.abs))));
  const rests = whole.map((row) => sum(row) + row[2] - row[3] - (sum(whole[0]) + whole[0][2] - whole[0][3]));
  const { trend, swing } = trendOf(rests);
  const rest = rests[rests.length - 1];

  return { rest, part: size > 0 ? rest / size : 0,
           swings: size > 0 && Math.abs(trend) < 0.5 * swing ? swing / size : 0 };
}

/** Returns "holds", "grows", "decays", "diverges"; sets run.grows, on which pictures' ranges depend. */
function judge(run) {
  const { energies, whole } = run.account;
  const [start, end] = [sum(energies[0]), sum(energies[energies.length - 1])];
  const { trend, swing } = trendOf(energies.map(sum));
  const after = `after ${showShort(timeOf(run, run.n - 1))} s`;

  run.grows = run.diverged !== undefined;
  if (run.diverged !== undefined) {
    return `diverges at ${showShort(run.diverged, 3)} s`;
  }
  if (run.isStopped) {
    return `stopped at ${showShort(timeOf(run, run.n - 1), 4)} s`;
  }
  if (run.ended !== "") {
    const told = /t = ([-\d.e]+) s/.exec(run.ended); /* later than the last row */

    return `ends at ${showShort(told === null ? timeOf(run, run.n - 1) : Number(told[1]), 4)} s`;
  }
  if (data.hasAccount) {
    if (whole === null || whole.length === 0) {
      return "its account is added up";
    }
    const { rest, part, swings } = restOf(run.account);

    return swings > 0.02 ? `holds: its account swings by ${showShort(100 * swings, 2)} %`
      : Math.abs(part) < 1e-6 ? "holds: its account closes"
      : Math.abs(part) < 0.02 ? `holds: its account closes to ${showShort(100 * Math.abs(part), 1)} %`
      : rest > 0 ? `grows: ${showNumber(rest, "J", 3)} out of nothing ${after}`
        : `loses ${showNumber(-rest, "J", 3)} to its scheme ${after}`;
  }
  const moving = energies.reduce((most, row) => Math.max(most, row[0]), 0);

  if (moving === 0) {
    return "at rest";
  }
  const size = Math.max(moving, Math.abs(start));

  if (Math.abs(trend) < Math.max(0.01 * size, 0.5 * swing)) {
    return swing < 0.02 * size ? `holds: energy the same ${after}`
      : `holds: energy swings by \u00b1 ${showShort(100 * swing / size, 2)} %`;
  }
  run.grows = start > 0 && end > 1.5 * start;
  return `${trend > 0 ? "grows" : "decays"}: energy ` +
    (start > 0 ? `\u00d7 ${showShort(end / start, 3)} ${after}` : `by ${showNumber(end - start, "J", 3)} ${after}`);
}

function sayEnergies(run, time) {
  const row = energiesAt(run, time);
  const lowest = lowestOf(run);
  const size = Math.max(...row.map(Math.abs));
  const words = ["moving\u00a0\u25a0", "stored\u00a0\u2592", "lost\u00a0\u254c\u254c", "fed\u00a0\u2508\u2508"];

  /* Rounding errors are shown as 0. */
  return row.map((value, i) => (i === 1 ? value - lowest : value))
    .map((value, i) => `${showNumber(Math.abs(value) > 1e-12 * size ? value : 0, "J", 3)} ${words[i]}` +
      (i === 1 && lowest < 0 ? " over the least" : "")).join(", ");
}

function showVerdicts() {
  for (const [i, lane] of state.lanes.entries()) {
    const place = find(i + 1 < state.lanes.length ? "verdict-other" : "verdict");

    lane.verdict = judge(lane.run);
    place.textContent = lane.verdict;
    place.classList.toggle("loud", /^(grows|diverges|ends)/.test(lane.verdict));
  }
}

/** Computes dissipated and supplied energy when nothing is being moved. */
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
    count("accounts");
  }, 150);
}

function openRun(text) {
  return network.value("step") > 0 ? core.openRun(text, data.nodes.length, data.mostSteps, state.force)
    : "step: must be above 0";
}

/** Runs all again from the start; with another scheme, too, for a comparison. opened: from openRun(). */
async function compute(opened = openRun(network.text())) {
  const turn = core.take();
  const text = network.text();
  const begun = performance.now();
  /* Slow runs show their progress. */
  const tellHow = (place) => (part) => {
    if (performance.now() - begun > PATIENCE) {
      find(place).textContent = `it runs: ${Math.floor(100 * part)} %`;
      find("stop").hidden = false;
    }
  };

  showChanges();
  if (typeof opened === "string") {
    note(opened);
    return;
  }
  const { force } = state;
  const run = await core.run(opened, { text, force }, turn, !data.hasAccount, spareFor(), tellHow("verdict"));
  let other = null;

  if (run === null) {
    return;
  }
  const otherText = network.text(state.other);

  if (state.compares && !run.isStopped) {
    const second = openRun(otherText);

    other = typeof second === "string" ? { faults: second }
      : await core.run(second, { text: otherText, force }, turn, !data.hasAccount, spareFor(),
                       tellHow("verdict-other"));
    if (other === null) {
      return;
    }
  }
  find("stop").hidden = true;
  take(run, text, other, otherText);
}

/** Updates controls, command and link. */
function showChanges() {
  showCommand();
  find("reset").disabled = !network.isChanged();
  find("undo").disabled = state.past.length === 0;
  find("redo").disabled = state.future.length === 0;
  controls.forEach((show) => show());
  keepAddress();
}

function take(run, text, other, otherText) {
  const before = state.lanes.map((lane) => lane.run);
  const isFirst = state.run === null;

  note(run.ended || state.wrong);
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
  lookAtAll();
  stage.joined = network.joins();
  state.time = Math.min(state.time, duration());
  find("scrub").max = String(duration());
  showEvents(run);
  if (isFirst) {
    lookFirst();
  }
  drawAll();
  listenSoon();
  findAccounts();
  count("runs");
}

/** Sets the runs that determine the scale: the own run, or all in full views. */
function lookAtAll() {
  if (state.run !== null) {
    const isWhole = state.axis === "all" || state.axis === "log";

    stage.look(state.run, isWhole ? state.lanes.map((lane) => lane.run) : [state.run], isWhole);
  }
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

/** Stores a state for undo; its run stays as a ghost. */
function remember(changes = network.changes) {
  const was = JSON.stringify(changes);

  if (state.past[state.past.length - 1] !== was) {
    state.past.push(was);
    state.future = [];
  }
  if (state.ghost !== null && state.ghost !== state.run) {
    drop([state.ghost]);
  }
  state.ghost = state.run;
}

/** Changes numbers by act() and runs; false: refused, so they stay, and `name` shows the reason. isNew: it can be
 * undone. */
function attempt(act, name = "", isNew = true) {
  const before = network.changes;

  network.changes = Object.assign({}, before);
  act();
  const opened = openRun(network.text());

  if (typeof opened === "string") {
    const value = network.changes[name];

    network.changes = before;
    controls.forEach((show) => show());
    refuse(name, opened, value);
    return false;
  }
  if (isNew) {
    remember(before);
  }
  state.wrong = "";
  accept(name);
  compute(opened);
  return true;
}

function change(name, value, isNew = true) {
  return attempt(() => network.set(name, value), name, isNew);
}
