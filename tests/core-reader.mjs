// core-reader.mjs: texts of networks through build/core.wasm: their faults, or their rows against a CSV
// SPDX-License-Identifier: GPL-3.0-or-later
//
//   node tests/core-reader.mjs build/core.wasm < TASKS
//
// TASKS: a line of JSON for each text, {"text": ...} or {"file": NAME, "csv": NAME, "rows": at most}, with "courses":
// {"FILE:COLUMN": [times, values]} if it names some. For each it prints a line of JSON: {"faults": [{line, message}]}, or {"rows": number that are equal, "differs": the first that is not}.

import fs from "fs";
import readline from "readline";

const { exports: e } = new WebAssembly.Instance(new WebAssembly.Module(fs.readFileSync(process.argv[2])), {});
const encoder = new TextEncoder();
const decoder = new TextDecoder();

function said(core) {
  const bytes = new Uint8Array(e.memory.buffer);
  const place = e.ifbam_core_said(core);

  return decoder.decode(bytes.subarray(place, bytes.indexOf(0, place)));
}

/** Compares the recorded signals of each row with those of a CSV. */
function compareRows(core, csv, most) {
  const lines = fs.readFileSync(csv, "utf8").trimEnd().split("\n").slice(1, most + 1);
  const n = e.ifbam_core_n_signals(core);
  const place = e.malloc(8 * n + 8);
  const stride = e.ifbam_core_stride(core);
  let differs = "";
  let row = 0;

  for (; row < lines.length && differs === ""; row++) {
    if (row > 0 && e.ifbam_core_advance(core, stride) !== 0) {
      differs = said(core);
    }
    e.ifbam_core_signals(core, place);
    const values = [e.ifbam_core_row(core, 0, 0), ...new Float64Array(e.memory.buffer, place, n)];
    const wanted = lines[row].split(",").map(Number);

    if (values.length !== wanted.length || values.some((value, i) => !Object.is(value, wanted[i]))) {
      differs = differs || `row ${row}: ${values.slice(0, 5)} is not ${wanted.slice(0, 5)}`;
    }
  }
  e.free(place);
  return { rows: row - (differs === "" ? 0 : 1), differs };
}

function addCourse(core, name, [times, values]) {
  const bytes = encoder.encode(name + "\0");
  const [text, numbers] = [e.malloc(bytes.length), e.malloc(16 * times.length)];

  new Uint8Array(e.memory.buffer).set(bytes, text);
  new Float64Array(e.memory.buffer, numbers, 2 * times.length).set([...times, ...values]);
  e.ifbam_core_add_course(core, text, numbers, numbers + 8 * times.length, times.length);
  e.free(text);
  e.free(numbers);
}

function answer({ text, file, csv, rows, courses = {} }) {
  const bytes = file === undefined ? encoder.encode(text) : fs.readFileSync(file);
  const place = e.malloc(bytes.length + 1);
  const core = e.ifbam_core_new();

  new Uint8Array(e.memory.buffer).set(bytes, place);
  Object.entries(courses).forEach(([name, course]) => addCourse(core, name, course));
  const failed = e.ifbam_core_read_text(core, place, bytes.length) !== 0;

  e.free(place);
  const result = failed ? { faults: JSON.parse(said(core)) } : csv === undefined ? { faults: [] }
    : compareRows(core, csv, rows);

  e.ifbam_core_free(core);
  return result;
}

for await (const line of readline.createInterface({ input: process.stdin })) {
  console.log(JSON.stringify(answer(JSON.parse(line))));
}
