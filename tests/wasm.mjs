// wasm.mjs: build/core.wasm against results of test-matrix, to the last bit; it leaks no memory
// SPDX-License-Identifier: GPL-3.0-or-later
//
//   node tests/wasm.mjs build/core.wasm FOLDER [TURNS]

import fs from "fs";

const [, , file, folder, turns = "1000"] = process.argv;
const module = new WebAssembly.Module(fs.readFileSync(file));
const encoder = new TextEncoder();
const decoder = new TextDecoder();
let faults = 0;

function fault(text) {
  if (faults++ < 20) {
    console.log("# " + text);
  }
}

/** One instance, with texts and numbers to and fro. */
class Core {
  constructor() {
    this.e = new WebAssembly.Instance(module, {}).exports;
  }

  text(place) {
    const bytes = new Uint8Array(this.e.memory.buffer);

    return decoder.decode(bytes.subarray(place, bytes.indexOf(0, place)));
  }

  /** Compiles a network; returns its error, or "". */
  open(network) {
    const bytes = encoder.encode(network);
    const place = this.e.malloc(bytes.length + 1);

    new Uint8Array(this.e.memory.buffer).set(bytes, place);
    new Uint8Array(this.e.memory.buffer)[place + bytes.length] = 0;
    this.core = this.e.ifbam_core_new();
    this.failed = this.e.ifbam_core_read(this.core, place) !== 0 || this.e.ifbam_core_compile(this.core) !== 0;
    this.e.free(place);
    return this.failed ? this.text(this.e.ifbam_core_said(this.core)) : "";
  }

  close() {
    this.e.ifbam_core_free(this.core);
  }
}

function addNumber(hash, low, high) {
  if ((high & 0x7fffffff) > 0x7ff00000 || ((high & 0x7fffffff) === 0x7ff00000 && low !== 0)) {
    low = 0;
    high = 0x7ff80000;
  }
  for (const word of [low, high]) {
    hash ^= word;
    hash = Math.imul((hash << 15) | (hash >>> 17), 0x9e3779b1);
  }
  return hash;
}

function addNumbers(hash, numbers) {
  const words = new Uint32Array(numbers.buffer, numbers.byteOffset, 2 * numbers.length);

  for (let i = 0; i < words.length; i += 2) {
    hash = addNumber(hash, words[i], words[i + 1]);
  }
  return hash >>> 0;
}

/** Position and rate of each node in turn, behind the time. */
function readRow(core, n, place, row) {
  row[0] = core.e.ifbam_core_row(core.core, place, place + 8 * n);
  const numbers = new Float64Array(core.e.memory.buffer, place, 2 * n);

  for (let i = 0; i < n; i++) {
    row[1 + 2 * i] = numbers[i];
    row[2 + 2 * i] = numbers[n + i];
  }
}

function checkEvents(core, name, lines, last) {
  const place = core.e.malloc(64);
  const n = core.e.ifbam_core_n_events(core.core);

  for (let i = 0; i < Math.max(n, lines.length); i++) {
    core.e.ifbam_core_event(place, core.core, i);
    const view = new DataView(core.e.memory.buffer, place, 64);
    const numbers = Float64Array.from([0, 16, 24, 32, 40], (at) => view.getFloat64(at, true));

    if (i >= lines.length) {
      if (!(numbers[0] > last)) {
        fault(`${name}: it has ${n} events, not ${lines.length}`);
      }
      continue;
    }
    const said = i < n ? `${core.text(view.getUint32(8, true))} ${core.text(view.getUint32(12, true))} ` +
      addNumbers(0, numbers) : "nothing";

    if (said !== lines[i]) {
      fault(`${name}: event ${i} is ${said}, not ${lines[i]}`);
      break;
    }
  }
  core.e.free(place);
}

/** Whether all of it is the same; returns how many rows there were. */
function contest(core, number) {
  const read = (ending) => fs.readFileSync(`${folder}/${number}.${ending}`);
  const [name, failed, sizes, ...events] = read("said").toString().trimEnd().split("\n");
  const [n, stride] = sizes.split(" ").map(Number);
  const rows = read("rows");
  const hashes = new Uint32Array(rows.buffer.slice(rows.byteOffset, rows.byteOffset + rows.length));
  const refused = core.open(read("network").toString());
  const place = core.e.malloc(16 * n + 16);
  const row = new Float64Array(1 + 2 * n);
  let hash = 0;
  let result = 0;

  if (refused !== "") {
    fault(`${name}: ${refused}`);
  }
  for (let i = 0; i < hashes.length && refused === ""; i++) {
    result = i > 0 ? core.e.ifbam_core_advance(core.core, BigInt(stride)) : 0;
    readRow(core, n, place, row);
    hash = addNumbers(hash, row);
    if (result !== 0 || hash !== hashes[i]) {
      fault(`${name}: row ${i} of ${hashes.length} differs, t = ${row[0]}: ` +
        (result === 0 ? row.subarray(1, 7).join(" ") : core.text(core.e.ifbam_core_said(core.core))));
      break;
    }
  }
  if (failed !== "" && refused === "") {
    result = core.e.ifbam_core_advance(core.core, BigInt(stride));
    const said = result === 0 ? "diverged" : core.text(core.e.ifbam_core_said(core.core));

    if (said !== failed) {
      fault(`${name}: it ends with "${said}", not "${failed}"`);
    }
  }
  if (refused === "") {
    checkEvents(core, name, events, row[0]);
  }
  core.e.free(place);
  core.close();
  return hashes.length;
}

/** Two instances side by side; closed instances leave no memory. */
function checkMemory(number) {
  const network = fs.readFileSync(`${folder}/${number}.network`).toString();
  const [one, other] = [new Core(), new Core()];
  const turn = (core) => {
    core.open(network);
    core.e.ifbam_core_advance(core.core, 100n);
    core.close();
  };

  for (let i = 0; i < 10; i++) {
    turn(one);
  }
  const before = one.e.memory.buffer.byteLength;

  for (let i = 0; i < Number(turns); i++) {
    turn(one);
  }
  turn(other);
  if (one.e.memory.buffer.byteLength !== before) {
    fault(`${turns} turns took memory from ${before} to ${one.e.memory.buffer.byteLength} bytes`);
  }
}

function tell(name) {
  console.log(`${faults === 0 ? "ok" : "not ok"} - ${name}`);
  faults = 0;
}

if (WebAssembly.Module.imports(module).length > 0) {
  fault("it imports " + WebAssembly.Module.imports(module).map((i) => i.name).join(", "));
}
tell("wasm imports nothing");

const numbers = fs.readdirSync(folder).filter((name) => name.endsWith(".network")).map((name) => parseInt(name, 10))
  .sort((a, b) => a - b);
const core = new Core();
let rows = 0;

for (const number of numbers) {
  try {
    rows += contest(core, number);
  } catch (error) {
    fault(`network ${number}: ${error.message}`);
  }
}
if (numbers.length < 10) {
  fault(`only ${numbers.length} networks were kept`);
}
console.log(`# ${numbers.length} networks, ${rows} rows`);
tell("wasm has the rows and events of the library, to the last bit");
for (const number of numbers.slice(0, 4)) {
  checkMemory(number);
}
tell("wasm leaves no memory behind");
