#!/usr/bin/python3
# test-options.py: pictures with each option beside each other, commands with odd options and files: they are done whole, or refused with a word
# SPDX-License-Identifier: GPL-3.0-or-later
#
#   TEST_EFFORT=full tests/test-options.py      each in a terminal and as a picture, not every second and sixth
#   ODD=all tests/test-options.py               all odd options, pairs of options and odd files, all questions about all that is shipped (half an hour)
#
# A picture is SVG that parses, with its title and axes; in a terminal it is as wide as that at most, and has its ticks.
# JSON parses and has finite numbers. Errors have exit code 1 or 2 and a message in one paragraph.
import itertools
import json
import os
import re
import shutil
import subprocess
import tempfile
import xml.etree.ElementTree

from expect import by_effort, check, finish, ifbam, networks

each = by_effort(8, 2, 1)


def odd(few):
    """Each nth of them."""
    return 1 if os.environ.get("ODD") == "all" else by_effort(2 * few, few, 1)


work = tempfile.mkdtemp()
os.chdir(work)


def network(name):
    return os.path.join(networks, name + ".ini")


def write(name, text):
    with open(name, "w", encoding="utf-8") as file:
        file.write(text)
    return name


def fault(done, named=()):
    """Why this is no answer; "": it is one. A message begins with the program, a network, or a file that was named."""
    if done.returncode not in (0, 1, 2):
        return "exit %d: %s" % (done.returncode, done.stderr[-300:])
    if done.returncode != 0 and not re.match(r"(ifbam|\S+\.(ini|csv|h5)\b|%s).*" % re.escape(networks), done.stderr) \
            and not any(name and done.stderr.startswith(name + ": ") for name in named):
        return "no message: %r" % done.stderr[:300]
    if done.returncode == 2 and done.stdout:
        return "a wrong command line printed: %r" % done.stdout[:100]
    return ""


def text_fault(kind, words):
    done = ifbam("plot", kind, *words, env=dict(os.environ, COLUMNS="80", LINES="30"))
    why = fault(done)
    if not why and done.returncode == 0:
        lines = done.stdout.split("\n")
        if max(map(len, lines)) > 80:
            why = "wider than the terminal: %r" % max(lines, key=len)
        elif not re.search(r"\d", done.stdout) or len(lines) < 5:
            why = "nothing is drawn: %r" % done.stdout
    return why, done


def picture_fault(kind, words):
    done = ifbam("plot", kind, *words, "-o", "picture.svg")
    why = fault(done)
    if not why and done.returncode == 0:
        said = " ".join(xml.etree.ElementTree.parse("picture.svg").getroot().itertext())
        if "--title" in words and words[len(words) - words[::-1].index("--title")] not in said:
            why = "its title is missing"
        elif not re.search(r"\d", said):
            why = "no ticks"
    elif os.path.exists("picture.svg"):
        why = why or "a picture is left"
    if os.path.exists("picture.svg"):
        os.remove("picture.svg")
    return why, done


def plots(kind, sources, options):
    """Each source with each nth set of options in a terminal, some as SVG, too: both draw, or both refuse."""
    faults, drawn, refused = [], 0, 0
    for (s, source), (o, more) in itertools.product(enumerate(sources), enumerate(options)):
        if (s + o) % each:
            continue
        words = [*source, *more]
        why, text = text_fault(kind, words)
        if (s + o) // each % 3 == 0 or each == 1:
            also, picture = picture_fault(kind, words)
            why = why or also
            if not why and text.returncode != picture.returncode:
                why = "exit %d in a terminal, %d as SVG: %s" % (text.returncode, picture.returncode, text.stderr + picture.stderr)
        drawn += text.returncode == 0
        refused += text.returncode != 0
        if why:
            faults.append("plot %s %s: %s" % (kind, " ".join(words), why))
    check(not faults and drawn > 0, "plot %s: %d drawn, %d refused with a word" % (kind, drawn, refused), "\n".join(faults))


RANGES = [[], ["--x", "0.1:"], ["--x", ":0.2"], ["--y", "0:"], ["--y", ":0.001"], ["--x", "0.1:0.3", "--y", "-0.001:0.001"], ["--x", "1e6:2e6"],
          ["--y", "1e6:2e6"], ["--x", "2:1"], ["--title", "A title"], ["--title", ""], ["--log"]]
lone = write("lone.ini", "[network]\nstep = 1 ms\nduration = 1 s\n[mass m]\nmass = 1 kg\n")
drifting = write("drifting.ini", "[network]\nstep = 1 ms\nduration = 1 s\n[mass m]\nmass = 1 kg\nvelocity = 1 m/s\n")
circuit = network("two-capacitors")
plots("course", [[network("two-dof")], [lone], [network("two-dof"), network("three-dof"), "--signal", "m1.position"],
                 [network("collision"), "--signal", "*.velocity"], [circuit]],
      RANGES + [["--also", "m1.mass=2 kg"], ["--signal", "m1.position", "--signal", "network.energy"], ["--duration", "1ms"]])
plots("phase", [[network("two-dof")], [lone], [drifting], [circuit]], RANGES)
plots("spectrum", [[network("two-dof")], [lone], [network("damped"), "--welch"]],
      RANGES + [["--count", "0"], ["--count", "1"], ["--count", "all"], ["--window", "none"], ["--x", "5Hz:"], ["--x", ":50Hz", "--log"], ["--segment", "0.1s"]])
plots("spectrogram", [[network("duffing"), "--duration", "4s"], [lone], [network("duffing"), network("two-dof"), "--duration", "2s", "--title", "both"]],
      [[], ["--log"], ["--x", "0.5:1.5"], ["--y", ":5Hz"], ["--y", "1:3", "--log"], ["--x", "100:200"], ["--y", "1e5:2e5"], ["--title", ""], ["--segment", "0.2s", "--overlap", "0.9"],
       ["--duration", "5ms"]])
plots("modes", [[network("chain")], [lone], [network("chain-1000")], [network("damped")], [network("gear-train")], [drifting]],
      [[], ["--count", "1"], ["--count", "6"], ["--count", "all"], ["--title", "shapes"], ["--x", "2:3"], ["--y", "0:1"], ["--y", ":0.5"], ["--x", ":2"]])
plots("stability", [[network("three-dof")], [network("damped")], [lone], [circuit], [network("chain-1000")], [network("duffing")]],
      [[], ["--step", "1ms"], ["--x", "1:10"], ["--x", "1:"], ["--x", ":10"], ["--y", "1e-3:1"], ["--y", "0:1"], ["--y", "1e-3:"], ["--title", "growth"], ["--x", "0:0"]])
ways = [network(name) for name in ("ball-sine-small", "balls", "ball-listing", "ball-sine-big")]
plots("path", [[way] for way in ways] + [[network("two-dof")]], [[], ["--x", "0:1"], ["--x", "0:"], ["--x", ":1"], ["--y", "0:1"], ["--title", "way"], ["--x", "1e6:2e6"], ["--signal", "nobody"]])

# Responses and sweeps, from networks and from their tables.
ifbam("response", network("three-dof"), "--input", "force@m1", "--points", "20", "-o", "response.csv")
ifbam("response", network("damped"), "--input", "position@wall", "--output", "m1.position", "--output", "k1.force", "--points", "1", "--from", "3", "--to", "3", "-o", "one.csv")
inputs = [[network("three-dof"), "--input", "force@m1", "--points", "30"], [network("damped"), "--input", "position@wall", "--points", "30"],
          ["response.csv"], ["one.csv"], [network("damped"), "--input", "force@m1", "--from", "1", "--to", "1e7", "--points", "40"]]
plots("response", inputs, [[], ["--db"], ["--log"], ["--linear"], ["--linear", "--db"], ["--x", "2:20"], ["--x", ":3"], ["--x", "3:"], ["--y", "1e-6:1"], ["--y", ":1"], ["--x", "1e9:2e9"],
                           ["--output", "m1.position"], ["--output", "m1.position", "--output", "k1.force"], ["--output", "nobody.position"], ["--title", "answer"], ["--title", ""]])
for name, words in {
    "line.csv": ["--vary", "k1.stiffness=5kN/m:20kN/m:5", "--measure", "max:m2.position,rms:m1.velocity"],
    "log.csv": ["--vary", "k1.stiffness=1N/m:1MN/m:7:log", "--measure", "frequencies"],
    "map.csv": ["--vary", "k1.stiffness=5kN/m:20kN/m:4", "--vary", "m1.mass=1,2,4 kg", "--measure", "max:m2.position,response:force@m1:m2.position"],
    "cube.csv": ["--vary", "k1.stiffness=5kN/m,6kN/m", "--vary", "m1.mass=1,2", "--vary", "m2.mass=1,2", "--measure", "final:m1.position"],
    "diverging.csv": ["--vary", "network.step=1ms,2ms,50ms,100ms", "--scheme", "verlet", "--duration", "40s", "--measure", "max:m1.position", "--allow-divergence"],
    "lines.csv": ["--vary", "m1.mass=1,2 kg", "--measure", "spectrum:m1.position,damping", "--best", "min:damping"],
}.items():
    done = ifbam("sweep", network("two-dof"), *words, "-o", name)
    if done.returncode != 0 and not os.path.exists(name):
        words = words[:-2]
        done = ifbam("sweep", network("two-dof"), *words, "-o", name)
    check(done.returncode == 0, "a sweep for %s" % name, done.stderr)
write("plain.csv", "gap,k.stiffness,final:x\n1,2,3\n2,2,4\n3,2,5\n")
write("damper.csv", "d.damping,max:m1.position,response:force@m1:m1.position:frequency\n1,2,3\n10,3,4\n100,,5\n")
plots("sweep", [["line.csv"], ["log.csv"], ["map.csv"], ["cube.csv"], ["diverging.csv"], ["lines.csv"], ["plain.csv"], ["damper.csv"]],
      [[], ["--log"], ["--x", "6000:"], ["--x", ":2"], ["--y", ":1"], ["--y", "0:1"], ["--title", "table"], ["--signal", "max:m2.position"], ["--signal", "*m1*"], ["--signal", "nothing"],
       ["--x", "2:3", "--y", "1.5:3"]])

# Each option of each command: alone, with invalid values, and in pairs.
small = write("small.ini", "[network]\nstep = 1 ms\nduration = 20 ms\n[ground g]\n[mass m1]\nmass = 1 kg\nposition = 1 mm\n[mass m2]\nmass = 2 kg\n"
              "[spring k1]\nstiffness = 1 kN/m\nbetween = g, m1\n[spring k2]\nstiffness = 2 kN/m\nbetween = m1, m2\n")
pushed = write("pushed.ini", "[network]\nstep = 1 ms\nduration = 20 ms\nscheme = rk4\n[ground g]\n[mass m1]\nmass = 1 kg\n[spring k1]\nstiffness = 1 kN/m\n"
               "between = g, m1\n[damper d1]\ndamping = 30 N s/m\nbetween = g, m1\n[force push]\non = m1\namplitude = 1 N\nfrequency = 10 Hz\n")
lesson = write("small.lesson.md", "# Lesson\n```lesson\nnetwork small.ini\n```\n## Step\n```lesson\nexpect holds\n```\n")
psd = write("psd.csv", "frequency [Hz],psd\n1,1\n100,2\n")
COMMANDS = {  # required arguments of each
    "run": ["run", small], "check": ["check", small], "elements": ["elements"], "schemes": ["schemes"], "dialogue": ["dialogue", small],
    "spectrum": ["spectrum", small, "--duration", "1s"], "modes": ["modes", small], "stability": ["stability", small],
    "response": ["response", small, "--input", "force@m1", "--points", "5"], "equilibrium": ["equilibrium", small],
    "sweep": ["sweep", small, "--vary", "m1.mass=1,2 kg", "--measure", "max:m1.position"], "plot": ["plot", "course", small],
    "plot response": ["plot", "response", small, "--input", "force@m1"], "plot spectrum": ["plot", "spectrum", small],
    "report": ["report", small, "-o", "out.html"], "lab": ["lab", small, "-o", "out.html"],
    "export --c": ["export", small, "--c", "-o", "out.c"], "export --fmu": ["export", small, "--fmu", "-o", "out.fmu"],
    "export --columns": ["export", small, "--columns", "-o", "out.h5"],
    "export --state-space": ["export", small, "--state-space", "--input", "force@m1", "-o", "out.json"], "rerun": ["rerun", "none.h5"], "orbit": ["orbit", pushed], "section": ["section", pushed, "--settle", "2", "--last", "2"],
    "lesson": ["lesson", "check", lesson],
}
WRONG = ["", "-1", "x", "1e999", ",", "0", "=", "none/there.csv"]
RIGHT = {"--scheme": "verlet", "--step": "0.5ms", "--tolerance": "1e-6", "--duration": "10ms", "--start": "cold", "--record": "m1.position", "--sample": "2ms",
         "--set": "m1.mass=3 kg", "--engine": "objects", "--threads": "2", "--output": "m1.position", "--file": "out.csv", "--signal": "m1.position", "--count": "1",
         "--title": "both", "--x": "0:0.01", "--y": "-1:1", "--also": "m2.mass=1 kg", "--window": "hann", "--segment": "5ms", "--overlap": "0.5", "--from": "1",
         "--to": "20", "--points": "3", "--input": "force@m1", "--near": "3", "--up-to": "100", "--check": "1", "--cycles": "2", "--list": "nodes", "--threshold": "0.1",
         "--vary": "m2.mass=1,2", "--measure": "rms:m2.position", "--best": "min:max:m1.position", "--part": "1/2", "--checkpoint": "point.h5", "--resume": "none.h5",
         "--manifest": "made.json", "--events": "events.csv", "--initial": "none.h5", "--final": "final.h5", "--network": small, "--speed": "2", "--text": small,
         "--fmi": "2", "--export": "matrices", "--optimise": "min:max:m1.position", "--over": "m1.position", "--order": "1",
         "--csv": "decimal=.", "--periods": "2", "--settle": "5", "--source": "push", "--at": "k1.impact", "--last": "2", "--carry": "up", "--psd": psd, "--mac": small}
kept = set(os.listdir("."))


def options_of(command):
    """(--name, whether it takes a value) as its help has them."""
    said = ifbam(command, "--help").stdout
    return [(name, bool(value)) for name, value in re.findall(r"^  (?:-\w, )?(--[a-z-]+)(=\S+)?(?= )", said, re.M)]


def answer(words):
    """Returns TRUE if the command succeeds, and the fault of its output; removes its files."""
    done = ifbam(*words, stdin=subprocess.DEVNULL, timeout=600)
    left = sorted(set(os.listdir(".")) - kept)
    why = fault(done, [word.partition("=")[2] for word in words])
    ran = re.search("diverged at t =|at t = .*are kept", done.stderr)  # rows before are kept, or drawn
    if not why and done.returncode != 0 and left and not ran and not set(left) <= {"made.json"}:
        why = "exit %d, and it leaves %s" % (done.returncode, left)
    if not why and done.returncode != 0 and len(done.stderr) > 1500:
        why = "too many words: %s" % done.stderr[:300]
    for name in left:
        shutil.rmtree(name) if os.path.isdir(name) else os.remove(name)
    return done.returncode == 0, "%s: %s" % (" ".join(words), why) if why else ""


asked = fine = 0
faults = []
for c, (name, words) in enumerate(COMMANDS.items()):
    known = options_of(words[0])
    singles = [[option + "=" + value] for option, takes in known if takes for value in WRONG] + [[option] for option, takes in known if not takes]
    singles = [more for i, more in enumerate(singles) if (c + i) % odd(16) == 0]
    right = [option + ("=" + RIGHT[option] if takes else "") for option, takes in known]
    pairs = [list(pair) for i, pair in enumerate(itertools.combinations(right, 2)) if (c + i) % odd(80) == 0]
    for more in singles + pairs:
        did, why = answer([*words, *more])
        asked += 1
        fine += did
        faults += [why] if why else []
check(not faults and 0 < fine < asked, "%d of %d command lines with odd options are done, the others refused with a word" % (fine, asked), "\n".join(faults))

# Each command with each file that is none, or damaged, or of a network that goes wrong.
HEAD = "[network]\nstep = 1 ms\nduration = 20 ms\n"
os.mkdir("folder.ini")
kept.add("folder.ini")
SOURCES = {
    # never useful
    "missing.ini": None, "folder.ini": None, "missing.csv": None, "missing.h5": None, "empty.ini": "", "garbage.ini": "\0\1\2[\xff", "open.ini": HEAD + "[mass m",
    "class.ini": HEAD + "[mess m]\nmass = 1\n", "lacks.ini": HEAD + "[mass m]\n", "twice.ini": HEAD + "[mass m]\nmass = 1\n[mass m]\nmass = 2\n",
    "unit.ini": HEAD + "[mass m]\nmass = 1 s\n", "ends.ini": HEAD + "[mass m]\nmass = 1\n[spring k]\nstiffness = 1\nbetween = m, n\n",
    "huge.ini": HEAD + "[chain c]\ncount = 1e15\nmass = 1\nstiffness = 1\n", "loop.ini": HEAD + "[ball a]\nmass = 1\nradius = 1\n[ball b]\nmass = 1\nradius = 1\n[bounce c]\nbetween = a, b\n",
    "empty.csv": "", "garbage.csv": "\0\1\2", "garbage.h5": "\x89HDF\r\n\x1a\n and no more", "words.csv": "time,a\n0,x\n", "ragged.csv": "time,a\n0,1\n1\n",
    # some can
    "names.csv": "time,a\n", "row.csv": "time,a\n0,1\n", "back.csv": "time,a\n1,1\n0,2\n", "endless.csv": "time,a\n0,1\n1,inf\n2,nan\n", "uneven.csv": "time,a\n0,1\n1,2\n5,3\n",
    "nothing.ini": HEAD, "wall.ini": HEAD + "[ground w]\n", "steep.ini": HEAD + "[ground w]\n[mass m]\nmass = 1\nposition = 1\n[spring k]\nstiffness = 1e9\nbetween = w, m\n",
    "thrown.ini": HEAD + "[mass m1]\nmass = 1\nvelocity = 1e200\n", "alone.ini": HEAD + "[junction m1]\n", "jammed.ini": HEAD + "[drive d]\namplitude = 1\nfrequency = 30\n[mass m1]\nmass = 1\n"
    "[ground w]\n[impact a]\nbetween = d, m1\n[impact b]\nbetween = m1, w\n",
}
NEVER = list(SOURCES)[:list(SOURCES).index("names.csv")]
for name, text in SOURCES.items():
    if text is not None:
        with open(name, "wb") as file:
            file.write(text.encode("latin-1"))
        kept.add(name)
READERS = [[None if word == small else word for word in words] for words in COMMANDS.values() if small in words]
READERS += [["plot", kind, None, *more] for kind in ("course", "phase", "spectrum", "spectrogram", "path", "modes", "response", "stability", "sweep", "regions", "roots", "elongation")
            for more in ([], ["-o", "picture.svg"], ["--signal", "m1.position", "--signal", "m1.velocity"], ["--also", "m1.mass=-1"])]
READERS += [["plot", "movie", None, "-o", "picture.svg"], ["plot", "course", small, None], ["plot", "spectrogram", None, small], ["rerun", None], ["sweep", "--join", None, None],
            ["spectrum", small, "--network", None], ["run", small, "--initial", None], ["run", small, "--resume", None, "-o", "out.csv"], ["lab", small, "--text", None, "-o", "out.html"],
            ["run", None, "--set", "m1.mass=-1"], ["run", None, "--set", "nobody.mass=1"], ["dialogue", None, "--set", "m1.mass=0"], ["run", None, "--engine", "objects"],
            ["run", None, "-o", "out.h5"], ["run", None, "--scheme", "implicit"], ["sweep", None, "--vary", "m1.mass=1,2", "--measure", "spectrum:m1.position"],
            ["sweep", None, "--vary", "m1.mass=1,2", "--measure", "damping"], ["sweep", None, "--vary", "network.step=1ms,2ms", "--measure", "response:force@m1:m1.position"]]
asked = fine = 0
faults = []
for r, reader in enumerate(READERS):
    for i, source in enumerate(SOURCES):
        if (5 * r + i) % odd(16) == 0:
            did, why = answer([source if word is None else word for word in reader])
            asked += 1
            fine += did
            if did and not why and source in NEVER and "--text" not in reader and "--resume" not in reader:
                why = "%s: exit 0 with such a file" % [source if word is None else word for word in reader]
            faults += [why] if why else []
check(not faults and 0 < fine < asked, "%d of %d commands do something with odd files, the others say why not" % (fine, asked), "\n".join(faults))

# Each question about each shipped network, in short.
shipped = sorted(os.path.join(place, name) for place, _, names in os.walk(networks) for name in names if name.endswith(".ini") and "invalid" not in place)
QUESTIONS = [["plot", "path", None], ["plot", "path", None, "-o", "picture.svg"], ["plot", "movie", None, "-o", "picture.svg"], ["plot", "phase", None], ["plot", "modes", None],
             ["plot", "stability", None], ["plot", "spectrum", None, "-o", "picture.svg"], ["plot", "spectrogram", None], ["plot", "roots", None], ["dialogue", None, "-n", "3"],
             ["dialogue", None, "-n", "1", "--scheme", "implicit-euler"], ["dialogue", None, "--scheme", "verlet"], ["check", None, "--json"], ["check", None, "--list", "signals"],
             ["check", None, "--scheme", "rk4", "--step", "auto"], ["modes", None, "--count", "2", "--near", "1"], ["modes", None, "--json", "--start", "equilibrium"],
             ["modes", None, "--export", "matrices"], ["stability", None, "--json", "--up-to", "50"], ["equilibrium", None, "--json"], ["export", None, "--c", "-o", "out.c"],
             ["export", None, "--fmu", "-o", "out.fmu"], ["export", None, "--columns", "-o", "out.h5"],
             ["export", None, "--state-space", "--input", "force@m1", "-o", "out.json"], ["lab", None, "-o", "out.html"], ["report", None, "--still", "-o", "out.html"],
             ["run", None, "--engine", "objects"], ["run", None, "--tolerance", "1e-5", "--scheme", "dopri5"], ["run", None, "--final", "final.h5"], ["run", None, "-o", "out.h5", "--compress"]]
asked = fine = 0
faults = []
for i, path in enumerate(shipped):
    with open(path, encoding="utf-8") as file:
        step = re.search(r"^step *= *([0-9.e-]+) *(\w*)", file.read(), re.M)
    for q, question in enumerate(QUESTIONS):
        if (i + 37 * q) % odd(60):
            continue
        words = [path if word is None else word for word in question]
        if step and question[0] in ("run", "report") or question[:2] in (["plot", "path"], ["plot", "movie"], ["plot", "phase"], ["plot", "spectrum"], ["plot", "spectrogram"]):
            words += ["--duration", "%g %s" % (float(step[1]) * 300, step[2] or "s")] if step else []
        did, why = answer(words)
        asked += 1
        fine += did
        faults += [why] if why else []
check(not faults and 0 < fine < asked, "%d of %d questions about shipped networks are answered, the others refused with a word" % (fine, asked), "\n".join(faults))

# Values for the inputs that `check` lists of a shipped network, or for similar names.
asked = fine = 0
faults = []
for i, path in enumerate(shipped):
    if i % odd(12):
        continue
    inputs = ifbam("check", path, "--list", "inputs").stdout.split()
    inputs = inputs[::max(1, len(inputs) // 3)][:4]
    for name in inputs + ["force@" + name.split("@")[1] for name in inputs[:1]]:
        words = ["response", path, "--input", name, "--from", "1", "--to", "10", "--points", "3"]
        did, why = answer(words)
        asked += 1
        fine += did
        faults += [why] if why else []
check(not faults and 0 < fine < asked, "%d of %d inputs of shipped networks have an answer, the others say why not" % (fine, asked), "\n".join(faults))

shutil.rmtree(work)
finish()
