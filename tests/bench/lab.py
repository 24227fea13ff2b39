#!/usr/bin/python3
# lab.py: costs of a laboratory's page: a slider's move, a frame, memory
# SPDX-License-Identifier: GPL-3.0-or-later
#
#   tests/bench/lab.py                       three-dof: moves and memory; a hundred balls: frames, and ten minutes of them
#   tests/bench/lab.py NETWORK NAME          another network, of which NAME (k2.stiffness) is moved
#
# Chromium without a window. Times depend on other processes: the load is printed beside them.
import os
import random
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from browser import start_browser, wait_for

folder = tempfile.mkdtemp(prefix="ifbam-bench-lab-")
# For at most so many seconds. The promise is kept when all pictures but the spectrum are drawn.
MOVES = """const done = arguments[3]; (async () => { const times = []; const own = lab.network.value(arguments[0]);
  const end = performance.now() + 1000 * arguments[2];
  for (let i = 0; i < arguments[1] && performance.now() < end; i++) { const begun = performance.now();
    await lab.change(arguments[0], own * (0.5 + i / arguments[1]), false); times.push(performance.now() - begun);
    await new Promise((go) => setTimeout(go, 0)); }
  done(times); })()"""
FRAMES = """const done = arguments[0]; const works = []; const end = performance.now() + 10000; lab.play(true);
  const frame = () => { works.push(lab.state.work); if (!lab.state.playing) { lab.play(true); }
    if (performance.now() < end) { requestAnimationFrame(frame); } else { lab.play(false); done(works); } };
  requestAnimationFrame(frame)"""
# Ten minutes at 60 frames a second, one behind the other.
MINUTES = """const done = arguments[0]; const last = Number(document.getElementById("scrub").max); let k = 0;
  const some = () => { for (let i = 0; i < 300; i++, k++) { lab.state.time = last * (k % 900) / 900; lab.draw(); }
    if (k < 36000) { setTimeout(some, 0); } else { done(k); } };
  some()"""


def write_balls(path, n=100):
    """A hundred balls in a valley as deep as a box, each of which may hit each other and the ground."""
    random.seed(1)
    lines = ["[network]", "scheme = rk4", "step = 2 ms", "duration = 4 s", "sample = 10 ms", "[surface box]", "amplitude = 3 m",
             "wavelength = 9 m", "[gravity earth]", "on = " + ", ".join("b%d" % i for i in range(n))]
    for i in range(n):
        lines += ["[ball b%d]" % i, "mass = 1 kg", "radius = 10 cm", "x = %.3f m" % (-2.25 + 1.3 + 0.27 * (i % 10 - 4.5) - 0.05 * random.random()),
                  "y = %.3f m" % (1.5 + 0.27 * (i // 10))]
        lines += ["[bounce f%d]" % i, "restitution = 0.95", "between = b%d, box" % i]
        for j in range(i):
            lines += ["[bounce h%d-%d]" % (j, i), "restitution = 0.95", "between = b%d, b%d" % (j, i)]
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


def show(what, times):
    times = sorted(t for t in times if t is not None)
    print("%s: median %.1f ms, 95 %% %.1f ms of %d (load %.1f)"
          % (what, times[len(times) // 2], times[int(0.95 * len(times))], len(times), os.getloadavg()[0]), flush=True)


def memory(browser):
    """Of the scripts with their arrays, and of the core's instances."""
    browser.execute_cdp_cmd("HeapProfiler.collectGarbage", {})
    heap = browser.execute_cdp_cmd("Runtime.getHeapUsage", {})
    return "%.2f MB, arrays %.2f MB, cores %.2f MB" % (heap["usedSize"] / 1e6, heap.get("backingStorageSize", 0) / 1e6,
                                                       browser.execute_script("return lab.memory()") / 1e6)


def open_page(browser, network):
    page = os.path.join(folder, "lab.html")
    subprocess.run([os.environ.get("IFBAM", "build/ifbam"), "lab", network, "-o", page], check=True)
    browser.get("about:blank")
    browser.get("file://" + page)
    wait_for(lambda: browser.execute_script("return document.documentElement.dataset.ready"), 120)
    print("%s: %d kB, ready after %s ms" % (os.path.basename(network), os.path.getsize(page) / 1000, browser.execute_script(
        "return document.documentElement.dataset.ready")), flush=True)


def processor_time(browser):
    """Time of the page's thread, without other threads."""
    metrics = browser.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]
    return next(m["value"] for m in metrics if m["name"] == "TaskDuration")


def bench_moves(browser, network, name):
    open_page(browser, network)
    browser.execute_cdp_cmd("Performance.enable", {"timeDomain": "threadTicks"})
    before = processor_time(browser)
    times = browser.execute_async_script(MOVES, name, 200, 30)
    show("a slider's move to the drawn picture", times)
    print("processor time of a move, with spectra and frames: %.1f ms" % (1e3 * (processor_time(browser) - before) / len(times)), flush=True)
    before = memory(browser)
    moves = len(browser.execute_async_script(MOVES, name, 1000, 120))
    print("memory after %d moves: %s; before them: %s" % (moves, memory(browser), before), flush=True)


def bench_frames(browser, network):
    open_page(browser, network)
    print("%d events" % browser.execute_script("return lab.state.run.events.length"))
    show("work of a frame over 10 s", browser.execute_async_script(FRAMES))
    before = memory(browser)
    frames = browser.execute_async_script(MINUTES)
    print("memory after %d frames: %s; before them: %s" % (frames, memory(browser), before), flush=True)


driver = start_browser(os.path.join(folder, "profile"))
try:
    driver.set_script_timeout(900)
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": 1280, "height": 800, "deviceScaleFactor": 1, "mobile": False})
    if len(sys.argv) > 2:
        bench_moves(driver, sys.argv[1], sys.argv[2])
        bench_frames(driver, sys.argv[1])
    else:
        bench_moves(driver, "networks/three-dof.ini", "k2.stiffness")
        write_balls(os.path.join(folder, "balls.ini"))
        bench_frames(driver, os.path.join(folder, "balls.ini"))
finally:
    driver.quit()
    shutil.rmtree(folder)
