#!/usr/bin/python3
# test-matrix.py: ways that are other programs give the samples and events of the objects, byte for byte
# SPDX-License-Identifier: GPL-3.0-or-later
#
#   BUILD=build tests/test-matrix.py [WAY [NETWORK]]     cells with these in the names of way and network
#   TEST_EFFORT=full                                     all ways, more networks
#
# A fixed draw chooses scheme, signals and ways of a network (tests/matrix/ways.py), and which begin with a state in a file. The last
# test fails if a way was neither equal nor refused for a feature of networks.
import collections
import glob
import os
import random
import subprocess
import sys
import tempfile

from expect import build_program, by_effort, check, effort, finish, networks, program
from matrix import ways

wanted_way, wanted_network = (sys.argv[1:] + ["", ""])[:2]
SCHEMES = ("averaged", "original", "euler", "symplectic-euler", "verlet", "rk4")
OTHERS = ("implicit", "tr-bdf2", "esdirk4", "dopri5", "implicit-euler")
SMOOTH = ("line", "membrane", "tangle", "circuit")
SLOW = ("contacts", "friction", "mechanism")
DRAWN = ("line", "membrane", "tangle", "circuit", "line,time-events", "contacts", "line,contacts", "friction", "mechanism",
         "controllers", "massless")
MAX_SIGNALS = 12
EACH_WAY = by_effort(6, 4, 1)
pairs = collections.Counter()
cells = collections.Counter()


class Case:
    """A network under a scheme, and the reference way's result."""

    def __init__(self, feature, path, seed):
        self.feature, self.path, self.seed = feature, path, seed
        self.draw = random.Random(seed)
        self.name = "%s %d" % (feature, seed) if feature != "shipped" else os.path.basename(path)
        self.words = [path]
        if feature != "shipped":
            self.words += self.settings()
        self.words += self.signals()
        self.wanted = ways.reference(self)

    def settings(self):
        massless = self.feature == "massless"
        scheme = self.draw.choice(("esdirk4", "tr-bdf2", "implicit-euler") if massless else SCHEMES if self.seed % 5 else OTHERS)
        step = 2e-3 if self.feature in SLOW else 0.2e-3
        stride = self.draw.choice((1, 1, 2, 3, 7))
        rows = self.draw.randint(20, 90)
        self.name += ", " + scheme
        return ["--scheme", scheme, "--step", repr(step), "--sample", repr(stride * step), "--duration", repr(rows * stride * step)]

    def signals(self):
        """Some signals; each fourth case has the account, too, which most ways refuse."""
        listed = ways.command(program, "check", *self.words, "--list", "signals").stdout.split()
        of_elements = [name for name in listed if not name.startswith("network.") and not name.endswith(".dissipated") and "." in name]
        names = self.draw.sample(of_elements, min(len(of_elements), self.draw.choice((1, 2, 5, MAX_SIGNALS))))
        if self.seed % 4 == 0:
            names += [name for name in listed if name.startswith("network.")]
        return ["--record", ",".join(names)] if names else []

    def clear(self):
        for path in glob.glob("own.*"):
            os.remove(path)

    def next_number(self):
        Case.numbers += 1
        return Case.numbers

    numbers = 0


def cut(case, name):
    """The same with a state that the plan has written at half of the time: it is no start of FMUs and generated C."""
    done = ways.command(program, "run", *case.words, "-o", "own.csv", "--final", "half.h5")
    if done.returncode != 0:
        return
    other = Case.__new__(Case)
    other.__dict__.update(case.__dict__)
    other.words = [*case.words, "--initial", "half.h5"]
    other.wanted = ways.reference(other)
    if other.wanted.code == 2:
        other.wanted = ways.WAYS["plan"](other)  # objects keep an account of work, which this state has not
    try:
        why = ways.WAYS[name](other).difference(other.wanted)
    except ways.Refused:
        return
    cells["cuts"] += 1
    check(not why, "%s: %s from a state in a file" % (case.name, name), why)


def try_case(case, number, is_last):
    """Each EACH_WAY-th way; the last network of a feature gets those that the feature has not met."""
    features = case.feature.split(",")
    faults = []
    for k, (name, way) in enumerate(ways.WAYS.items()):
        drawn = wanted_way or (k + number) % EACH_WAY == 0 or (is_last and not all(pairs[name, feature] for feature in features))
        if wanted_way not in name or not drawn:
            continue
        try:
            why = way(case).difference(case.wanted)
            pairs.update((name, feature) for feature in features)
            cells["equal"] += 1
            if why:
                faults.append("%s: %s" % (name, why))
        except ways.Refused as reason:
            pairs.update((name, feature) for feature in features)
            cells["refused"] += 1
            if not str(reason).strip():
                faults.append("%s refuses it without a reason" % name)
            continue
        if name in ways.READ_STATES and (k + number // EACH_WAY) % 3 == 0 and not case.wanted.code:
            cut(case, name)
    check(not faults, "%s: %s" % (case.name, " ".join(case.words[-1:])[:60]), "\n".join(faults))


def draw_networks(work):
    """(feature, path, seed) of all networks of the matrix at this effort."""
    shipped = sorted(glob.glob(os.path.join(networks, "*.ini")))
    first = 0 if effort == "full" else 1
    found = [("shipped", path, k) for k, path in enumerate(shipped) if k % by_effort(24, 8, 1) == first]
    for number, feature in enumerate(DRAWN):
        for seed in range(1, 1 + by_effort(1, 4 if feature in SMOOTH else 2, 60)):
            folder = os.path.join(work, "%d-%d" % (number, seed))
            os.mkdir(folder)
            subprocess.run([build_program("tests/test-matrix"), "--write", folder, str(seed), feature], check=True)
            found.append((feature, os.path.join(folder, "network.ini"), seed))
    return found


def main():
    with tempfile.TemporaryDirectory() as work:
        os.chdir(work)
        os.environ["XDG_CACHE_HOME"] = ways.ENVIRONMENT["XDG_CACHE_HOME"] = os.path.join(work, "cache")
        found = draw_networks(work)
        for number, (feature, path, seed) in enumerate(found):
            if wanted_network in feature or wanted_network in path:
                is_last = found[number + 1:number + 2] == [] or found[number + 1][0] != feature
                try_case(Case(feature, path, seed), number, is_last)
        print("# %d equal, %d refused with a reason, %d cuts" % (cells["equal"], cells["refused"], cells["cuts"]))
        if not wanted_way and not wanted_network and effort != "brief":
            features = {feature for names in ("shipped", *DRAWN) for feature in names.split(",")}
            missing = [(way, feature) for way in ways.WAYS for feature in features if not pairs[way, feature]]
            check(not missing, "each way was equal or refused for each feature", missing)
        finish()


main()
