/* units.js: numbers with units, as in the file: a subset of UDUNITS; powers of ten are exact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

/* name -> power of ten, factor, dimension */
const UNITS = {
  g: [-3, 1, "kg"], t: [3, 1, "kg"], m: [0, 1, "m"], s: [0, 1, "s"], A: [0, 1, "A"], K: [0, 1, "K"], rad: [0, 1, "rad"],
  N: [0, 1, "kg m s-2"], J: [0, 1, "kg m2 s-2"], W: [0, 1, "kg m2 s-3"], Pa: [0, 1, "kg m-1 s-2"],
  bar: [5, 1, "kg m-1 s-2"], Hz: [0, 1, "s-1"], V: [0, 1, "kg m2 s-3 A-1"], ohm: [0, 1, "kg m2 s-3 A-2"],
  S: [0, 1, "kg-1 m-2 s3 A2"], F: [0, 1, "kg-1 m-2 s4 A2"], H: [0, 1, "kg m2 s-2 A-2"], Wb: [0, 1, "kg m2 s-2 A-1"],
  C: [0, 1, "s A"], l: [-3, 1, "m3"], min: [0, 60, "s"], h: [0, 3600, "s"], deg: [0, Math.PI / 180, "rad"],
  rev: [0, 2 * Math.PI, "rad"], rpm: [0, Math.PI / 30, "s-1 rad"], "%": [-2, 1, ""]
};
const OTHER_NAMES = { Ohm: "ohm", "\u03a9": "ohm", "\u2126": "ohm", L: "l", "\u00b0": "deg" };
const POWERS = { G: 9, M: 6, k: 3, h: 2, d: -1, c: -2, m: -3, "\u00b5": -6, "\u03bc": -6, u: -6,
                 n: -9, p: -12, f: -15, a: -18 };

/* Operator before the unit, its name, its power. */
const UNIT = /^\s*([*.\u00b7/]?)\s*([A-Za-z\u00b5\u03bc\u03a9\u2126\u00b0%]+)(?:(?:\^|\*\*)?([+-]?\d+))?\s*/;

/** "kN": returns power of ten, factor, dimension; undefined: no unit. */
function findUnit(name) {
  const own = (word) => UNITS[OTHER_NAMES[word] || word];
  const [power, rest] = [POWERS[name[0]], own(name.slice(1))];

  return own(name) || (power !== undefined && rest !== undefined ? [rest[0] + power, rest[1], rest[2]] : undefined);
}

/** "N s/m": returns powers of base units, of ten, and a factor; null: no unit. */
function readUnit(text) {
  const unit = { power: 0, factor: 1, dimension: {} };
  let rest = text.trim().replace(/^1(?=\s*\/)/, "");

  while (rest !== "") {
    const part = UNIT.exec(rest);
    const found = part === null ? undefined : findUnit(part[2]);

    if (found === undefined) {
      return null;
    }
    const n = Number(part[3] || 1) * (part[1] === "/" ? -1 : 1);

    unit.power += n * found[0];
    unit.factor *= Math.pow(found[1], n);
    for (const [, base, k] of found[2].matchAll(/([A-Za-z]+)(-?\d*)/g)) {
      unit.dimension[base] = (unit.dimension[base] || 0) + n * Number(k || 1);
    }
    rest = rest.slice(part[0].length);
  }
  return unit;
}

/** TRUE if a unit fits another: the radian may be omitted except of an angle and its rate. */
function fits({ dimension }, wanted, target) {
  const of = (dimensions, base) => dimensions[base] || 0;

  return ["kg", "m", "s", "A", "K"].every((base) => of(dimension, base) === of(wanted.dimension, base)) &&
    (of(dimension, "rad") === of(wanted.dimension, "rad") || (!of(dimension, "rad") && !target.startsWith("rad")));
}

/** Returns the number in its SI unit; NaN: not a number, or of another unit. */
function readNumber(text, target) {
  const match = /^([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)\s*(.*)$/i.exec(
    text.trim().replace(/\u2212/g, "-").replace(/^([-+]?\d+),(\d+)/, "$1.$2"));

  if (match === null || match[2] === "" || match[2] === target) {
    return match === null ? NaN : Number(match[1]);
  }
  if (match[2] === "rpm" && target === "Hz") {
    return Number(match[1]) / 60;
  }
  const [unit, wanted] = [readUnit(match[2]), readUnit(target)];

  return unit !== null && wanted !== null && fits(unit, wanted, target)
    ? shifted(match[1], unit.power) * unit.factor : NaN;
}
