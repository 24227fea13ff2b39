/* core.js: the engine: networks as its text, rows in slices that can be cancelled
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

const CHUNK = 1024; /* rows per call */
const MOST_NUMBERS = 6e6; /* numbers stored per run */
const INSTANTS = 400; /* of the energy balance */
const LEAVES_SENSE = 1e6; /* multiple of the initial energy that ends a run, as in `ifbam run` */
const SLICE = 30; /* time until other tasks run [ms] */

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const eightBytes = new DataView(new ArrayBuffer(8));

/** Returns a double in the core's format, without loss of bits. */
function hexadecimal(number) {
  eightBytes.setFloat64(0, number);
  const high = eightBytes.getUint32(0);
  const exponent = (high >>> 20) & 0x7ff;
  const digits = (high & 0xfffff).toString(16).padStart(5, "0") +
    eightBytes.getUint32(4).toString(16).padStart(8, "0");

  if (number === Infinity || number === -Infinity) {
    return number > 0 ? "inf" : "-inf";
  }
  return `${high >>> 31 ? "-" : ""}0x${exponent ? 1 : 0}.${digits}p${Math.max(exponent, 1) - 1023}`;
}

/** Decodes a text in base 85, as lab.c writes it. */
function bytesOf(letters) {
  const bytes = new Uint8Array(4 * Math.ceil(letters.length / 5));
  const view = new DataView(bytes.buffer);

  for (let i = 0; i < letters.length; i += 5) {
    const digits = Array.from(letters.slice(i, i + 5).padEnd(5, "x"), (c) => c.charCodeAt(0) - (c < "<" ? 35 : 36));

    view.setUint32(i / 5 * 4, digits.reduce((number, digit) => 85 * number + digit));
  }
  return bytes.subarray(0, Math.floor(letters.length * 4 / 5));
}

/** Compiles the compressed module in the page. */
async function unpackCore(letters) {
  const packed = bytesOf(letters.trim());
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));

  return WebAssembly.compile(await new Response(stream).arrayBuffer());
}

class Core {
  constructor(module) {
    this.e = new WebAssembly.Instance(module, {}).exports;
    this.turn = 0;
    this.isStopped = false; /* ends the current run at its last row */
  }

  read(place) {
    const bytes = new Uint8Array(this.e.memory.buffer);

    return decoder.decode(bytes.subarray(place, bytes.indexOf(0, place)));
  }

  said(core) {
    return this.read(this.e.ifbam_core_said(core));
  }

  write(text) {
    const bytes = encoder.encode(text);
    const place = this.e.malloc(bytes.length + 1);

    new Uint8Array(this.e.memory.buffer).set(bytes, place);
    new Uint8Array(this.e.memory.buffer)[place + bytes.length] = 0;
    return place;
  }

  /** Reads "1500 rpm" as a file is read; returns the number in `unit`, or the reason why it is none, a text. */
  number(text, unit, meaning) {
    const core = this.e.ifbam_core_new();
    /* A decimal comma, unless it may mark thousands. */
    const plain = text.replace(/\u2212/g, "-").replace(/^(\s*[-+]?\d+),(?!\d{3}(?!\d))(?=\d)/, "$1.");
    const texts = [plain, unit, meaning].map((one) => this.write(one));
    const place = this.e.malloc(8);
    const failed = this.e.ifbam_core_parse(core, ...texts, place);
    const result = failed ? this.said(core) : new Float64Array(this.e.memory.buffer, place, 1)[0];

    [...texts, place].forEach((one) => this.e.free(one));
    this.e.ifbam_core_free(core);
    return result;
  }

  /** Returns a compiled network that records signals with its rows, or its errors as a text. */
  open(text, signals = "") {
    const [place, names] = [this.write(text), this.write(signals)];
    const core = this.e.ifbam_core_new();

    this.e.ifbam_core_record(core, names);
    const failed = this.e.ifbam_core_read(core, place) || this.e.ifbam_core_compile(core);

    this.e.free(place);
    this.e.free(names);
    if (!failed) {
      return core;
    }
    const faults = this.said(core);

    this.e.ifbam_core_free(core);
    return faults;
  }

  /** Returns the recorded signals at the row. */
  signals(core, n) {
    const place = this.e.malloc(8 * n);

    this.e.ifbam_core_signals(core, place);
    const values = new Float64Array(this.e.memory.buffer, place, n).slice();

    this.e.free(place);
    return values;
  }

  /** The same in the cycle of a step. */
  cycle(core, step, n) {
    const place = this.e.malloc(8 * n);

    this.e.ifbam_core_cycle(core, BigInt(step), place);
    const values = new Float64Array(this.e.memory.buffer, place, n).slice();

    this.e.free(place);
    return values;
  }

  /** Returns the shape of a rope at a row: x and y of n points; null: it is straight. */
  shape(core, name, row, n) {
    const [nodes, text] = [(row.length - 1) / 2, this.write(name)];
    const place = this.e.malloc(8 * (nodes + 2 * n));

    new Float64Array(this.e.memory.buffer, place, nodes).set(row.subarray(1, 1 + nodes));
    const told = this.e.ifbam_core_shape(core, text, place, n, place + 8 * nodes);
    const places = new Float64Array(this.e.memory.buffer, place + 8 * nodes, 2 * told).slice();

    this.e.free(text);
    this.e.free(place);
    return told > 0 ? places : null;
  }

  events(core) {
    const place = this.e.malloc(48);
    const n = this.e.ifbam_core_n_events(core);
    const events = [];
    const texts = new Map(); /* few different addresses */
    const textAt = (at) => {
      if (!texts.has(at)) {
        texts.set(at, this.read(at));
      }
      return texts.get(at);
    };

    for (let i = 0; i < n; i++) {
      this.e.ifbam_core_event(place, core, i);
      const view = new DataView(this.e.memory.buffer, place, 48);

      events.push({ time: view.getFloat64(0, true), element: textAt(view.getUint32(8, true)),
                    word: textAt(view.getUint32(12, true)), impulse: view.getFloat64(16, true) });
    }
    this.e.free(place);
    return events;
  }

  /** Returns the number of a request; later requests cancel earlier ones. */
  take() {
    return ++this.turn;
  }

  /** Repeats act() until it returns false, with pauses for other tasks. Returns false if a later request has cancelled
   * this one. */
  async slices(turn, act, show = null) {
    let until = performance.now() + SLICE;

    while (act()) {
      if (performance.now() > until) {
        if (show !== null) {
          show();
        }
        await new Promise((go) => setTimeout(go, 0));
        if (turn !== this.turn) {
          return false;
        }
        until = performance.now() + SLICE;
      }
    }
    return turn === this.turn;
  }

  /** Compiles a network for run(); returns it, or the reason why this page can't run it (a text). */
  openRun(text, nodes, mostSteps, force) {
    const core = this.open(text, `network.kinetic,network.potential${force && `,${force}`}`);

    if (typeof core === "string") {
      return core;
    }
    const steps = Number(this.e.ifbam_core_last_step(core));
    const faults = this.e.ifbam_core_n_nodes(core) !== nodes
      ? "That changes the number of nodes, for which this page was made (ifbam lab makes another)"
      : steps < 1 ? "step: it is longer than the run"
      : steps > mostSteps ? `step: ${showShort(steps, 3)} steps are more than a page runs (a longer step would do)`
      : "";

    if (faults !== "") {
      this.e.ifbam_core_free(core);
    }
    return faults || core;
  }

  /** Returns all rows of an opened network: time, positions, rates, row after row, and energies at intervals. Null:
   * cancelled by a later request. */
  async run(core, { text, force }, turn, isWhole, data = null, show = null) {
    const run = this.begin(core, data, force);

    this.isStopped = false;
    const fine = await this.slices(turn, () => {
      this.goOn(core, run, isWhole);
      return run.n < run.rows && run.ended === "" && !this.isStopped;
    }, show === null ? null : () => show(run.n / run.rows));

    run.isStopped = run.n < run.rows && run.ended === "";
    if (fine) {
      run.events = this.events(core).filter((event) => event.time <= run.data[(run.n - 1) * run.width]);
    }
    this.e.free(run.place);
    this.e.ifbam_core_free(core);
    if (fine && run.outgrown) {
      this.findEnd(text, run);
    }
    return fine ? run : null;
  }

  /** Computes dissipated and supplied energy up to each instant of a run's balance. */
  async account(text, turn, run) {
    const core = this.open(text, "network.kinetic,network.potential,network.dissipated,network.supplied");
    const whole = [];
    const times = run.account.times.slice();
    const every = run.thin * run.stride;

    if (typeof core === "string") {
      return false;
    }
    let step = 0;
    const fine = await this.slices(turn, () => {
      const until = run.account.rows[whole.length] * every;
      const some = Math.min(until - step, 500);
      let isOn = true;

      if (some > 0) {
        isOn = this.e.ifbam_core_advance(core, BigInt(some)) === 0;
        step += some;
      }
      if (isOn && step === until) {
        whole.push([...this.signals(core, 4)]);
      }
      return isOn && whole.length < times.length;
    });

    this.e.ifbam_core_free(core);
    if (fine) {
      Object.assign(run.account, { whole });
    }
    return fine;
  }

  begin(core, data, force) {
    const nodes = this.e.ifbam_core_n_nodes(core);
    const stride = Number(this.e.ifbam_core_stride(core));
    const rows = Number(this.e.ifbam_core_last_step(core)) / stride + 1;
    const width = 1 + 2 * nodes;
    const thin = Math.max(1, Math.ceil(rows * width / MOST_NUMBERS));
    const run = { nodes, width, thin, stride, n: 0, rows: Math.floor((rows - 1) / thin) + 1, ended: "",
                  outgrown: false, force, account: { times: [], rows: [], energies: [], whole: null } };

    run.forces = new Float64Array(force ? run.rows : 0);
    run.data = data !== null && data.length === run.rows * width ? data : new Float64Array(run.rows * width);
    run.chunk = Math.max(1, Math.min(CHUNK, Math.ceil(run.rows / INSTANTS)));
    run.place = this.e.malloc(8 * width * run.chunk);
    this.rows(core, run, 1, 0);
    this.keep(run, 1);
    this.addEnergy(core, run);
    return run;
  }

  /** Computes n rows of `steps` steps each; returns the number of successful ones. A force is recorded at each row. */
  rows(core, run, n, steps) {
    if (!run.force) {
      return this.e.ifbam_core_rows(core, n, BigInt(steps), run.place);
    }
    for (let i = 0; i < n; i++) {
      if (this.e.ifbam_core_rows(core, 1, BigInt(steps), run.place + 8 * run.width * i) < 1) {
        return i;
      }
      run.forces[run.n + i] = this.signals(core, 3)[2];
    }
    return n;
  }

  keep(run, n) {
    run.data.set(new Float64Array(this.e.memory.buffer, run.place, n * run.width), run.n * run.width);
    run.n += n;
  }

  addEnergy(core, run) {
    const { account } = run;

    account.energies.push([...this.signals(core, run.force ? 3 : 2)].slice(0, 2));
    account.rows.push(run.n - 1);
    account.times.push(run.data[(run.n - 1) * run.width]);
  }

  /** isWhole: there are no losses and no supply, so a much larger energy is an error of the scheme. */
  goOn(core, run, isWhole) {
    const wanted = Math.min(run.chunk, run.rows - run.n);
    const first = run.n;
    const n = this.rows(core, run, wanted, run.stride * run.thin);

    this.keep(run, n);
    if (n < wanted) {
      run.ended = this.said(core);
    }
    /* Diverged values never return. */
    for (let i = (run.n - 1) * run.width; i < run.n * run.width; i++) {
      if (!(Math.abs(run.data[i]) < 1e100)) {
        this.endsWithin(run, first);
        return;
      }
    }
    this.addEnergy(core, run);
    const { energies } = run.account;
    const [now, start] = [energies[energies.length - 1], energies[0]];

    if (isWhole && start[0] + start[1] > 0 && !(now[0] + now[1] <= LEAVES_SENSE * (start[0] + start[1]))) {
      run.outgrown = true;
      run.ended = "diverges";
    }
  }

  endsWithin(run, first) {
    let row = first;

    while (row < run.n && run.data.subarray(row * run.width, (row + 1) * run.width).every((x) => Math.abs(x) < 1e100)) {
      row++;
    }
    run.diverged = run.data[row * run.width];
    run.n = Math.max(1, row);
    run.ended = `diverges: no sense is left at t = ${showShort(run.diverged)} s (try a shorter step)`;
  }

  /** Finds the first row with an impossible energy, as `ifbam run` does, by a second run from the start. */
  findEnd(text, run) {
    const core = this.open(text, "network.energy");
    const { rows, energies } = run.account;
    const every = run.stride * run.thin;
    let row = rows[rows.length - 2];

    this.e.ifbam_core_advance(core, BigInt(row * every));
    while (row < run.n - 1 && this.signals(core, 1)[0] <= LEAVES_SENSE * (energies[0][0] + energies[0][1])) {
      this.e.ifbam_core_advance(core, BigInt(every));
      row++;
    }
    this.e.ifbam_core_free(core);
    run.n = row + 1;
    run.diverged = run.data[row * run.width];
    run.ended = `diverges at t = ${showShort(run.diverged)} s: the energy is over 10\u2076 times what was there ` +
      "(try a shorter step, or another scheme)";
  }
}
