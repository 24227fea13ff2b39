/* quantities.js: numbers with units, in readable form; a network's numbers and their changes
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

const PREFIXES = { 9: "G", 6: "M", 3: "k", 0: "", "-3": "m", "-6": "\u00b5", "-9": "n", "-12": "p",
                   "-15": "f", "-18": "a" };
/* Units that take a prefix at the first place without a power. */
const PREFIXED = /^(N|m|s|V|A|F|H|Hz|J|W|Pa|Wb|ohm|Ohm|\u03a9)(?![\w])/;

function showShort(number, digits = 4) {
  return String(Number(number.toPrecision(digits))).replace(/-/g, "\u2212");
}

/** Moves the decimal point of a number in its text, which is exact. */
function shifted(number, by) {
  const [digits, exponent] = String(number).toLowerCase().split("e");

  return Number(`${digits}e${Number(exponent || 0) + by}`);
}

function powerFor(size, unit) {
  if (!PREFIXED.test(unit) || size < 1e-21 || !isFinite(size)) {
    return 0;
  }
  return Math.min(9, Math.max(-18, 3 * Math.floor((Math.log10(size) + 1e-9) / 3)));
}

/** Returns a number with all its digits, "52 kN/m", or with the given number of digits. */
function showNumber(number, unit, digits = 17) {
  const power = powerFor(Math.abs(number), unit);
  const value = digits < 17 ? Number(shifted(number, -power).toPrecision(digits)) : shifted(number, -power);
  const isShort = power !== 0 || value === 0 || (Math.abs(value) < 1e5 && Math.abs(value) >= 1e-3);
  const text = isShort ? String(value) : value.toExponential().replace("e+", "e");

  return `${text.replace(/-/g, "\u2212")} ${PREFIXES[power]}${unit}`.trim();
}

/** Returns a file's lines with another value of an element's key; "off": without the element. */
function setLine(lines, owner, key, value) {
  const isHead = (line) => /^\s*\[/.test(line);
  const own = lines.findIndex((line) => isHead(line) &&
    (["network", "parameters"].includes(owner) ? new RegExp(`^\\s*\\[\\s*${owner}\\b`).test(line)
      : line.replace(/^\s*\[|\].*$/g, "").trim().split(/\s+/)[1] === owner));

  if (own < 0) {
    return lines;
  }
  const rest = lines.slice(own + 1).findIndex(isHead);
  const end = rest < 0 ? lines.length : own + 1 + rest;
  const at = lines.findIndex((line, i) =>
    i > own && i < end && line.split("=")[0].trim() === key && line.includes("="));

  if (key === "between" && value === "off") {
    return lines.map((line, i) =>
      (i >= own && i < end && line.trim() !== "" && !/^\s*#/.test(line) ? `# ${line}` : line));
  }
  if (at >= 0) {
    return lines.map((line, i) => (i === at ? `${line.slice(0, line.indexOf("=") + 1)} ${value}` : line));
  }
  let last = end - 1;

  while (last > own && (lines[last].trim() === "" || /^\s*#/.test(lines[last]))) {
    last--;
  }
  return [...lines.slice(0, last + 1), `${key} = ${value}`, ...lines.slice(last + 1)];
}

/** Returns the value of operations as lab-parameters.c writes them. */
function evaluate(words, valueOf) {
  const two = { "+": (a, b) => a + b, "-": (a, b) => a - b, "*": (a, b) => a * b, "/": (a, b) => a / b, "^": Math.pow };
  const values = [];

  for (const word of words) {
    if (word in two) {
      const b = values.pop();

      values.push(two[word](values.pop(), b));
    } else if (word === "negative") {
      values.push(-values.pop());
    } else {
      values.push(word.startsWith("$") ? valueOf(word) : word in Math ? Math[word](values.pop()) : Number(word));
    }
  }
  return values[0];
}

/** A network with its changes. */
class Network {
  constructor(data) {
    this.data = data;
    this.numbers = new Map(); /* "k1.stiffness" -> its properties */
    for (const { name, unit, value, fixed } of data.parameters) {
      this.numbers.set(`$${name}`, { key: "parameters", unit, value, minimum: value > 0 ? 0 : null, maximum: null,
                                     meaning: "a parameter of the file", said: !fixed, element: { name: `$${name}` } });
    }
    for (const element of data.elements) {
      for (const number of element.numbers) {
        this.numbers.set(this.nameOf(element, number),
                         Object.assign({ element }, number, { unit: number.unit === "1" ? "" : number.unit }));
      }
    }
    /* Ends of links in the file. */
    this.joined = new Map(data.elements.filter((element) => element.kind === "link").map((element) =>
      [element.name, new Map(element.values).get("between")]));
    this.numbers.set("step", { key: "step", unit: "s", value: data.step, minimum: 0, maximum: null,
                               meaning: "step of the scheme", said: true });
    this.changes = {};
    /* Numbers that depend on parameters: the operations. */
    this.uses = new Map(Object.entries(data.uses).map(([name, use]) => [name, use.split(" ")])
      .filter(([name, use]) => this.has(name) &&
        evaluate(use, (one) => this.numbers.get(one).value) === this.numbers.get(name).value));
  }

  /** Returns a number without a change of its own: from the file, or computed from changed parameters. */
  followed(name) {
    const use = this.uses.get(name) || [];

    return use.some((word) => word in this.changes) ? evaluate(use, (one) => this.value(one))
      : this.numbers.get(name).value;
  }

  /** Returns "k1.stiffness", or of a list "c.stiffness[2]". */
  nameOf(element, { key, part }) {
    return `${element.name}.${key}${part === undefined ? "" : `[${part}]`}`;
  }

  has(name) {
    return this.numbers.has(name);
  }

  value(name) {
    return name in this.changes ? this.changes[name]
      : this.isJoin(name) ? this.ends(this.linkOf(name)) : this.followed(name);
  }

  show(name) {
    return showNumber(this.value(name), this.numbers.get(name).unit);
  }

  scheme() {
    return this.changes.scheme || this.data.scheme;
  }

  /** Sets a number; a value equal to the file's removes the change. */
  set(name, value) {
    const own = name === "scheme" ? this.data.scheme : this.isJoin(name) ? this.ends(this.linkOf(name), true)
      : this.followed(name);

    if (value === own) {
      delete this.changes[name];
    } else {
      this.changes[name] = value;
    }
  }

  isChanged() {
    return Object.keys(this.changes).length > 0;
  }

  /** TRUE without changes, except of scheme and step. */
  isAsInFile() {
    return Object.keys(this.changes).every((name) => name === "scheme" || name === "step");
  }

  /* Ends of links */

  isJoin(name) {
    return name.endsWith(".between");
  }

  linkOf(name) {
    return name.slice(0, -".between".length);
  }

  /** Returns "m1,m2"; "off": it is removed; undefined: it has no two ends. */
  ends(link, inFile = false) {
    const name = `${link}.between`;
    const said = this.joined.get(link);

    return !inFile && name in this.changes ? this.changes[name] : said;
  }

  canJoin(link) {
    const ends = link ? this.ends(link, true) : undefined;

    return ends !== undefined && ends.split(",").length === 2 && !this.data.restsFirst;
  }

  /** TRUE if a link may join these nodes, or be off, as far as names show. */
  mayJoin(name, value) {
    const ends = (value || "").split(",");

    return this.isJoin(name) && this.canJoin(this.linkOf(name)) && (value === "off" ||
      (ends.length === 2 && ends.every((end) => this.places(this.linkOf(name)).includes(end))));
  }

  /** Returns possible ends of a link: those of other links in its domain. */
  places(link) {
    const kind = (name) => {
      const node = this.data.nodes.find((one) => one.name === name);

      return node === undefined ? "plane" : node.domain;
    };
    const own = this.ends(link, true).split(",").map(kind);
    const names = this.data.nodes.map((node) => node.name);

    for (const element of this.data.elements) {
      (this.ends(element.name, true) || "").split(",").filter((end) => end).forEach((end) => names.push(end));
    }
    return [...new Set(names)].filter((name) => own.includes(kind(name)));
  }

  /** Returns links with changed ends -> their ends; null: off. */
  joins() {
    return new Map(Object.keys(this.changes).filter((name) => this.isJoin(name)).map((name) =>
      [this.linkOf(name), this.changes[name] === "off" ? null : this.changes[name].split(",")]));
  }

  /** Returns changed lines of the file: element, old line, new line. */
  changedLines() {
    return [...this.joins()].map(([link, ends]) => [link,
      `between = ${this.ends(link, true).split(",").join(", ")}`,
      ends === null ? `(${link} is off)` : `between = ${ends.join(", ")}`]);
  }

  /** Returns the core's text. */
  text(scheme = this.scheme()) {
    const settings = this.data.settings.map(([key, value]) =>
      ` ${key}=${key === "scheme" ? scheme : key === "step" ? hexadecimal(this.value("step")) : value}`);
    const lines = [`network -${settings.join("")}`];

    for (const element of this.data.elements) {
      const values = new Map(element.values);

      for (const number of element.numbers) {
        const name = this.nameOf(element, number);

        if (this.value(name) !== number.value) {
          const parts = number.part === undefined ? [] : values.get(number.key).split(",");

          parts[(number.part || 1) - 1] = hexadecimal(this.value(name));
          values.set(number.key, parts.join(","));
        }
      }
      if (`${element.name}.between` in this.changes) {
        values.set("between", this.ends(element.name));
      }
      if (values.get("between") !== "off") {
        lines.push(`${element.class} ${element.name}` + [...values].map(([k, v]) => ` ${k}=${v}`).join(""));
      }
    }
    return lines.join("\n") + "\n";
  }

  /** The same with other positions of free nodes and rates (element and key -> value), for one short step of rk4. */
  startText(positions, rates, step) {
    const [, ...lines] = this.text().trimEnd().split("\n");
    const head = `network - scheme=rk4 start=warm step=${hexadecimal(step)} duration=${hexadecimal(100 * step)}` +
      (positions.length > 0 ? ` positions=${positions.map(hexadecimal).join(",")}` : "");

    for (const [[name, key], value] of rates) {
      const at = lines.findIndex((line) => line.split(" ")[1] === name);

      const rest = lines[at].split(" ").filter((word) => !word.startsWith(`${key}=`));

      lines[at] = [...rest, `${key}=${hexadecimal(value)}`].join(" ");
    }
    return [head, ...lines].join("\n") + "\n";
  }

  /* The network's file with its changes */

  savedName() {
    return `${this.data.file.replace(/\.ini$/, "")}-lab.ini`;
  }

  /** Returns all settings beside the file: of the command line, then of the page, with keys of the file. */
  said() {
    const { words } = this.data;
    const all = [];

    for (let i = 0; i + 1 < words.length; i += 2) {
      const key = words[i].replace(/^--/, "");
      const [name, ...value] = words[i + 1].split("=");

      all.push(key === "set" ? [name, value.join("=")] : [`network.${key}`, words[i + 1]]);
    }
    if (this.data.stepIsChosen && this.isChanged() && !("step" in this.changes)) {
      all.push(["network.step", `${this.value("step")} s`]);
    }
    for (const [name, values] of this.changedKeys()) {
      const { unit } = this.numbers.get(name) || this.numbers.get(`${name}[1]`) || { unit: "" };

      all.push([name === "scheme" || name === "step" ? `network.${name}` : name,
                this.isJoin(name) ? values[0].replace(",", ", ")
                  : values.map((value) => `${value} ${unit}`.trim()).join(", ")]);
    }
    return all;
  }

  /** Returns values by keys of the file; of a list all its numbers. */
  changedKeys() {
    const keys = new Map();

    for (const name of Object.keys(this.changes)) {
      const key = name.replace(/\[\d+\]$/, "");
      const parts = [...this.numbers.keys()].filter((one) => key !== name && one.startsWith(`${key}[`));

      keys.set(key, (key === name ? [name] : parts).map((one) => this.value(one)));
    }
    return keys;
  }

  fileText() {
    let lines = this.data.text.replace(/\n$/, "").split("\n");

    for (const [name, value] of this.said()) {
      const dot = name.indexOf(".");

      lines = name.startsWith("$") ? setLine(lines, "parameters", name.slice(1), value)
        : setLine(lines, name.slice(0, dot), name.slice(dot + 1), value);
    }
    return lines.join("\n") + "\n";
  }

  /** Returns the command line for the same numbers. */
  command() {
    const { words: own } = this.data; /* options, each followed by its value */
    const said = own.filter((word, i) => !["step", "scheme"].some((name) => name in this.changes &&
      (word === `--${name}` || (i > 0 && own[i - 1] === `--${name}`))));
    const quoted = (word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replace(/'/g, "'\\''")}'`);
    const parts = ["ifbam run", ...[this.data.file, ...said].map(quoted)];

    if ([...this.joins().values()].includes(null)) {
      return `ifbam run ${quoted(this.savedName())}`; /* no option removes links: the saved file has none */
    }

    if ("scheme" in this.changes) {
      parts.push(`--scheme=${this.changes.scheme}`);
    }
    if ("step" in this.changes || (this.data.stepIsChosen && this.isChanged())) {
      parts.push(`--step=${this.value("step")}`);
    }
    for (const [name, values] of this.changedKeys()) {
      if (name !== "scheme" && name !== "step") {
        parts.push("--set " + (name.startsWith("$")
          ? quoted(`${name.slice(1)}=${values[0]} ${this.numbers.get(name).unit}`.trim())
          : `${name}=${values.join(",")}`));
      }
    }
    return parts.join(" ");
  }
}
