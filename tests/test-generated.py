#!/usr/bin/python3
# test-generated.py: networks as C: parameters by name, functions, tables, size, rejections; --engine compiled and its cache
# SPDX-License-Identifier: GPL-3.0-or-later
#
#   BUILD=build tests/test-generated.py [WORD]      WORD: only those with WORD in their names
# test-matrix.py compares their output with `ifbam run`.
import glob
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

build = os.environ.get("BUILD", "build")
program = os.path.join(build, "ifbam")
word = sys.argv[1] if len(sys.argv) > 1 else ""
folder = tempfile.mkdtemp(prefix="ifbam-generated-")
compilers = [name for name in ("gcc", "clang") if shutil.which(name)]
FLAGS = ["-std=c17", "-ffp-contract=off", "-O3", "-Wall", "-Wextra", "-Werror"]
n_files = 0


def check(name, fine, more=""):
    print("%s - generated: %s%s" % ("ok" if fine else "not ok", name, "" if fine else "\n# " + str(more).replace("\n", "\n# ")), flush=True)


def run(command, **more):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False, **more)


def export(network, *words):
    """The file in C, or None and why not."""
    global n_files
    n_files += 1
    path = os.path.join(folder, "n%d.c" % n_files)
    done = run([program, "export", network, "--c", "-o", path, *words])
    return (path, "") if done.returncode == 0 else (None, done.stderr.decode())


def compile_by(compiler, path, *flags):
    to = path[:-2] + "-" + compiler
    done = run([compiler, *FLAGS, *flags, path, "-lm", "-o", to])
    return (to, "") if done.returncode == 0 else (None, compiler + ": " + done.stderr.decode()[:3000])


def differs(network, words=(), numbers=(), by=None):
    """Why the C of a network differs from its run; None: it does not."""
    path, why = export(network, *words)
    if path is None:
        return "export: " + why
    sets = [part for number in numbers for part in ("--set", number)]
    wanted = run([program, "run", network, "-o", "-", *words, *sets])
    if wanted.returncode != 0:
        return "run: " + wanted.stderr.decode()
    for compiler in by or compilers:
        binary, why = compile_by(compiler, path)
        if binary is None:
            return why
        got = run([binary, *numbers])
        if got.returncode != 0:
            return compiler + ": " + got.stderr.decode()
        if got.stdout != wanted.stdout:
            a, b = got.stdout.split(b"\n"), wanted.stdout.split(b"\n")
            row = next((i for i, (one, other) in enumerate(zip(a, b)) if one != other), min(len(a), len(b)))
            return "%s: line %d of %d: %s, not %s" % (compiler, row + 1, len(b), a[row:row + 1], b[row:row + 1])
        os.remove(binary)
    os.remove(path)
    return None


def text_file(name, text):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


# Shipped networks

def test_shipped():
    """Each network is written, or rejected with alternatives; test-matrix.py compares the rows with a run."""
    faults, written = [], []
    for path in sorted(glob.glob("networks/*.ini")):
        file, why = export(path)
        if file is not None:
            written.append(os.path.basename(path)[:-4])
        elif not re.search(r"^ifbam: --c: .*(--fmu can|--fmu has it)|is an energy balance", why):
            faults.append(path + ": " + why)
    check("shipped networks that can't be written say why", not faults, "\n".join(faults))
    wanted = {"two-dof", "three-dof"}
    check("those without events are written", wanted <= set(written), sorted(wanted - set(written)))


def test_states():
    network = ["run", "networks/mathieu.ini", "--duration", "1s", "-o", "-", "--record"]
    forces = [[line.split(",")[1] for line in run([program, *network, signals]).stdout.decode().splitlines()[1:]]
              for signals in ("k1.force,m1.position", "k1.force,m1.position,k1.turns")]
    check("a force by an internal state is the same whether that is recorded or not", forces[0] == forces[1] and len(forces[0]) == 21)
    cold = text_file("cold.ini", "[network]\nformat = 1\nscheme = averaged\nstart = cold\nstep = 100us\nduration = 5ms\nrecord = m1.position, k1.rate\n"
                     "[drive d]\namplitude = 1 mm\nfrequency = 12 Hz\nphase = 2\nvelocity = 0.05\n[mass m1]\nmass = 1\n"
                     "[spring k1]\nstiffness = 1e4\nbetween = d, m1\n[damper d1]\ndamping = 3\nbetween = d, m1\n")
    why = differs(cold, by=compilers[:1])
    check("a cold start beside a drive", why is None, why)


# Numbers

def test_numbers():
    short = ["--duration", "10ms"]
    why = differs("networks/two-dof.ini", short, ["k1.stiffness=20e3", "m2.mass=0.25", "m1.position=-2e-3", "m2.velocity=0.5"], by=compilers[:1])
    check("numbers by name are those of --set", why is None, why)
    chain = text_file("lists.ini", "[network]\nformat = 1\nstep = 100us\nduration = 20ms\nrecord = *.position\n[ground wall]\n"
                      "[chain c]\ncount = 50\nmass = 1, 2, 3\nstiffness = 1e4\nfrom = wall\nposition = 1e-3, 0\n")
    why = differs(chain, [], ["c.stiffness=2e4"], by=compilers[:1])
    check("a chain's number is that of all its springs", why is None, why)
    path, why = export(chain)
    binary = compile_by(compilers[0], path)[0]
    one = run([binary, "c.mass[2]=5"]).stdout
    other = run([program, "run", chain, "-o", "-", "--set", "c.mass=1,5,3"]).stdout
    check("one of a list", one == other and len(one) > 1000)
    path, why = export("networks/two-dof.ini", *short)
    binary = compile_by(compilers[0], path)[0]
    for words, wanted in ((["k1.stiffness"], "want NAME=NUMBER"), (["k9.stiffness=1"], "no such number"), (["k1.stiffness=-1"], "out of range"),
                          (["k1.stiffness=nan"], "out of range"), (["k1.stiffness=1x"], "no number"), (["k1.cubic=1e9"], "another kind")):
        done = run([binary, *words])
        check("%s is refused: %s" % (words[0], wanted), done.returncode == 2 and wanted in done.stderr.decode() and not done.stdout, done)
    listed = run([binary, "--numbers", "m1.mass=3"]).stdout.decode().split()
    check("--numbers lists them", "k1.stiffness=10000" in listed and "m1.mass=3" in listed, listed)
    grown, _ = compile_by(compilers[0], export("networks/two-dof.ini", "--scheme", "euler", "--step", "50ms", "--duration", "100s")[0])
    done = run([grown])
    check("what grows without bound ends with an error", done.returncode == 1 and "diverged" in done.stderr.decode(), done.stderr)
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = subprocess.run([binary], stdout=full, stderr=subprocess.PIPE, check=False)
    check("a full disk does not go unnoticed", done.returncode == 1 and b"can't be written" in done.stderr, done)


# The public functions, and the symbols that they need

USER = r"""
#define IFBAM_NO_MAIN
#include "%s"
#include <stdio.h>
int
main (void)
{
  static IfbamNetwork one, other;
  double a[N_SIGNALS], b[7 * N_SIGNALS + 1];

  ifbam_network_make (&one);
  other = one;
  ifbam_network_start (&one, a);
  ifbam_network_start (&other, b);
  for (int i = 0; i < 7; i++)
    ifbam_network_step (&one, a);
  ifbam_network_run (&other, 7, b);
  for (int i = 0; i < N_SIGNALS; i++)
    if (a[i] != b[6 * N_SIGNALS + i])
      return 1;
  return ifbam_network_set (&one, "k1.stiffness", 12, 5.0);
}
"""


def test_functions():
    path, _ = export("networks/two-dof.ini")
    user = text_file("user.c", USER % path)
    binary, why = compile_by(compilers[0], user)
    check("step by step, or all at once", binary is not None and run([binary]).returncode == 0, why)
    done = run([compilers[0], "-std=c17", "-O2", "-ffreestanding", "-DIFBAM_NO_MAIN", "-c", path, "-o", path + ".o"])
    asked = set(line.split()[-1] for line in run(["nm", "-u", path + ".o"]).stdout.decode().splitlines())
    check("without main nothing but memory is asked of a C library", done.returncode == 0 and asked <= {"memcpy", "memset", "memcmp", "memmove", "strlen"},
          asked)


# ifbam run --engine compiled

def test_engine():
    cache = os.path.join(folder, "cache")
    log = os.path.join(folder, "compiled")
    compiler = text_file("compiler", "#!/bin/sh\necho once >>'%s'\nexec %s \"$@\"\n" % (log, compilers[0]))
    os.chmod(compiler, 0o755)
    own = dict(os.environ, XDG_CACHE_HOME=cache, CC=compiler)
    kept = os.path.join(cache, "ifbam")

    def by(engine, network, *words, **environment):
        return run([program, "run", network, "-o", "-", "--engine", engine, *words], env=dict(own, **environment))

    def n_compiled():
        return len(open(log, encoding="utf-8").readlines()) if os.path.exists(log) else 0

    straight = "tests/matrix/networks/straight-code.ini"
    check("straight code has the rows of the plan", by("plan", straight).stdout == by("compiled", straight).stdout != b"" and n_compiled() == 1)
    wanted = by("plan", "networks/two-dof.ini").stdout
    for name, environment, why in (("without a compiler", {"CC": "", "PATH": folder}, b"no C compiler here (cc, gcc, clang)"),
                                   ("without a folder for its cache", {"XDG_CACHE_HOME": log}, b"compiled/ifbam: Not a directory"),
                                   ("whose compiler makes nothing", {"CC": "/bin/true", "XDG_CACHE_HOME": cache + "2"}, b"No such file or directory")):
        ran = by("compiled", "networks/two-dof.ini", **environment)
        check("--engine compiled %s says so, and the plan runs" % name, ran.returncode == 0 and ran.stdout == wanted
              and why in ran.stderr and b"the plan runs instead" in ran.stderr, ran.stderr)
    shutil.rmtree(cache)

    two = "networks/two-dof.ini"
    before = n_compiled()
    by("compiled", two)
    first = n_compiled() - before
    again = by("compiled", two, "--set", "k1.stiffness=20e3", "--duration", "1s")
    check("what was compiled is kept, and serves other numbers", first == 1 and n_compiled() - before == 1
          and again.stdout == by("plan", two, "--set", "k1.stiffness=20e3", "--duration", "1s").stdout)
    by("compiled", two, "--scheme", "verlet")
    check("another scheme is compiled anew", n_compiled() - before == 2)
    states = [os.stat(os.path.join(kept, name)) for name in os.listdir(kept)]
    check("nobody else may read or write it", all(state.st_mode & 0o077 == 0 for state in states + [os.stat(kept)]) and len(states) == 2)

    # A machine that loses power may leave a part of an object, or one with bytes that are others.
    damaged = []
    name = os.path.join(kept, [one for one in os.listdir(kept) if one.endswith(".so")][0])
    with open(name, "rb") as file:
        whole = file.read()
    place = len(whole) // 2
    for what, content in (("empty", b""), ("a page", whole[:4096]), ("most of it", whole[:-1000]), ("without its end", whole[:-1]),
                          ("another byte", whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1:]), ("one byte more", whole + b"\n")):
        for other in os.listdir(kept):
            with open(os.path.join(kept, other), "wb") as file:
                file.write(content)
        before = n_compiled()
        for words in ((), ("--scheme", "verlet")):
            ran = by("compiled", two, *words)
            if ran.returncode != 0 or ran.stderr != by("plan", two, *words).stderr or ran.stdout != by("plan", two, *words).stdout:
                damaged.append((what, ran.returncode, ran.stderr))
        if n_compiled() - before != 2:
            damaged.append((what, "is not compiled anew"))
    check("an object that is cut or damaged is compiled anew", not damaged, damaged)
    check("nothing else is left in the cache", all(one.endswith(".so") for one in os.listdir(kept)) and len(os.listdir(kept)) == 2, os.listdir(kept))

    shutil.rmtree(cache)
    many = [subprocess.Popen([program, "run", two, "-o", "-", "--engine", "compiled"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=own)
            for _ in range(4)]
    said = [one.communicate() for one in many]
    check("runs at once don't disturb each other", all(out == said[0][0] and not err for out, err in said) and len(os.listdir(kept)) == 1
          and os.listdir(kept)[0].endswith(".so"), os.listdir(kept))

    swept = {engine: subprocess.run([program, "sweep", two, "--vary", "k1.stiffness=10kN/m,20kN/m", "--measure", "final:m1.position", "--duration",
                                     "0.01", "--engine", engine], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
             for engine in ("plan", "objects", "compiled")}
    check("a sweep goes by the plan, and says so", swept["compiled"].returncode == 0 and swept["compiled"].stderr
          == "ifbam: note: --engine compiled is for single runs: the plan runs here, with the same numbers\n", swept["compiled"].stderr)
    check("or by its objects, with nothing to say", swept["objects"].returncode == 0 and swept["objects"].stderr == ""
          and swept["objects"].stdout == swept["compiled"].stdout == swept["plan"].stdout, swept["objects"].stderr)
    wanted = by("plan", two).stdout
    refused = {"others may write its folder": "others may write there", "no compiler": "no C compiler here", "one that fails": "could not compile it",
               "a folder that can't be": "ifbam: "}
    for name, words in refused.items():
        if name.startswith("others"):
            os.chmod(kept, 0o777)
            done = by("compiled", two)
            os.chmod(kept, 0o700)
        elif name == "no compiler":
            done = by("compiled", two, CC="no-such-compiler")
        elif name == "one that fails":
            done = by("compiled", two, CC=shutil.which("false"))
        else:
            done = by("compiled", two, XDG_CACHE_HOME=text_file("file", ""))
        check("%s: a note, and the plan runs" % name, done.returncode == 0 and done.stdout == wanted and words in done.stderr.decode()
              and done.stderr.decode().endswith("the plan runs instead\n"), done.stderr)
    done = by("compiled", "networks/impact-oscillator.ini")
    check("events: a note, and the plan runs", done.returncode == 0 and done.stderr == b"ifbam: note: stop (impact) has events: the plan runs instead\n"
          and done.stdout == by("plan", "networks/impact-oscillator.ini").stdout, done.stderr)
    name = os.path.join(kept, os.listdir(kept)[0])
    os.chmod(name, 0o722)
    before = n_compiled()
    check("what others may have written is not executed", by("compiled", two).stdout == wanted and n_compiled() == before + 1
          and os.stat(name).st_mode & 0o022 == 0)
    with open(name, "wb") as file:
        file.write(b"no object")
    check("what is no object is made anew", by("compiled", two).stdout == wanted and n_compiled() == before + 2)
    os.rename(kept, kept + "-elsewhere")
    os.symlink(kept + "-elsewhere", kept)
    done = by("compiled", two)
    check("a folder that is a link is not used", done.stdout == wanted and b"the plan runs instead" in done.stderr, done.stderr)
    done = by("else", two)
    check("another word is refused", done.returncode == 2 and b"there is plan, compiled or objects" in done.stderr, done.stderr)


def test_size():
    sizes = {}
    for count in (100, 100000):
        path = text_file("long.ini", "[network]\nformat = 1\nstep = 100us\nduration = 1ms\nrecord = c.m7.position, c.m99.velocity\n[ground wall]\n"
                         "[chain c]\ncount = %d\nmass = 1, 2\nstiffness = 1e4, 2e4\ndamping = 1\nfrom = wall\nposition = 1e-3, 0\n[gravity g]\non = c\n" % count)
        file, _ = export(path)
        sizes[count] = os.path.getsize(file)
        why = differs(path, by=compilers[:1])
        check("a chain of %d" % count, why is None, why)
    check("a file is as long for 100,000 masses as for 100", sizes[100000] < sizes[100] + 2000, sizes)


def test_tables():
    """Links in random order are in tables of ends and of ports, or written one by one."""
    draw = random.Random(7)

    def joined(count, letter, group, given=()):
        nodes = ["%s%d" % (letter, i) for i in range(n)] + list(given)
        return "".join("[%s %s%d]\nbetween = %s\n" % (group[0], group[1], i, ", ".join(draw.sample(nodes, 2)))
                       + "".join("%s = %r\n" % (key, draw.uniform(*value)) for key, value in group[2].items()) for i in range(count))
    n = 60
    head = "[network]\nformat = 1\nstep = 100 us\nduration = 20 ms\nsample = 1 ms\n"
    masses = "".join("[mass m%d]\nmass = %r\nposition = %r\n" % (i, draw.uniform(0.5, 2), draw.uniform(-1e-3, 1e-3)) for i in range(n))
    springs = ("spring", "k", {"stiffness": (1e3, 1e4), "cubic": (0, 1e8)})
    inertias = "".join("[inertia j%d]\ninertia = %r\nspeed = %r\n" % (i, draw.uniform(0.01, 0.05), draw.uniform(-3, 3)) for i in range(n))
    networks = {
        "springs and dampers": head + "record = m1.position, m59.velocity, m30.acceleration, k3.force, k3.mode, d.force, d.acceleration\n" + masses
        + "[drive d]\namplitude = 1 mm\nfrequency = 30 Hz\n" + joined(150, "m", springs)
        + joined(40, "m", ("damper", "b", {"damping": (0.1, 3)})) + "".join(
            "[spring o%d]\nstiffness = %r\nbetween = d, m%d\n" % (i, draw.uniform(1e3, 1e4), i) for i in draw.sample(range(n), 30)),
        "internal states": head + "record = m1.position, m59.acceleration, y3.force\n" + masses + joined(50, "m", ("bouc-wen", "y", {
            "stiffness": (1e3, 1e4), "ratio": (0.1, 0.9), "yield": (1e-4, 1e-3)})),
        "gears": head + "record = j1.angle, j59.speed, j*.acceleration, y3.torque, y3.compression\n" + inertias + joined(50, "j", ("gear", "y", {
            "ratio": (-3, 3), "stiffness": (50, 500), "damping": (0, 0.1)})),
        "a short chain": head + "record = c.m20.position, c.k7.force\n[ground g]\n[chain c]\ncount = 20\nmass = 1, 2, 3\nstiffness = 1e4, 2e4\n"
                         "position = 1e-3, 0\nfrom = g\n",
        "a start at rest": head + "start = equilibrium\nrecord = m1.position, m59.velocity, *.force\n" + masses + "[ground g]\n"
        + joined(150, "m", ("spring", "k", {"stiffness": (1e4, 1e5)}), ["g"]) + "[gravity e]\non = " + ", ".join("m%d" % i for i in range(n)) + "\n",
    }
    networks["springs and dampers"] += "[chain c]\ncount = 3\nmass = 1, 2\nstiffness = 1e4\nfrom = m7\nm2.mass = 3\nk3.cubic = 1e8\nk3.stiffness = 2e4\n"
    for i, (name, text) in enumerate(networks.items()):
        path = text_file("tables.ini", text)
        for k, scheme in enumerate(("averaged", "rk4")[:1 if name in ("gears", "a short chain", "a start at rest") else 2]):
            why = differs(path, ["--scheme", scheme], by=[compilers[(i + k) % len(compilers)]])
            check("%s in no order, %s" % (name, scheme), why is None, why)


def test_laws():
    """Each law of links in batches, and of nodes and sources, is found in C by its name."""
    laws = []
    for path in glob.glob("elements/*.c"):
        text = open(path, encoding="utf-8").read()
        laws += [(law, prefix) for law, prefix, has in re.findall(r"IFBAM_DEFINE_LAW \((\w+), (\w+),\s*\(([^)]*)\)", text)
                 if re.search(r"DIFFERENCE|RATIO", has)]
        laws += re.findall(r"IFBAM_DEFINE_(?:GIVEN_NODE|SOURCE|FIELD) \(\s*\w+, \w+, (\w+), (\w+),", text)
    lost = [prefix for law, prefix in laws
            if not re.search(r"\} %s;" % law, open("elements/%s-law.h" % prefix.replace("_", "-"), encoding="utf-8").read())]
    check("%d laws stand in headers of their names" % len(set(laws)), not lost and len(set(laws)) > 15, lost)


def test_refusals():
    for network, words, wanted in (
            ("impact-oscillator", [], r"--c: stop \(impact\) has events, which a C file alone can't do \(--fmu can\)"),
            ("two-dof", ["--scheme", "implicit"], r"scheme implicit solves equations in each step"),
            ("two-dof", ["--scheme", "dopri5"], r"scheme dopri5 uses a table of stages"),
            ("two-dof", ["--scheme", "dopri5", "--tolerance", "1e-6"], r"a tolerance chooses the steps"),
            ("two-dof", ["--record", "network.energy"], r"network.energy is an energy balance"),
            ("pendulum", [], r"\((rod|ball|hinge|body)\) has a constraint")):
        done = run([program, "export", "networks/%s.ini" % network, "--c", "-o", os.path.join(folder, "refused.c"), *words])
        check("%s %s is refused" % (network, " ".join(words)), done.returncode == 2 and re.search(wanted, done.stderr.decode()), done.stderr)
    check("nothing is written then", not os.path.exists(os.path.join(folder, "refused.c")))
    for words, wanted in ((["--c", "--fmu"], "want one of them"), ([], "--fmu, --c, --columns or --state-space is missing"), (["--c", "--fmi", "2"], "--fmi: is for --fmu"),
                          (["--c", "--input", "force@m1"], "--input: is for --fmu")):
        done = run([program, "export", "networks/two-dof.ini", *words])
        check("export %s is refused" % " ".join(words), done.returncode == 2 and wanted in done.stderr.decode(), done.stderr)


try:
    if not compilers:
        print("ok - generated: no compiler # SKIP neither gcc nor clang is here")
    for test in (test_laws, test_numbers, test_functions, test_engine, test_refusals, test_size, test_tables, test_states, test_shipped):
        if compilers and word in test.__name__:
            test()
finally:
    shutil.rmtree(folder)
