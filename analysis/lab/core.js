/* core.js: the engine: networks as its text, rows in slices that can be given up
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

const CHUNK = 1024; /* rows at a time */
const MOST_NUMBERS = 6e6; /* that are kept of a run */
const SLICE = 30; /* ms, after which others have their turn */

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const words = new DataView(new ArrayBuffer(8));

/** A double as the core reads it: no bit is lost. */
function hexadecimal(number) {
  words.setFloat64(0, number);
  const high = words.getUint32(0);
  const exponent = (high >>> 20) & 0x7ff;
  const digits = (high & 0xfffff).toString(16).padStart(5, "0") +
    words.getUint32(4).toString(16).padStart(8, "0");

  if (number === Infinity || number === -Infinity) {
    return number > 0 ? "inf" : "-inf";
  }
  return `${high >>> 31 ? "-" : ""}0x${exponent ? 1 : 0}.${digits}p${Math.max(exponent, 1) - 1023}`;
}

/** The packed module in the page; null: there is none. */
async function unpackCore(letters) {
  const packed = Uint8Array.from(atob(letters.trim()), (c) => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));

  return WebAssembly.compile(await new Response(stream).arrayBuffer());
}

class Core {
  constructor(module) {
    this.e = new WebAssembly.Instance(module, {}).exports;
    this.turn = 0;
  }

  read(place) {
    const bytes = new Uint8Array(this.e.memory.buffer);

    return decoder.decode(bytes.subarray(place, bytes.indexOf(0, place)));
  }

  said(core) {
    return this.read(this.e.ifbam_core_said(core));
  }

  /** A compiled network, or its faults in a text. */
  open(text) {
    const bytes = encoder.encode(text);
    const place = this.e.malloc(bytes.length + 1);
    const core = this.e.ifbam_core_new();

    new Uint8Array(this.e.memory.buffer).set(bytes, place);
    new Uint8Array(this.e.memory.buffer)[place + bytes.length] = 0;
    const failed = this.e.ifbam_core_read(core, place) || this.e.ifbam_core_compile(core);

    this.e.free(place);
    if (!failed) {
      return core;
    }
    const faults = this.said(core);

    this.e.ifbam_core_free(core);
    return faults;
  }

  events(core) {
    const place = this.e.malloc(48);
    const n = this.e.ifbam_core_n_events(core);
    const events = [];

    for (let i = 0; i < n; i++) {
      this.e.ifbam_core_event(place, core, i);
      const view = new DataView(this.e.memory.buffer, place, 48);

      events.push({ time: view.getFloat64(0, true), element: this.read(view.getUint32(8, true)),
                    word: this.read(view.getUint32(12, true)), impulse: view.getFloat64(16, true) });
    }
    this.e.free(place);
    return events;
  }

  /** All rows of a network: time, positions, rates, row after row. Null: a later run took over. */
  async run(text) {
    const turn = ++this.turn;
    const core = this.open(text);

    if (typeof core === "string") {
      return { faults: core };
    }
    const run = this.begin(core);
    let until = performance.now() + SLICE;

    while (run.n < run.rows && !run.ended) {
      this.goOn(core, run);
      if (performance.now() > until && run.n < run.rows) {
        await new Promise((go) => setTimeout(go, 0));
        if (turn !== this.turn) {
          this.close(core, run);
          return null;
        }
        until = performance.now() + SLICE;
      }
    }
    run.events = this.events(core).filter((event) => event.time <= run.data[(run.n - 1) * run.width]);
    this.close(core, run);
    return run;
  }

  begin(core) {
    const nodes = this.e.ifbam_core_n_nodes(core);
    const stride = Number(this.e.ifbam_core_stride(core));
    const rows = Number(this.e.ifbam_core_last_step(core)) / stride + 1;
    const width = 1 + 2 * nodes;
    const thin = Math.max(1, Math.ceil(rows * width / MOST_NUMBERS));
    const run = { nodes, width, thin, stride, n: 0, rows: Math.floor((rows - 1) / thin) + 1, ended: "" };

    run.data = new Float64Array(run.rows * width);
    run.place = this.e.malloc(8 * width * CHUNK);
    this.e.ifbam_core_rows(core, 1, BigInt(0), run.place);
    this.take(run, 1);
    return run;
  }

  take(run, n) {
    run.data.set(new Float64Array(this.e.memory.buffer, run.place, n * run.width), run.n * run.width);
    run.n += n;
  }

  goOn(core, run) {
    const wanted = Math.min(CHUNK, run.rows - run.n);
    const first = run.n;
    const n = this.e.ifbam_core_rows(core, wanted, BigInt(run.stride * run.thin), run.place);

    this.take(run, n);
    if (n < wanted) {
      run.ended = this.said(core);
    }
    for (let i = first * run.width; i < run.n * run.width; i++) {
      if (!(Math.abs(run.data[i]) < 1e100)) {
        run.n = Math.floor(i / run.width);
        run.ended = "diverges: no sense is left at t = " +
          `${showShort(run.data[run.n * run.width])} s (try a shorter step)`;
        return;
      }
    }
  }

  close(core, run) {
    this.e.free(run.place);
    this.e.ifbam_core_free(core);
  }
}
