/* numbers.js: numbers with units, as people write them; what a network's numbers are, and were
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

const PREFIXES = { 9: "G", 6: "M", 3: "k", 0: "", "-3": "m", "-6": "\u00b5", "-9": "n", "-12": "p" };
/* Units that take a prefix where they come first and have no power. */
const PREFIXED = /^(N|m|s|V|A|F|H|Hz|J|W|Pa|Wb|ohm|Ohm|\u03a9)(?![\w])/;

function showShort(number, digits = 4) {
  return String(Number(number.toPrecision(digits))).replace("-", "\u2212");
}

/** The digits of a number with the point moved: exact, as texts are. */
function shifted(number, by) {
  const [digits, exponent] = String(number).toLowerCase().split("e");

  return Number(`${digits}e${Number(exponent || 0) + by}`);
}

function powerFor(size, unit) {
  if (!PREFIXED.test(unit) || size === 0 || !isFinite(size)) {
    return 0;
  }
  return Math.min(9, Math.max(-12, 3 * Math.floor((Math.log10(size) + 1e-9) / 3)));
}

/** With all its digits, "52 kN/m"; or with some. */
function showNumber(number, unit, digits = 17) {
  const power = powerFor(Math.abs(number), unit);
  const value = digits < 17 ? Number(shifted(number, -power).toPrecision(digits)) : shifted(number, -power);

  return `${String(value).replace("-", "\u2212")} ${PREFIXES[power]}${unit}`.trim();
}

/** NaN: it is none, or of another unit. */
function readNumber(text, unit) {
  const match = /^([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)\s*(.*)$/i.exec(
    text.trim().replace(/\u2212/g, "-").replace(/^([-+]?\d+),(\d+)/, "$1.$2"));

  if (match === null) {
    return NaN;
  }
  const said = match[2].replace(/^u(?=[A-Za-z])/, "\u00b5");

  if (said === "" || said === unit) {
    return Number(match[1]);
  }
  for (const power of Object.keys(PREFIXES)) {
    if (PREFIXED.test(unit) && said === PREFIXES[power] + unit) {
      return shifted(match[1], Number(power));
    }
  }
  return NaN;
}

/** A network with what was changed in it. */
class Network {
  constructor(data) {
    this.data = data;
    this.numbers = new Map(); /* "k1.stiffness" -> what is known of it */
    for (const element of data.elements) {
      for (const number of element.numbers) {
        this.numbers.set(`${element.name}.${number.key}`, Object.assign({ element }, number));
      }
    }
    this.numbers.set("step", { key: "step", unit: "s", value: data.step, minimum: 0, maximum: null,
                               meaning: "step of the scheme", said: true });
    this.changes = {};
  }

  has(name) {
    return this.numbers.has(name);
  }

  value(name) {
    return name in this.changes ? this.changes[name] : this.numbers.get(name).value;
  }

  scheme() {
    return this.changes.scheme || this.data.scheme;
  }

  /** Gives up what is as in the file. */
  set(name, value) {
    const own = name === "scheme" ? this.data.scheme : this.numbers.get(name).value;

    if (value === own) {
      delete this.changes[name];
    } else {
      this.changes[name] = value;
    }
  }

  isChanged() {
    return Object.keys(this.changes).length > 0;
  }

  /** As the core reads it. */
  text() {
    const settings = this.data.settings.map(([key, value]) =>
      ` ${key}=${key === "scheme" ? this.scheme() : key === "step" ? hexadecimal(this.value("step")) : value}`);
    const lines = [`network -${settings.join("")}`];

    for (const element of this.data.elements) {
      const values = new Map(element.values);

      for (const number of element.numbers) {
        const name = `${element.name}.${number.key}`;

        if (name in this.changes) {
          values.set(number.key, hexadecimal(this.changes[name]));
        }
      }
      lines.push(`${element.class} ${element.name}` + [...values].map(([k, v]) => ` ${k}=${v}`).join(""));
    }
    return lines.join("\n") + "\n";
  }

  /** The command line that gives the same numbers. */
  command() {
    const { words: own } = this.data; /* options, each with its value behind it */
    const said = own.filter((word, i) => !["step", "scheme"].some((name) => name in this.changes &&
      (word === `--${name}` || (i > 0 && own[i - 1] === `--${name}`))));
    const quoted = (word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replace(/'/g, "'\\''")}'`);
    const parts = ["ifbam run", ...[this.data.file, ...said].map(quoted)];

    if ("scheme" in this.changes) {
      parts.push(`--scheme=${this.changes.scheme}`);
    }
    if ("step" in this.changes || (this.data.stepIsChosen && this.isChanged())) {
      parts.push(`--step=${this.value("step")}`);
    }
    for (const name of Object.keys(this.changes)) {
      if (name !== "scheme" && name !== "step") {
        parts.push(`--set ${name}=${this.changes[name]}`);
      }
    }
    return parts.join(" ");
  }
}
