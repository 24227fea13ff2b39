/* controls.js: buttons, tabs and keys
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

function save(name, blob) {
  const link = document.createElement("a");

  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

function saveRows() {
  const run = state.run || { n: 0 };
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
  find("stop").addEventListener("click", () => {
    core.isStopped = true;
  });
}

function wireSignals() {
  const choice = find("signal");

  data.nodes.forEach((node, i) => {
    choice.add(new Option(signalName(node, false), `${i} 0`));
    choice.add(new Option(signalName(node, true), `${i} 1`));
  });
  data.speakers.forEach((one) => choice.add(new Option(`${one.name}.${one.effort}`, one.signal)));
  find("view").value = state.axis;
  choice.addEventListener("change", () => {
    const [node, isRate] = choice.value.split(" ").map(Number);
    const isForce = isRate === undefined;

    Object.assign(state, isForce ? { force: choice.value } : { force: "", node, isRate: isRate === 1 });
    chooseSignal();
    drawAll();
    keepAddress();
    if (isForce) {
      compute(); /* again, with this force in each row */
    }
  });
  find("view").addEventListener("change", () => {
    chooseView(find("view").value);
    keepAddress();
  });
}

/** Chooses the scale of the course: "course" (initial), "all", "log", or "phase". */
function chooseView(view) {
  find("view").value = view;
  state.axis = view;
  chooseSignal();
  lookAtAll();
  drawAll();
}

/** Shows one of a list of panels; its id is stored in the page's data. */
function wireTabList(list, panels, key) {
  const tabs = panels.map((panel) => {
    const tab = document.createElement("button");

    tab.setAttribute("role", "tab");
    tab.setAttribute("aria-controls", panel.id);
    tab.textContent = panel.dataset.name;
    tab.addEventListener("click", () => {
      page.dataset[key] = panel.id;
      tabs.forEach((other) => {
        other.setAttribute("aria-selected", String(other === tab));
        other.tabIndex = other === tab ? 0 : -1;
      });
      redraw();
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

  list.append(...tabs);
  list.hidden = tabs.length < 2;
  tabs[0].click();
}

/** On a phone one panel at a time; otherwise one of those beside the numbers. */
function wireTabs() {
  const [numbers, text] = [find("numbers"), find("text")];
  const words = [...root.querySelectorAll("#side .panel")].filter((panel) => panel !== numbers && panel !== text);
  const beside = text === null ? words : [text, ...words];

  wireTabList(find("tabs"), [numbers, ...root.querySelectorAll("#charts .panel"), ...beside], "tab");
  wireTabList(find("beside"), beside, "beside");
}

function wireKeys() {
  root.addEventListener("keydown", (event) => {
    const isField = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];

    const isCommand = (event.ctrlKey || event.metaKey) && event.target.type !== "text";

    if (isCommand && /^[zy]$/i.test(event.key)) {
      find(event.key === "z" ? "undo" : "redo").click();
      event.preventDefault();
    } else if (event.ctrlKey || event.metaKey || event.altKey || isField || find("keys").open) {
      return;
    } else if (event.key === "?") {
      find("keys").showModal();
    } else if (event.key === "Delete" && stage.chosen !== "") {
      find("take-off").click();
    } else if (event.key === " " && event.target.tagName !== "BUTTON") {
      play(!state.playing);
      event.preventDefault();
    } else if (by !== undefined) {
      play(false);
      seek(state.time + by * timeStep() * (event.shiftKey ? 10 : 1), true);
    } else if (event.key === ".") {
      find("cycle").click();
    } else if (event.key === "Home") {
      seek(0, true);
    }
  });
}

/** Goes to the last state in `from` and stores the current one in `to`: undo or redo. */
function goTo(from, to) {
  if (from.length > 0) {
    to.push(JSON.stringify(network.changes));
    network.changes = JSON.parse(from.pop());
    [...refused.keys()].forEach(accept);
    state.wrong = "";
    state.ghost = state.run;
    showJoins();
    compute();
  }
}

function wireActions() {
  find("undo").addEventListener("click", () => goTo(state.past, state.future));
  find("redo").addEventListener("click", () => goTo(state.future, state.past));
  find("reset").addEventListener("click", () => {
    remember();
    network.changes = {};
    [...refused.keys()].forEach(accept);
    state.wrong = "";
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
  find("help").addEventListener("click", () => find("keys").showModal());
  find("close-keys").addEventListener("click", () => find("keys").close());
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
  root.querySelector(".lane.other").hidden = !state.compares;
  find("stage").classList.toggle("two", state.compares);
}

/** Chooses the speed for a run of ten to twenty seconds of real time. */
function chooseSpeed() {
  const wanted = 15 / (duration() || 1);
  const speeds = [...find("speed").options].map((option) => Number(option.value));

  state.slower = speeds.reduce((best, speed) =>
    (Math.abs(Math.log(speed / wanted)) < Math.abs(Math.log(best / wanted)) ? speed : best));
  find("speed").value = String(state.slower);
}
