/* parameter-rows.js: sliders and fields for numbers
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

/** Maps to [0, 1] and back: logarithmic around the file's value, or linear if it may be 0. */
function scaleOf(number) {
  const own = number.value;

  if (own > 0 && number.minimum !== null && number.minimum >= 0) {
    return { to: (value) => (Math.log10(value / own) + 1) / 2,
             from: (part) => Number((own * Math.pow(10, 2 * part - 1)).toPrecision(3)) };
  }
  const reach = 2 * Math.abs(own) || likelyReach(number.key);
  const low = Math.max(number.minimum === null ? -Infinity : number.minimum, own - reach);

  return { to: (value) => (value - low) / (own + reach - low),
           from: (part) => Number((low + part * (own + reach - low)).toPrecision(3)) };
}

/** Returns the largest value of a key. */
function likelyReach(key) {
  let most = 0;

  network.numbers.forEach((number) => {
    if (number.key === key && number.value !== null) {
      most = Math.max(most, Math.abs(number.value));
    }
  });
  return most || 1;
}

const refused = new Map(); /* name -> the reason that is shown below its field */

/** Shows the reason below the field of a refused value, which changes nothing; its text stays in the field. */
function refuse(name, why, value) {
  const field = find(`field-${name}`);

  if (field === null) {
    note(why);
    return;
  }
  accept(name);
  const reason = document.createElement("small");

  reason.textContent = why.split("\n")[0].replace(/^(\[[^\]]*\] )?(\S+: )?/, "");
  reason.className = "fault";
  reason.id = `fault-${name}`;
  reason.setAttribute("role", "alert");
  if (value !== undefined && root.activeElement !== field) {
    field.value = showNumber(value, network.numbers.get(name).unit);
  }
  field.setAttribute("aria-invalid", "true");
  field.setAttribute("aria-describedby", reason.id);
  field.parentElement.append(reason);
  refused.set(name, reason);
}

/** Removes the reason of a refused value; its field shows the valid number. */
function accept(name) {
  const field = find(`field-${name}`);

  if (refused.has(name)) {
    refused.get(name).remove();
    refused.delete(name);
    field.setAttribute("aria-invalid", "false");
    field.removeAttribute("aria-describedby");
    field.value = showNumber(network.value(name), network.numbers.get(name).unit);
  }
}

function makeField(name, number) {
  const field = document.createElement("input");

  field.type = "text";
  field.setAttribute("aria-label", `${name}, ${number.meaning}`);
  field.title = number.meaning;
  field.addEventListener("change", () => {
    const value = core.number(field.value, number.unit, number.key === "parameters" ? "value" : number.key);

    if (typeof value === "number") {
      change(name, value);
    } else {
      refuse(name, value);
    }
  });
  field.addEventListener("focus", () => {
    if (!refused.has(name)) {
      field.value = showNumber(network.value(name), number.unit);
    }
  });
  field.addEventListener("blur", () => controls.get(name)());
  field.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      accept(name);
      field.blur();
    }
  });
  return field;
}

function makeSlider(name, number) {
  const slider = document.createElement("input");
  const scale = scaleOf(number);

  slider.type = "range";
  Object.assign(slider, { min: "0", max: "1", step: "0.005" });
  slider.setAttribute("aria-label", `${name}, ${number.meaning}`);
  slider.addEventListener("input", () => {
    /* A drag counts as one change. */
    const value = Math.abs(Number(slider.value) - scale.to(number.value)) < 0.003 ? number.value
      : scale.from(Number(slider.value));

    if (change(name, value, slider.dataset.held !== "yes")) {
      slider.dataset.held = "yes";
    }
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

/** key: shown with the label if no heading contains it. */
function makeRow(name, label, number, hasSlider, key = "") {
  const row = document.createElement("p");
  const title = document.createElement("label");
  const field = makeField(name, number);
  const slider = hasSlider ? makeSlider(name, number) : null;

  row.className = "row";
  row.dataset.name = name;
  field.id = `field-${name}`;
  title.htmlFor = field.id;
  title.textContent = label;
  if (key !== "") {
    const more = document.createElement("small");

    more.textContent = ` ${key}`;
    title.append(more);
  }
  title.title = `${name}: ${number.meaning}`;
  row.append(title, ...(slider === null ? [] : [slider]), field);
  controls.set(name, () => {
    row.classList.toggle("changed", name in network.changes);
    if (root.activeElement !== field && !refused.has(name)) {
      field.value = showNumber(network.value(name), number.unit, 6);
    }
    if (slider !== null) {
      slider.show();
    }
  });
  return row;
}

/** Makes rows: sliders for numbers given in the file, by their keys; fields for the others. */
function makeNumbers() {
  const groups = new Map();
  const others = [];

  network.numbers.forEach((number, name) => {
    if (number.value === null || !number.said) {
      if (number.value !== null && others.length < 10 * MOST_ROWS) {
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
    if (rows.length > 1) {
      const title = document.createElement("h3");

      title.textContent = key;
      find("sliders").append(title);
    }
    for (const [name, number] of rows) {
      const label = name === "step" ? "\u03c4"
        : `${number.element.name}${number.part === undefined ? "" : ` [${number.part}]`}`;

      find("sliders").append(makeRow(name, label, number, n++ < MOST_ROWS,
                                     rows.length > 1 ? "" : key));
    }
  }
  find("others").hidden = others.length === 0;
  find("fields").append(...others);
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
