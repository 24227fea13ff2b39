#!/usr/bin/python3
# test-ranks.py: several processes carry a network: layers, columns, accounts, events, checkpoints, refusals; where one fails, all end
# SPDX-License-Identifier: GPL-3.0-or-later
import concurrent.futures
import math
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import islands
from matrix import ways
from expect import by_effort, check as told, effort, finish, networks, program

ranks_program = program + "-mpi"
if shutil.which("mpirun") is None:
    print("ok - ranks # skip no mpirun")
    sys.exit(0)
if not os.path.exists(ranks_program):
    print("not ok - ranks: %s is not built" % ranks_program)
    sys.exit(1)
ranks_program = os.path.abspath(ranks_program)
own_program = os.path.abspath(program)
networks = os.path.abspath(networks)
script = os.path.abspath(__file__)
work = tempfile.TemporaryDirectory()
os.chdir(work.name)

# Ranks on one machine, more of them than it has processors; they look for the others in memory only. Each test has
# a folder of its own for mpirun's temporary files: an mpirun that ends removes the folder that another is about to use.
MPIRUN = [*ways.MPIRUN, "--mca", "orte_tmpdir_base", work.name]
ENVIRONMENT = {**os.environ, "ASAN_OPTIONS": "detect_leaks=0"}


def mpirun(n, *words, forced=None, by=(), **more):
    """Removes Open MPI's messages about a failed job: only ifbam's lines remain."""
    environment = dict(ENVIRONMENT, **({} if forced is None else {"IFBAM_RANKS": forced}))
    done = subprocess.run([*MPIRUN, "-n", str(n), *by, ranks_program, *words], capture_output=True, text=True,
                          env=environment, timeout=120, **more)
    done.said = [line for line in done.stderr.split("\n") if line.startswith("ifbam") or ".ini" in line]
    return done


def alone(*words):
    return subprocess.run([own_program, *words], capture_output=True, text=True, env=ENVIRONMENT)


def check(what, fine, why=""):
    told(bool(fine), what, why)


def read(path):
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None


def write(path, text):
    with open(path, "w") as file:
        file.write(text)
    return path


# ---- networks: two parts of a network meet in one place, in lines, all over

HEAD = "[network]\nstep = %s\nduration = %s\nscheme = %s\nrecord = %s\n\n[ground wall]\n\n"


def chain(n, scheme, damped, step="1 ms", duration="150 ms", record="c.m1.position,c.m%d.velocity,c.k3.force", more=""):
    return write("chain.ini", HEAD % (step, duration, scheme, record.replace("%d", str(n // 2))) + """[chain c]
count = %d
mass = 1 kg, 1.1 kg, 0.9 kg
stiffness = 1 kN/m, 1.3 kN/m, 0.8 kN/m, 1.05 kN/m
%sposition = 1 mm, 0 mm, -0.5 mm, 0.2 mm, 0.1 mm
from = wall
to = wall
%s""" % (n, "damping = 1 N s/m, 2 N s/m\n" if damped else "", more))


def membrane(side, scheme, damped, web=False, step="1 ms", duration="150 ms",
             record="m1.position,k5.force,m20.acceleration,kw.compression"):
    """web: with more links across, and all in any order."""
    draw = random.Random(1)
    nodes = [(i, j) for i in range(side) for j in range(side)]
    links = [((i, j), (i, j + 1)) for i, j in nodes if j + 1 < side] + [((i, j), (i + 1, j)) for i, j in nodes if i + 1 < side]
    links.sort()
    if web:
        for k in range(side * side // 4):
            i, j = draw.randrange(side - 2), draw.randrange(side - 2)
            links.append(((i, j), (i + 1 + k % 2, j + 1 + k // 2 % 2)))
        links = sorted(set(links))
        draw.shuffle(nodes)
        draw.shuffle(links)
    number = {node: k + 1 for k, node in enumerate(nodes)}
    text = HEAD % (step, duration, scheme, record)
    for k in number.values():
        text += "[mass m%d]\nmass = %.6f kg\nposition = %.5f mm\n" % (k, 1 + 0.1 * math.cos(k % 97), math.sin(k % 101))
    for k, (one, other) in enumerate(links):
        ends = "between = m%d, m%d" % (number[one], number[other])
        text += "[spring k%d]\n%s\nstiffness = %.4f N/m\n" % (k + 1, ends, 1000 + 100 * math.sin(k % 89))
        if damped:
            text += "[damper d%d]\n%s\ndamping = %.4f N s/m\n" % (k + 1, ends, 1 + 0.1 * math.sin(k % 83))
    text += "[spring kw]\nbetween = wall, m%d\nstiffness = 1 kN/m\n" % number[(0, 0)]
    return write("web.ini" if web else "membrane.ini", text)


def web(side, scheme, damped, **more):
    return membrane(side, scheme, damped, web=True, **more)


def compare(name, file, n, *words, forced=None):
    """The courses of n ranks and of one process, whole."""
    for path in ("one.csv", "many.csv"):
        if os.path.exists(path):
            os.remove(path)
    one = alone("run", file, *words, "-o", "one.csv")
    many = mpirun(n, "run", file, *words, "-o", "many.csv", forced=forced)
    same = read("one.csv") is not None and read("one.csv") == read("many.csv")
    check(name, same and many.returncode == one.returncode, "exit codes %d, %d; %s" % (one.returncode, many.returncode, many.stderr[-500:]))
    return one, many


SCHEMES = ("averaged", "original", "euler", "symplectic-euler", "verlet", "rk4")
EXCHANGES = ((2, "1"), (4, "4"), (1, "16"), (4, "64"), (3, "16"), (2, "64"))


def test_forms():
    """A line, a grid and a web over threads and many processes; that each scheme has the bits of one process is for test-matrix.py."""
    for k, (make, size, scheme) in enumerate(((chain, 500, "averaged"), (membrane, 20, "rk4"), (web, 18, "original"))):
        n, steps = EXCHANGES[k + 1]
        compare("%s, %s: %d ranks, exchanges after %s steps" % (make.__name__, scheme, n, steps), make(size, scheme, k != 2), n, forced=steps)
    compare("two ranks of two threads each", web(40, "averaged", True), 2, "--threads", "2")
    if effort == "full":
        compare("eight ranks", membrane(40, "verlet", True), 8)


def test_layers():
    """Nodes that lack a link go by no number at all: with D layers the results are right, with one less the run ends."""
    layers = ((chain, 400, "averaged", 16, 9), (membrane, 40, "verlet", 4, 4), (web, 40, "rk4", 1, 4), (chain, 400, "rk4", 2, 8),
              (web, 40, "original", 8, 5))
    for make, size, scheme, steps, depth in layers[:by_effort(2, 3, 5)]:
        file = make(size, scheme, True, step="200 us", duration="40 ms")
        compare("%s, %s: %d layers do" % (make.__name__, scheme, depth), file, 4, forced="%d,%d,nan" % (steps, depth))
        less = mpirun(4, "run", file, "-o", "less.csv", forced="%d,%d,nan" % (steps, depth - 1))
        check("%s, %s: %d layers don't" % (make.__name__, scheme, depth - 1),
              less.returncode == 1 and any("not finite" in line for line in less.said) and len(less.said) == 1, less.stderr[-500:])


DRIVEN = """
[drive d]
amplitude = 1 mm
frequency = 3 Hz

[force push]
on = c.m40
amplitude = 2 N
frequency = 5 Hz

[gravity g]
on = c

[spring kd]
between = d, c.m7
stiffness = 500 N/m

[bouc-wen mx]
between = c.m30, c.m31
stiffness = 300 N/m
ratio = 0.3
yield = 1 mm
"""


BETWEEN_GIVEN = """
[drive d]
amplitude = 10 mm
frequency = 10 Hz

[friction f]
coulomb = 5 N
between = wall, d

[plastic-spring p]
stiffness = 1 kN/m
yield = 4 N
between = wall, d
"""


def test_between_given():
    """Links at given nodes only: one rank has those without nodes, and states go whole."""
    for k, scheme in enumerate(("averaged", "rk4")):
        file = chain(200, scheme, True, record="c.m1.position,f.force,p.force,p.elastic,d.force", more=BETWEEN_GIVEN)
        compare("%s: links between given nodes" % scheme, file, 2 + k)


def test_subnetworks():
    """Networks of which no rank compiles the whole."""
    ENVIRONMENT["IFBAM_RANKS_WHOLE"] = "0"
    records = ("c.m1.position,c.m300.velocity,c.k3.force,c.m399.acceleration", "network.energy,network.dissipated,c.d200.dissipated")
    for k, scheme in enumerate(("averaged", "rk4", "verlet", "euler")[:by_effort(2, 4, 4)]):
        file = chain(400, scheme, True, record=records[k % 2])
        compare("%s: each rank compiles its own range" % scheme, file, 2 + k % 3, forced=("4", "16", "64")[k % 3])
    file = chain(400, "averaged", True, step="200 us", duration="40 ms")
    compare("9 layers do there, too", file, 4, forced="16,9,nan")
    check("8 layers don't", mpirun(4, "run", file, "-o", "less.csv", forced="16,8,nan").returncode == 1)
    compare("so it does of a web, by PT-Scotch", web(18, "verlet", True), 3)
    del ENVIRONMENT["IFBAM_RANKS_WHOLE"]


def in_columns(file):
    """The same network with its masses and springs in a file in HDF5."""
    done = alone("export", file, "--columns", "-o", "in-columns.h5")
    check("%s goes to columns" % file, done.returncode == 0, done.stderr)
    return "in-columns.ini"


def told_alike(name, file, n):
    """Each error is printed once, with equal text."""
    one, many = alone("run", file, "-o", "no.csv"), mpirun(n, "run", file, "-o", "no.csv")
    words = [line for line in one.stderr.split("\n") if ".ini" in line]
    check(name, one.returncode == 1 and many.returncode == 1 and words and many.said == words and not os.path.exists("no.csv"), one.stderr + many.stderr)


# Recorded signals; and elements beside columns, joined to them.
RECORDED = ("c.m1.position,h.m33.velocity,x.position,s.force,e.force,h.k2.force,c.k9.force,push.force,d.force", "*.position,network.energy,network.dissipated")
AROUND = """
[mass x]
mass = 2 kg
velocity = 1 m/s

[chain h]
count = 300
mass = 1 kg, 1.1 kg
stiffness = 1 kN/m, 1.2 kN/m
damping = 1 N s/m
from = c.m7
to = x

[spring s]
between = c.m3, h.m50
stiffness = 1 kN/m

[damper e]
between = c.m300, wall
damping = 2 N s/m

[force push]
on = c.m40
amplitude = 2 N
frequency = 5 Hz

[drive d]
amplitude = 1 mm
frequency = 3 Hz

[spring kd]
between = d, c.m9
stiffness = 500 N/m
"""


def test_columns():
    """Networks in files of columns, of which no rank reads or compiles the whole."""
    try:
        import h5py
    except ImportError:
        print("# no h5py: files with faults, or with links to what is beside them, are not made")
        h5py = None
    ENVIRONMENT["IFBAM_RANKS_WHOLE"] = "0"
    records = ("c.m1.position,c.m300.velocity,c.k3.force,c.m399.acceleration", "network.energy,network.dissipated,c.d200.dissipated", "*.position")
    for k, scheme in enumerate(("averaged", "rk4", "verlet", "euler", "original", "symplectic-euler")[:by_effort(2, 4, 6)]):
        file = in_columns(chain(400, scheme, k != 2, record=records[k % 3], more="[gravity g]\non = c\n" if k == 1 else ""))
        compare("columns, %s: each rank reads what it has" % scheme, file, 2 + k % 3, forced=("4", "16", "64")[k % 3])
    file = in_columns(chain(400, "averaged", True, step="200 us", duration="40 ms"))
    compare("9 layers do there, too", file, 4, forced="16,9,nan")
    check("8 layers don't", mpirun(4, "run", file, "-o", "less.csv", forced="16,8,nan").returncode == 1)
    one, many = compare("columns that diverge", in_columns(chain(300, "verlet", False, step="50 ms", duration="50 s")), 3, forced="8")
    check("are told by who has not the whole", "would do" in one.stderr and "diverged" in many.stderr and "would do" not in many.stderr, many.stderr)
    for k, (make, scheme) in enumerate(((web, "verlet"), (membrane, "averaged"), (web, "rk4"), (web, "original"), (membrane, "euler"))[:by_effort(2, 3, 5)]):
        file = in_columns(make(18, scheme, k != 3, record=("m1.position,k5.force,m20.acceleration,kw.compression", "network.energy,m17.velocity,k300.force")[k % 2]))
        compare("a %s in columns, by PT-Scotch, %s" % (make.__name__, scheme), file, (2, 4, 3)[k % 3], forced=("4", "16", None, "64")[k % 4])
    file = in_columns(web(40, "rk4", True, step="200 us", duration="20 ms"))
    compare("4 layers do there", file, 4, forced="1,4,nan")
    check("3 layers don't", mpirun(4, "run", file, "-o", "less.csv", forced="1,3,nan").returncode == 1)
    for k, (make, scheme) in enumerate(((chain, "averaged"), (web, "rk4"), (chain, "verlet"), (web, "symplectic-euler"))[:by_effort(2, 4, 4)]):
        file = in_columns(make(400 if make is chain else 18, scheme, True, step="200 us", duration="30 ms", record="*.position"))
        own = read(file).decode().replace("*.position", RECORDED[k % 2]).replace("columns1", "c").replace("outer = wall", "outer = wall, h.m150, x")
        file = write("beside.ini", own + AROUND)
        if k > 0 and h5py is not None:
            # And links of the file that end at elements beside it.
            with h5py.File("in-columns.h5", "r+") as more:
                n = len(more["nodes/mass"])
                for name, values in (("left", (n + 1, n + 2)), ("right", (5, n + 1)), ("stiffness", (700, 800)), ("damping", (1, math.nan))):
                    had = more["links/" + name][:]
                    del more["links/" + name]
                    more["links/" + name] = [*had, *values]
        compare("columns of a %s with a chain, masses and springs beside them, %s" % (make.__name__, scheme), file, (3, 4, 2)[k % 3], forced=("4", None, "16")[k % 3])
    file = in_columns(chain(400, "averaged", True))
    with open(file, "a") as end:
        end.write("[mass x]\nmass = 1 kg\n[spring kx]\nstiffness = 1 kN/m\nbetween = x, columns1.m399\n")
    told_alike("a row that is nowhere", write("odd.ini", read(file).decode().replace("columns1.k3.force", "columns1.k402.force")), 3)
    faults = {"a node that there is not": ("links/left", 390, 10**7), "a mass that is none": ("nodes/mass", 398, -1.0), "a link of one node": ("links/right", 1, 0),
              "a stiffness that is none": ("links/stiffness", 2, math.nan)}
    for name, (dataset, row, value) in list(faults.items() if h5py is not None else ())[:by_effort(2, 4, 4)]:
        shutil.copy("in-columns.h5", "odd.h5")
        with h5py.File("odd.h5", "r+") as odd:
            odd[dataset][row] = value
            if name.startswith("a stiffness"):
                del odd["links/damping"]
        told_alike(name, write("odd.ini", read(file).decode().replace("in-columns.h5", "odd.h5")), 3)
    os.remove("in-columns.h5")
    told_alike("a file that there is not", file, 3)
    del ENVIRONMENT["IFBAM_RANKS_WHOLE"]


def test_accounts():
    """Sums over the network, supplied and dissipated work, dissipation of links, states of links, moving given nodes."""
    everything = "c.m40.position,push.force,kd.force,d.force,network.*,c.d40.dissipated,mx.force,c.m7.acceleration"
    for scheme in ("averaged", "rk4", "verlet"):
        file = chain(120, scheme, True, record=everything, more=DRIVEN, duration="100 ms")
        if alone("check", file).returncode != 0:
            check("a driven chain is a network", False, alone("check", file).stderr)
            return
        compare("%s: an account of all work on 3 ranks" % scheme, file, 3, forced="4")
    file = chain(120, "verlet", True, more=DRIVEN)
    compare("by probes between drives and forces", file, 4)
    compare("all coordinates", chain(90, "averaged", True, record="*.position"), 3)
    compare("fewer nodes than ranks", chain(2, "averaged", True, record="c.m1.position,c.m2.position"), 4)


# Sources that begin and end within steps, at a row, and periodically; a given node with a changing motion.
SWITCHED = """
[force push]
on = %s
value = 0.5 N
start = 20.3 ms
end = 70 ms

[force pulse]
on = %s
amplitude = 1 N
wave = pwm
period = 7.3 ms
duty = 0.4

[drive d]
velocity = 10 mm/s
amplitude = 1 mm
wave = ramp
at = 33.25 ms
over = 20 ms

[spring kd]
between = d, %s
stiffness = 500 N/m

[mass beside]
mass = 1 kg
position = 1 mm

[spring k-beside]
between = wall, beside
stiffness = 1 kN/m
"""


def switched(make, size, scheme, damped, **more):
    """A component without scheduled events keeps its whole steps."""
    c = "c." if make is chain else ""
    record = "%sm40.position,%sm%d.velocity,%sm41.acceleration,push.force,beside.position" % (c, c, 7 * size if make is not chain else size // 2, c)
    file = make(size, scheme, damped, duration="80 ms", record=record + more.pop("also", ""), **more)
    with open(file, "a") as end:
        end.write(SWITCHED % tuple(c + m for m in ("m40", "m150", "m7")))
    return file


def test_instants():
    """Sources and drives that begin, end and turn within steps: all ranks cut the same steps."""
    k = 0
    for make, size in ((chain, 200), (web, 14)):
        for scheme in SCHEMES:
            k += 1
            if k % by_effort(4, 2, 1) == 0:
                n, steps = EXCHANGES[k % len(EXCHANGES)]
                compare("%s, %s: what begins and ends at instants: %d ranks" % (make.__name__, scheme, n),
                        switched(make, size, scheme, k % 3 > 0, also=",network.energy" if k % 4 == 0 else ""), n, forced=steps)
    for scheme, depth in (("rk4", 8), ("averaged", 20)):
        file = switched(chain, 400, scheme, True, step="200 us")
        compare("%s: %d layers do where an instant cuts a step" % (scheme, depth), file, 4, forced="1,%d,nan" % depth)
        check("%s: %d layers don't" % (scheme, depth - 1), mpirun(4, "run", file, "-o", "less.csv", forced="1,%d,nan" % (depth - 1)).returncode == 1)
    file = switched(chain, 200, "verlet", False)
    for words, said in ((("--final", "f.h5"), "a state"), (("--record", "network.dissipated"), "its work"), (("--step", "50 ms"), "shorter step")):
        refused("instants with " + words[0], mpirun(2, "run", file, "-o", "no.csv", *words), '"push" (force)', said, "mpirun -n 1")
    file = chain(200, "verlet", False, step="31.2 ms", duration="60 s", more="\n[force push]\non = c.m40\nvalue = 0.5 N\nstart = 0.7 s\n")
    check("and diverges alike", compare("what begins at an instant", file, 3, forced="8")[0].returncode == 1)


def compare_events(name, file, n, *words, forced=None):
    """Rows and events, whole."""
    one = alone("run", file, *words, "-o", "one.csv", "--events", "one.events.csv")
    many = mpirun(n, "run", file, *words, "-o", "many.csv", "--events", "many.events.csv", forced=forced)
    told = read("one.events.csv")
    check(name, one.returncode == many.returncode and read("one.csv") is not None and read("one.csv") == read("many.csv") and told is not None
          and told == read("many.events.csv"), "exit codes %d, %d; %s" % (one.returncode, many.returncode, many.stderr[-500:]))
    for path in ("one.csv", "many.csv", "one.events.csv", "many.events.csv"):
        if os.path.exists(path):
            os.remove(path)
    return one, many, (told or b"").count(b"\n") - 1


BESIDE = """
[chain c]
count = 300
mass = 1 kg, 1.1 kg, 0.9 kg
stiffness = 1 kN/m, 1.3 kN/m, 0.8 kN/m, 1.05 kN/m
damping = 1 N s/m, 2 N s/m
position = 1 mm, 0 mm, -0.5 mm, 0.2 mm, 0.1 mm
from = wall
to = wall
"""
PUSHED = """
[force push]
on = c.m40
value = 0.5 N
start = 20.3 ms
end = 70 ms
"""


def test_islands():
    """Islands with impacts and friction are each on one rank, beside a chain divided over all ranks; some with
    scheduled events that cut steps of the chain."""
    n_events = 0
    for seed in range(by_effort(3, 6, 72)):
        scheme, n = SCHEMES[(seed + 1) % 6], (2, 4, 3)[seed % 3]
        record = ["c.m1.position", "c.m150.velocity", "c.k3.force", "far.acceleration"] + (["network.energy"] if seed % 4 == 3 else [])
        file = islands.write("islands.ini", islands.make(300 + seed), scheme, more=BESIDE + (PUSHED if seed % 2 else ""), record=record, duration="200 ms")
        name = "%s: random islands beside a chain on %d ranks (%d)" % (scheme, n, 300 + seed)
        n_events += compare_events(name, file, n, forced=(None, "4", "16")[seed // 2 % 3])[2]
    check("something happened: %d events" % n_events, n_events > 20)
    compare_events("one component with events is one rank's", os.path.join(networks, "struck-chain.ini"), 3)
    swings = os.path.join(networks, "double-pendulum.ini")
    one, many, _ = compare_events("a mechanism that can't go on ends all", swings, 2, "--step", "400 ms", "--sample", "400 ms", "--scheme", "verlet")
    ends = [line for line in one.stderr.split("\n") if "at t = " in line]
    check("and is told once, in the same words", len(ends) == 1 and [line for line in many.stderr.split("\n") if "at t = " in line] == ends, many.stderr)
    file = islands.write("belts.ini", [islands.stick_slip(random.Random(seed), "i%d" % seed) for seed in (1, 2)], "verlet", duration="3 s")
    compare_events("work of belts is no divergence", file, 2)


def test_warnings():
    """Warnings about a longer step are printed once, with equal text."""
    words = ("run", os.path.join(networks, "clamp.ini"), "--step", "2 ms", "--sample", "2 ms", "--record", "*.position")
    one, many = alone(*words, "-o", "one.csv"), mpirun(2, *words, "-o", "many.csv")
    said = [line for line in one.stderr.split("\n") if line.startswith("ifbam") or ".ini" in line]
    check("what one process says of a step, two say", many.returncode == one.returncode and read("one.csv") == read("many.csv")
          and said == many.said and said, "one: %s\nmany: %s" % (one.stderr, many.stderr[-1000:]))


def test_divergence():
    """The same step, the same words, the rows before."""
    file = chain(300, "verlet", False, step="50 ms", duration="50 s")
    one, many = compare("a run that diverges", file, 3, forced="8")
    last = [line for line in one.stderr.split("\n") if "diverged" in line]
    check("says so once, with node, step and advice", one.returncode == 1 and len(last) == 1 and "would do" in last[0]
          and [line for line in many.said if "diverged" in line] == last, many.stderr)


def test_checkpoints():
    """Four ranks write them, others go on from the last but one: as if nothing had been."""
    all_of_them = ((chain, 400, "averaged"), (web, 18, "verlet"), (membrane, 18, "averaged"))
    for make, size, scheme in all_of_them[:by_effort(1, 2, 3)]:
        # under averaged a source's force is in transit, too
        file = make(size, scheme, True, duration="300 ms")
        with open(file, "a") as end:
            end.write("\n[force push]\non = %sm40\namplitude = 0.5 N\nfrequency = 30 Hz\n" % ("c." if make is chain else ""))
        alone("run", file, "-o", "one.csv")
        words = ("run", file, "-o", "o.csv")
        first = mpirun(4, *words, "--checkpoint", "c.h5,100")
        check("%s, %s: a checkpoint of 4 ranks" % (make.__name__, scheme),
              first.returncode == 0 and os.path.exists("c.h5.before") and read("o.csv") == read("one.csv"), first.stderr[-500:])
        os.replace("c.h5.before", "c4.h5")
        os.replace("o.csv", "o4.csv")
        for n in (1, 2, 3, 0):
            shutil.copy("c4.h5", "c.h5")
            shutil.copy("o4.csv", "o.csv.part")
            again = mpirun(n, *words, "--resume", "c.h5") if n else alone(*words, "--resume", "c.h5")
            check("%s, %s: resumed by %s" % (make.__name__, scheme, n or "ifbam"), again.returncode == 0 and read("o.csv") == read("one.csv"),
                  again.stderr[-500:])
            for path in ("o.csv", "c.h5", "c.h5.before"):
                if os.path.exists(path):
                    os.remove(path)
    file = chain(100, "rk4", False)
    alone("run", file, "--duration", "50 ms", "-o", "start.csv", "--final", "start.h5")
    compare("a state of one process begins a run of ranks", file, 3, "--initial", "start.h5")


FOLLOWED = """[network]
step = 1 ms
duration = 100 ms
scheme = verlet
record = c.m40.position, a.position, b.velocity, d.position, e.velocity, f.position, c2.voltage, ram.position, ram.velocity
[ground wall]
[drive ram]
wave = ramp
amplitude = 5 mm
at = 20.3 ms
over = 30 ms
[mass a]
mass = 1 kg
[mass b]
mass = 2 kg
[mass d]
mass = 1 kg
position = 3 mm
[spring ka]
stiffness = 1 kN/m
between = ram, a
[spring kb]
stiffness = 2 kN/m
between = b, ram
[impact stop]
between = ram, d
[mass e]
mass = 1 kg
velocity = 0.2 m/s
[spring ke]
stiffness = 500 N/m
between = wall, e
[mass f]
mass = 1 kg
[spring kf]
stiffness = 3 kN/m
between = wall, f
[monitor seen]
signal = e.position
level = 2 mm
direction = rising
[impulse blow]
on = f
when = seen
impulse = 0.1 N s
[capacitor c1]
capacitance = 1 mF
voltage = 5 V
[capacitor c2]
capacitance = 2 mF
[resistor r]
resistance = 10 ohm
between = c1, c3
[capacitor c3]
capacitance = 1 mF
[switch s]
between = c3, c2
when = seen
resistance = 5 ohm
"""


def test_followed():
    """Nodes that read a drive with corners within steps, and impulses triggered by a monitor, are on one process together."""
    write("followed.ini", FOLLOWED + BESIDE)
    _one, _many, n = compare_events("what a ramp moves and what a monitor lets happen, among three", "followed.ini", 3)
    check("a stop is hit, the monitor tells, a switch closes, and the blow falls", n == 4, n)
    write("few.ini", "[network]\nstep = 1 ms\nduration = 50 ms\nrecord = g.position\n[ground g]\n[mass m]\nmass = 1\nposition = 1 mm\n"
          "[spring k]\nstiffness = 1 kN/m\nbetween = g, m\n")
    compare("one mass among three, of whom two have none", "few.ini", 3)
    compare("and its energy alone", "few.ini", 3, "--record", "network.energy")
    compare("rows of all that happens, and nothing told of it", "followed.ini", 3)
    compare("accelerations of what one process keeps", "followed.ini", 3, "--record", "d.acceleration,a.acceleration,c.m7.acceleration")
    done = mpirun(2, "run", "few.ini", "-o", "few.csv", by=("env", "IFBAM_RANKS_TIMES=1"))
    lines = re.findall(r"^rank ([01]): [0-9]+ steps between exchanges, [0-9]+ layers, [0-9]+ nodes; advance .* s, exchange .* s of the processor$",
                       done.stderr, re.M)
    check("each says how long it took, where that is asked", sorted(lines) == ["0", "1"], done.stderr)


def refused(name, done, *words):
    check(name, done.returncode == 2 and len(done.said) <= 2 and all(word in done.stderr for word in words), done.stderr)


def test_refusals():
    file = chain(50, "verlet", False)
    refused("objects", mpirun(2, "run", file, "--engine", "objects"), "--engine objects", "mpirun -n 1")
    refused("step = auto", mpirun(2, "run", file, "--step", "auto", "-o", "no.csv"), "step = auto", "mpirun -n 1")
    refused("an equilibrium", mpirun(2, "run", file, "--start", "equilibrium", "-o", "no.csv"), "start = equilibrium")
    refused("an implicit scheme", mpirun(2, "run", file, "--scheme", "esdirk4", "-o", "no.csv"), "esdirk4", "verlet")
    refused("a tolerance", mpirun(2, "run", file, "--scheme", "dopri5", "--tolerance", "1e-6", "-o", "no.csv"), "tolerance")
    struck = os.path.join(networks, "struck-chain.ini")
    refused("events and states", mpirun(2, "run", struck, "-o", "no.csv", "--final", "f.h5"), '"stop" (impact)', "a state", "mpirun -n 1")
    refused("events and an account", mpirun(2, "run", struck, "-o", "no.csv", "--record", "network.dissipated"), '"stop" (impact)', "its work", "mpirun -n 1")
    refused("rows about events", mpirun(2, "run", struck, "-o", "no.csv", "--event-rows"), '"stop" (impact)', "--event-rows", "mpirun -n 1")
    cruise = os.path.join(networks, "cruise.ini")
    refused("what follows a controller", mpirun(2, "run", cruise, "--scheme", "verlet", "-o", "no.csv"), '"throttle" (controller)', "mpirun -n 1")
    small = "[network]\nstep = 1 ms\nduration = 50 ms\nscheme = verlet\n[mass m]\nmass = 1\n"
    write("struck.ini", small + "[impulse blow]\non = m\nat = 5 ms\nimpulse = 1 N s\n")
    refused("blows and states", mpirun(2, "run", "struck.ini", "-o", "no.csv", "--final", "f.h5"), '"blow" (impulse)', "a state", "mpirun -n 1")
    write("seen.ini", small + "[monitor w]\nsignal = m.position\nlevel = 1 mm\n[force f]\non = m\nvalue = 1\nwhen = w\n")
    refused("a force that follows a monitor", mpirun(2, "run", "seen.ini", "-o", "no.csv"), '"w" (monitor)', "mpirun -n 1")
    write("led.ini", small + "[controller k]\nsignal = m.position\ngain = 1 1/m\nevery = 2 ms\n[drive d]\nvelocity = 1 m/s\nfollow = k\n"
          "[spring s]\nstiffness = 10\nbetween = d, m\n")
    refused("a drive that follows a controller", mpirun(2, "run", "led.ini", "-o", "no.csv"), '"k" (controller)', "mpirun -n 1")
    refused("other commands", mpirun(2, "check", file), "check", "one process")
    check("nothing was written", not os.path.exists("no.csv"))
    check("on one rank all goes", mpirun(1, "run", os.path.join(networks, "collision.ini"), "-o", "one.csv").returncode == 0)
    plain = subprocess.run([*MPIRUN, "-n", "2", own_program, "run", file, "-o", "no.csv"], capture_output=True, text=True, env=ENVIRONMENT)
    check("the plain program does not run many times over, and says so once", plain.returncode == 2 and plain.stderr.count("ifbam-mpi") == 1
          and not os.path.exists("no.csv"), plain.stderr)
    shown = mpirun(2, "run", "--help")
    check("help comes once", shown.stdout.count("Usage:") == 1, shown.stdout)
    linked = subprocess.run(["ldd", own_program], capture_output=True, text=True).stdout
    check("the plain program knows no MPI", "libmpi" not in linked and "scotch" not in linked and "libc.so" in linked, linked)


def test_faults():
    file = chain(200, "verlet", False)
    shutil.copy(file, "own.ini")
    began = time.time()
    script = 'test "$OMPI_COMM_WORLD_RANK" != 1 || cd /; exec "$@"'
    done = mpirun(3, "run", "own.ini", "-o", os.path.abspath("no.csv"), by=("sh", "-c", script, "sh"))
    check("a fault on one rank is told once", done.returncode == 1 and len(done.said) == 1 and "own.ini" in done.said[0], done.stderr)
    check("and ends all", not os.path.exists("no.csv") and not os.path.exists("no.csv.part"))
    print("# a fault on one rank: all had ended %.1f s after they were started" % (time.time() - began))
    done = mpirun(3, "run", file, "-o", "/nowhere/o.csv")
    check("so does an output that can't be opened", done.returncode != 0 and len(done.said) == 1, done.stderr)
    if os.path.exists("/dev/full"):
        done = mpirun(3, "run", file, "--duration", "60 s", "-o", "/dev/full")
        check("and a full disk", done.returncode == 1 and len(done.said) == 1 and "space" in done.said[0], done.stderr)


def begin_long(file, output, by=(), grace="5"):
    """A run of minutes, once it has rows. mpirun gives signalled processes 5 s to end; a second would do on an idle
    machine."""
    run = subprocess.Popen([*MPIRUN, "--mca", "odls_base_sigkill_timeout", grace, "-n", "3", *by, ranks_program, "run", file, "--duration", "100000 s", "--sample", "50 ms",
                            "-o", output], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True, env=ENVIRONMENT)
    for _ in range(1200):
        if (read(output + ".part") or b"").count(b"\n") > 20:
            break
        time.sleep(0.05)
    return run


def children_of(parent):
    found = []
    for entry in os.listdir("/proc"):
        try:
            with open("/proc/%s/stat" % entry) as file:
                if entry.isdigit() and int(file.read().rsplit(")", 1)[1].split()[1]) == parent:
                    found.append(int(entry))
        except (OSError, ValueError):
            continue
    return sorted(found)


def ends_in_order(name, run, output, file, *, code=None):
    began = time.time()
    try:
        said = run.communicate(timeout=120)[1]
    except subprocess.TimeoutExpired:
        run.kill()
        said = "it has not ended"
    print("# %s: all had ended after %.1f s" % (name, time.time() - began))
    lines = [line for line in said.split("\n") if line.startswith("ifbam")]
    rows = read(output) or b""
    alone("run", file, "--duration", "20 s", "--sample", "50 ms", "-o", "start.csv")
    start = read("start.csv")
    least = min(len(rows), len(start))
    check("%s: one message" % name, len(lines) == 1 and "the rows so far are kept" in lines[0], said)
    check("%s: rows are a whole prefix" % name, least > 1000 and rows[:least] == start[:least] and rows.endswith(b"\n")
          and len({row.count(b",") for row in rows.split(b"\n")[:-1]}) == 1)
    if code is not None:
        check("%s: exit code" % name, run.returncode == code, str(run.returncode))


def signalled(name, number, **more):
    file = chain(300, "verlet", True, step="1 ms")
    run = begin_long(file, "told.csv")
    run.send_signal(number)
    ends_in_order(name, run, "told.csv", file, **more)


def test_told():
    signalled("SIGUSR1", signal.SIGUSR1, code=0)
    signalled("SIGTERM", signal.SIGTERM)


def test_interrupted():
    signalled("Ctrl-C", signal.SIGINT)


# Says how a rank has ended, and goes on until all have: mpirun hears of no end before that.
STAYS = """"$@"; echo $? >code.$$; mv code.$$ ended.$OMPI_COMM_WORLD_RANK
for i in $(seq 2400); do test -e ended.0 -a -e ended.1 -a -e ended.2 && exit; sleep 0.05; done"""


def test_killed():
    file = chain(300, "verlet", True, step="1 ms")
    run = begin_long(file, "seen.csv", by=("sh", "-c", STAYS, "sh"), grace="1")
    os.kill(children_of(children_of(run.pid)[-1])[0], signal.SIGKILL)
    ends_in_order("a killed rank that others see themselves", run, "seen.csv", file)
    check("and all end", [read("ended.%d" % rank) for rank in range(3)].count(b"1\n") == 2)
    run = begin_long(file, "kill.csv")
    os.kill(children_of(run.pid)[-1], signal.SIGKILL)
    ends_in_order("a killed rank", run, "kill.csv", file)


def run_apart(test):
    """Most of the time a few processes are started and ended: five do that at once, each in a folder of its own."""
    return subprocess.run([sys.executable, "-B", script, test.__name__], capture_output=True, text=True)


# Those that take longest come first.
tests = [test_islands, test_refusals, test_followed, test_warnings, test_instants, test_killed, test_layers, test_told, test_forms, test_checkpoints, test_interrupted, test_accounts, test_subnetworks, test_columns,
         test_faults, test_divergence, test_between_given]
if len(sys.argv) > 1:
    for test in tests:
        if sys.argv[1] == test.__name__:
            test()
else:
    with concurrent.futures.ThreadPoolExecutor(5) as pool:
        for test, done in zip(tests, pool.map(run_apart, tests)):
            print(done.stdout, end="", flush=True)
            if done.returncode != 0:
                told(False, test.__name__, done.stderr)
finish()
