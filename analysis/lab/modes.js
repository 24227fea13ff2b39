/* modes.js: frequencies of the network about its start, from steps of its engine with small deflections
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One short step maps a small change of each coordinate or rate to changes of all: the columns of a matrix, whose
 * eigenvalues mu are exp (s h). The core computes the steps; this file has algebra only. If the result differs from
 * the program's modes at the file's numbers (joints, or an event at the start), it is not used.
 */

const MOST_SWINGING = 24; /* free nodes: two columns each */
const SMALL_ANGLE = 0.05; /* phase of the fastest mode per step */
const SMALL_PART = 1e-5; /* size of a deflection relative to the largest value */
const CHEAP = 10; /* [ms] */
const AGREES = 1e-5;
const LEAST_PART = 1e-4; /* relative to the fastest frequency: slower modes are drift */

/** Returns eigenvalues of a real matrix, by QR with shifts on its Hessenberg form (Golub & Van Loan, Matrix
 * Computations, 7.4), as pairs of real and imaginary part. */
function eigenvaluesOf(matrix) {
  const n = matrix.length;
  const re = matrix.map((row) => Float64Array.from(row));
  const im = matrix.map(() => new Float64Array(n));
  const found = [];

  toHessenberg(re);
  for (let last = n - 1, turn = 0; last >= 0;) {
    const sizeAt = (i) => Math.hypot(re[i][i], im[i][i]);
    let first = last;

    while (first > 0 && Math.hypot(re[first][first - 1], im[first][first - 1]) >
        1e-15 * (sizeAt(first) + sizeAt(first - 1))) {
      first--;
    }
    if (first === last) {
      found.push([re[last][last], im[last][last]]);
      last--;
      turn = 0;
    } else if (turn++ > 200) {
      return null;
    } else {
      turnOnce(re, im, first, last, turn % 12 === 11);
    }
  }
  return found;
}

/** Transforms without a change of eigenvalues, by elimination with pivots. */
function toHessenberg(a) {
  const n = a.length;

  for (let m = 1; m < n - 1; m++) {
    let pivot = m;

    for (let i = m + 1; i < n; i++) {
      pivot = Math.abs(a[i][m - 1]) > Math.abs(a[pivot][m - 1]) ? i : pivot;
    }
    if (a[pivot][m - 1] === 0) {
      continue;
    }
    [a[m], a[pivot]] = [a[pivot], a[m]];
    for (const row of a) {
      [row[m], row[pivot]] = [row[pivot], row[m]];
    }
    for (let i = m + 1; i < n; i++) {
      const part = a[i][m - 1] / a[m][m - 1];

      for (let j = 0; j < n; j++) {
        a[i][j] -= part * a[m][j];
      }
      for (const row of a) {
        row[m] += part * row[i];
      }
    }
  }
}

/** Returns the eigenvalue of the last 2 x 2 block nearer to its last element (Wilkinson's shift). */
function shiftOf(re, im, last) {
  const k = last - 1;
  const [pr, pi] = [(re[k][k] - re[last][last]) / 2, (im[k][k] - im[last][last]) / 2];
  const [br, bi] = [re[k][last] * re[last][k] - im[k][last] * im[last][k],
                    re[k][last] * im[last][k] + im[k][last] * re[last][k]];
  const [dr, di] = [pr * pr - pi * pi + br, 2 * pr * pi + bi];
  const size = Math.sqrt(Math.hypot(dr, di));
  const half = Math.atan2(di, dr) / 2;
  let [rr, ri] = [size * Math.cos(half), size * Math.sin(half)];

  if (rr * pr + ri * pi < 0) {
    [rr, ri] = [-rr, -ri];
  }
  const [qr, qi] = [pr + rr, pi + ri];
  const whole = qr * qr + qi * qi || 1;

  return [re[last][last] - (br * qr + bi * qi) / whole, im[last][last] - (bi * qr - br * qi) / whole];
}

/** Performs one QR step on rows first to last: H - s = Q R becomes R Q + s. */
function turnOnce(re, im, first, last, isOdd) {
  const [sr, si] = isOdd ? [Math.abs(re[last][last - 1]), 0] : shiftOf(re, im, last);
  const turns = [];

  for (let i = first; i <= last; i++) {
    re[i][i] -= sr;
    im[i][i] -= si;
  }
  for (let k = first; k < last; k++) {
    const size = Math.hypot(re[k][k], im[k][k], re[k + 1][k], im[k + 1][k]) || 1;
    const [cr, ci, dr, di] = [re[k][k] / size, im[k][k] / size, re[k + 1][k] / size, im[k + 1][k] / size];

    turns.push([cr, ci, dr, di]);
    for (let j = k; j <= last; j++) {
      const [ar, ai, br, bi] = [re[k][j], im[k][j], re[k + 1][j], im[k + 1][j]];

      re[k][j] = cr * ar + ci * ai + dr * br + di * bi;
      im[k][j] = cr * ai - ci * ar + dr * bi - di * br;
      re[k + 1][j] = cr * br - ci * bi - dr * ar + di * ai;
      im[k + 1][j] = cr * bi + ci * br - dr * ai - di * ar;
    }
  }
  turns.forEach(([cr, ci, dr, di], t) => {
    const k = first + t;

    for (let i = first; i <= Math.min(last, k + 1); i++) {
      const [ar, ai, br, bi] = [re[i][k], im[i][k], re[i][k + 1], im[i][k + 1]];

      re[i][k] = cr * ar - ci * ai + dr * br - di * bi;
      im[i][k] = cr * ai + ci * ar + dr * bi + di * br;
      re[i][k + 1] = cr * br + ci * bi - dr * ar - di * ai;
      im[i][k + 1] = cr * bi - ci * br - dr * ai + di * ar;
    }
  });
  for (let i = first; i <= last; i++) {
    re[i][i] += sr;
    im[i][i] += si;
  }
}

/** Returns the element and the key of a node's rate at the start: of a chain "c", "m3.velocity". */
function rateKeyOf(node) {
  const [, name, axis] = /^(.*?)(?:\.(x|y|angle))?$/.exec(node.name);
  const key = axis === undefined ? node.rate : axis === "angle" ? "speed" : `v${axis}`;
  const dot = name.indexOf(".");

  return dot < 0 ? [name, key] : [name.slice(0, dot), `${name.slice(dot + 1)}.${key}`];
}

/** Returns the row of a text's network after some steps; null: it is refused, fails, or has an event. */
function rowAfter(text, steps) {
  const one = accountant.open(text);

  if (typeof one === "string") {
    return null;
  }
  const n = data.nodes.length;
  const place = accountant.e.malloc(16 * n);
  const failed = steps > 0 ? accountant.e.ifbam_core_advance(one, BigInt(steps)) : 0;

  accountant.e.ifbam_core_row(one, place, place + 8 * n);
  const row = new Float64Array(accountant.e.memory.buffer, place, 2 * n).slice();
  const isQuiet = failed === 0 && accountant.e.ifbam_core_n_events(one) === 0;

  accountant.e.free(place);
  accountant.e.ifbam_core_free(one);
  return isQuiet ? row : null;
}

/** Returns the row after a step from a start with one number changed a little; at < 0: unchanged. */
function stepFrom(start, step, free, at, by) {
  const positions = Array.from(start.subarray(0, free.length));
  const rates = new Map();

  if (at >= 0 && at < free.length) {
    positions[at] += by;
  } else if (at >= 0) {
    const i = free[at - free.length];

    rates.set(rateKeyOf(data.nodes[i]), start[data.nodes.length + i] + by);
  }
  return rowAfter(network.startText(positions, rates, step), 1);
}

/** Returns frequencies about the start of the network with its changes, ascending; null: not known. run: for sizes. */
function modesOf(run) {
  const free = data.nodes.map((node, i) => i).filter((i) => data.nodes[i].free);
  const n = free.length;

  if (n === 0 || n > MOST_SWINGING || data.modes.length === 0 || data.restsFirst) {
    return null;
  }
  const fastest = 2 * Math.PI * Math.max(...data.modes);
  const step = SMALL_ANGLE / fastest;
  const start = rowAfter(network.startText([], new Map(), step), 0);
  const whence = start && stepFrom(start, step, free, -1, 0);
  const few = free.map((i) => SMALL_PART * (Math.max(...rangeOf(run, 1 + i).map(Math.abs)) || 1));
  const all = [...few, ...few.map((size) => size * fastest)];
  const places = [...free, ...free.map((i) => data.nodes.length + i)];
  const rows = whence ? all.map((by, at) => stepFrom(start, step, free, at, by)) : [null];

  if (rows.includes(null)) {
    return null;
  }
  const matrix = places.map((place, k) => rows.map((row) => (row[place] - whence[place]) / all[k]));
  const pairs = eigenvaluesOf(matrix);

  return pairs === null ? null : pairs.map(([re, im]) => Math.atan2(im, re) / step / (2 * Math.PI))
    .filter((f) => f > LEAST_PART * fastest / (2 * Math.PI)).sort((a, b) => a - b);
}

let areModesTrusted = null; /* null: not yet known */
let costOfModes = 0; /* [ms] */
let modesTimer = 0;

/** Returns frequencies with changes: the program's, or the core's if it reproduces these at the file's numbers. */
function modesNow(run) {
  if (network.isAsInFile()) {
    return data.modes;
  }
  if (areModesTrusted === null) {
    const { changes } = network;

    network.changes = {};
    const own = modesOf(run) || [];

    network.changes = changes;
    areModesTrusted = own.length > 0 && own.length === data.modes.length &&
      own.every((f, i) => Math.abs(f - data.modes[i]) < AGREES * f);
  }
  if (run.modes === undefined) {
    const begun = performance.now();

    run.modes = areModesTrusted ? modesOf(run) || [] : [];
    costOfModes = performance.now() - begun;
  }
  return run.modes;
}

/** The same immediately; if that is slow, nothing now, and then() when nothing is being moved. */
function modesSoon(run, then) {
  clearTimeout(modesTimer);
  if (run.modes !== undefined || costOfModes < CHEAP || network.isAsInFile()) {
    return modesNow(run);
  }
  modesTimer = setTimeout(() => {
    if (state.run === run) {
      modesNow(run);
      then();
    }
  }, 250);
  return [];
}
