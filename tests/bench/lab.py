#!/usr/bin/python3
# lab.py: what a laboratory's page takes: a slider move, a frame, memory
# SPDX-License-Identifier: GPL-3.0-or-later
#
#   tests/bench/lab.py [NETWORK [NAME]]      networks/three-dof.ini, k2.stiffness; Chromium without a window
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from browser import start_browser, wait_for

network = sys.argv[1] if len(sys.argv) > 1 else "networks/three-dof.ini"
name = sys.argv[2] if len(sys.argv) > 2 else "k2.stiffness"
folder = tempfile.mkdtemp(prefix="ifbam-bench-lab-")
page = os.path.join(folder, "lab.html")
subprocess.run([os.environ.get("IFBAM", "build/ifbam"), "lab", network, "-o", page], check=True)
browser = start_browser(os.path.join(folder, "profile"))
MOVES = """const done = arguments[2]; (async () => { const times = []; const own = lab.network.value(arguments[0]);
  for (let i = 0; i < arguments[1]; i++) { const begun = performance.now();
    await lab.change(arguments[0], own * (0.5 + i / arguments[1]), false); times.push(performance.now() - begun);
    await new Promise((go) => setTimeout(go, 0)); }
  done(times); })()"""
FRAMES = """const done = arguments[0]; const works = []; const end = performance.now() + 10000; lab.play(true);
  const frame = () => { works.push(lab.state.work); if (!lab.state.playing) { lab.play(true); }
    if (performance.now() < end) { requestAnimationFrame(frame); } else { lab.play(false); done(works); } };
  requestAnimationFrame(frame)"""


def show(what, times):
    times = sorted(t for t in times if t is not None)
    print("%s: median %.1f ms, 95 %% %.1f ms of %d" % (what, times[len(times) // 2], times[int(0.95 * len(times))], len(times)),
          flush=True)


def memory():
    browser.execute_cdp_cmd("HeapProfiler.collectGarbage", {})
    return browser.execute_script("return performance.memory.usedJSHeapSize") / 1e6


try:
    browser.set_script_timeout(600)
    browser.get("file://" + page)
    wait_for(lambda: browser.execute_script("return document.documentElement.dataset.ready"), 60)
    show("a slider move to the drawn picture", browser.execute_async_script(MOVES, name, 200))
    before = memory()
    browser.execute_async_script(MOVES, name, 1000)
    print("memory after 1000 moves: %.1f MB, before them %.1f MB" % (memory(), before), flush=True)
    show("work of a frame over 10 s", browser.execute_async_script(FRAMES))
finally:
    browser.quit()
    shutil.rmtree(folder)
