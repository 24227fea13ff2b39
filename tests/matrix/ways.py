# ways.py: the axis of ways that are other programs: generated C, --engine compiled, FMUs, several processes
# SPDX-License-Identifier: GPL-3.0-or-later
import csv
import os
import re
import shutil
import subprocess

from expect import program
from fmu_host import Fmu, Instance

FLAGS = ["-std=c17", "-ffp-contract=off", "-O3", "-Wall", "-Wextra", "-Werror"]
COMPILERS = [name for name in ("gcc", "clang") if shutil.which(name)]
# Processes on one machine, more of them than it has processors; they look for the others in memory only.
MPIRUN = ["mpirun", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "--mca", "btl", "self,vader", "--mca", "pml",
          "ob1", "--mca", "btl_vader_single_copy_mechanism", "none"]
ENVIRONMENT = {**os.environ, "ASAN_OPTIONS": "detect_leaks=0"}


class Refused(Exception):
    """The reason why a way refuses a case."""


def command(*words, **more):
    return subprocess.run(words, capture_output=True, text=True, env={**ENVIRONMENT, **more}, timeout=300)


def read(path):
    if not os.path.exists(path):
        return None
    with open(path, "rb") as file:
        return file.read()


def mpirun(n, *words, forced=None, by=(), folder=None):
    """A run of n processes; of what Open MPI says of a failed job only ifbam's lines are kept, in .said."""
    environment = {} if forced is None else {"IFBAM_RANKS": forced}
    own = ["--mca", "orte_tmpdir_base", folder or os.getcwd()]
    done = command(*MPIRUN, *own, "-n", str(n), *by, program + "-mpi", *words, **environment)
    done.said = [line for line in done.stderr.split("\n") if line.startswith("ifbam") or ".ini" in line]
    return done


class Outcome:
    """Samples and events as files have them (None: the way has none), exit status, and the message of a run that ends early."""

    def __init__(self, samples, events, code=0, message=""):
        self.samples, self.events, self.code, self.message = samples, events, code, message

    def difference(self, wanted):
        """Why it is not the wanted one; "": it is."""
        for name in ("samples", "events"):
            one, other = getattr(self, name), getattr(wanted, name)
            if one is not None and one != other:
                rows = zip(one.split(b"\n"), (other or b"").split(b"\n"))
                return name + ": " + next(("%s, not %s" % (a[:200], b[:200]) for a, b in rows if a != b), "other lengths")
        if self.code != wanted.code or self.message != wanted.message:
            return "it ends with %d, %r, not %d, %r" % (self.code, self.message, wanted.code, wanted.message)
        return ""


def outcome_of(done, samples, events):
    lines = [re.sub(r"^ifbam(-mpi)?: ", "", line) for line in done.stderr.split("\n") if "at t = " in line]
    return Outcome(read(samples), read(events), done.returncode, "\n".join(lines))


def by_program(*options):
    """A way that is `ifbam run` with options."""
    def run(case):
        case.clear()
        done = command(program, "run", *case.words, *options, "-o", "own.csv", "--events", "own.events.csv")
        if "runs instead" in done.stderr:
            raise Refused(done.stderr.strip())
        return outcome_of(done, "own.csv", "own.events.csv")
    return run


def by_processes(n):
    def run(case):
        if shutil.which("mpirun") is None or not os.path.exists(program + "-mpi"):
            raise Refused("there is no mpirun, or no ifbam-mpi")
        case.clear()
        forced = (None, "1", "4", "16", "64")[case.seed % 5] if n > 1 else None
        done = mpirun(n, "run", *case.words, "-o", "own.csv", "--events", "own.events.csv", forced=forced)
        if done.returncode == 2:
            raise Refused(" ".join(done.said) or done.stderr)
        return outcome_of(done, "own.csv", "own.events.csv")
    return run


def by_generated_c(case):
    if not COMPILERS:
        raise Refused("neither gcc nor clang is here")
    case.clear()
    compiler = COMPILERS[case.seed % len(COMPILERS)]
    done = command(program, "export", case.words[0], "--c", "-o", "own.c", *case.words[1:])
    if done.returncode == 2:
        raise Refused(done.stderr.strip())
    done = command(compiler, *FLAGS, "own.c", "-lm", "-o", "own.program")
    if done.returncode != 0:
        return Outcome(b"", None, message=compiler + ": " + done.stderr[:2000])
    done = command("./own.program")
    return Outcome(done.stdout.encode(), None, done.returncode)


def by_fmu(version):
    """Rows of an importer that steps from one sample to the next; numbers are compared as numbers."""
    def run(case):
        case.clear()
        done = command(program, "export", case.words[0], "--fmu", "--fmi", str(version), "-o", "own.fmu", *case.words[1:])
        if done.returncode != 0:
            raise Refused(done.stderr.strip())
        fmu = Fmu("own.fmu", os.path.abspath("own-fmu-%d" % case.next_number()))
        wanted = list(csv.reader(case.wanted.samples.decode().splitlines()))
        instance = Instance(fmu)
        instance.begin()
        get = instance.getter(fmu.outputs)
        if ["time", *fmu.outputs] != wanted[0]:
            return Outcome(b"", None, message="it has the signals %s" % fmu.outputs)
        time = float(wanted[1][0])
        for row in wanted[1:]:
            if float(row[0]) > time:
                instance.do_step(time, float(row[0]) - time)
                time = float(row[0])
            for name, one, other in zip(fmu.outputs, get(), map(float, row[1:])):
                if one != other and (one == one or other == other):
                    instance.free()
                    return Outcome(b"", None, message="t = %s: %s is %r, not %r" % (row[0], name, one, other))
        instance.free()
        return Outcome(None, None)
    return run


WAYS = {
    "plan": by_program(),
    "2 threads": by_program("--threads", "2"),
    "--engine compiled": by_program("--engine", "compiled"),
    "generated C": by_generated_c,
    "FMI 2": by_fmu(2),
    "FMI 3": by_fmu(3),
    "1 process": by_processes(1),
    "2 processes": by_processes(2),
    "4 processes": by_processes(4),
}
# Ways whose runs may begin with a state in a file.
READ_STATES = ("plan", "2 threads", "1 process", "2 processes", "4 processes")
reference = by_program("--engine", "objects")
