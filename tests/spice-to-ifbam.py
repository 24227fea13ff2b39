#!/usr/bin/python3
"""spice-to-ifbam.py: writes a SPICE deck of resistors, coils, capacitors, diodes, switches and sources as a network

    tests/spice-to-ifbam.py DECK.cir >NETWORK.ini

Reads R, L, C, K (two coils), V, I, D, E, G, S and X, .subckt, .model, .param, .func, .if, .include, .ic and .tran, in the
dialect of ngspice: names in small letters, parameters in braces or quotes. Other statements are refused with their line.
A transient analysis without `uic` starts from the operating point, which ifbam computes: coils are short, capacitors open.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import math
import os
import re
import subprocess
import sys
import tempfile

from expect import program

SCALES = {"t": 1e12, "g": 1e9, "meg": 1e6, "k": 1e3, "mil": 25.4e-6, "m": 1e-3, "u": 1e-6, "n": 1e-9, "p": 1e-12, "f": 1e-15,
          "a": 1e-18}
NUMBER = re.compile(r"([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)(meg|mil|[tgkmunpfa])?[a-z]*")
OPTIONS = (".opt", ".option", ".options")
IGNORED = (*OPTIONS, *".print .plot .meas .measure .save .probe .width .op .ac .dc .four .title .csparam".split())
CHANGES = ("alter", "altermod", "alterparam", "stop", "reset", "mc_source")  # commands that change the circuit
FUNCTIONS = {"abs": abs, "sqrt": math.sqrt, "exp": math.exp, "log": math.log, "sin": math.sin, "cos": math.cos, "pi": math.pi,
             "max": lambda *all_of: max(all_of), "min": lambda *all_of: min(all_of), "__builtins__": {}}
LEAK = 1e12  # [ohm] default of ROFF, which is 1/gmin; also from each node to ground in the operating point
POINTS = 20000  # of a source that is sampled


class Refused(Exception):
    """A statement that the converter does not read, and why."""


def number(text):
    found = NUMBER.fullmatch(text)
    if not found:
        raise Refused(f"no number: {text}")
    return float(found[1]) * SCALES.get(found[2], 1)


def evaluate(text, names):
    """The value of a number, or of an expression in braces or quotes, with parameters."""
    text = text.strip("{}'\" ")
    if NUMBER.fullmatch(text):
        return number(text)
    text = re.sub(r"(?<![\w.])" + NUMBER.pattern, lambda m: repr(number(m[0])), text).replace("^", "**")
    try:
        return float(eval(text, FUNCTIONS, names))  # pylint: disable=eval-used
    except Exception as error:
        raise Refused(f"no expression: {text} ({error})") from error


def read_lines(path, first=1):
    """Yields the statements of a deck, joined, in small letters; files that it includes in their places."""
    with open(path, encoding="latin-1") as file:
        lines = file.read().splitlines()[first:]
    joined = []
    for line in lines:
        line = re.split(r";|(?:^|\s)\$\s|\s//", line)[0].rstrip()
        if line.startswith("+") and joined:
            joined[-1] += " " + line[1:]
        elif line.strip() and line.lstrip()[0] not in "*#":
            joined.append(line.strip())
    for line in joined:
        if line.lower().split()[0] in (".include", ".inc"):
            other = os.path.join(os.path.dirname(path), line.split(None, 1)[1].strip("\"' "))
            if not os.path.exists(other):
                raise Refused(f"{line}: no such file")
            yield from read_lines(other, 0)
        elif line.lower() == ".end":
            return
        else:
            yield line.lower()


def split(text):
    """Words; an expression is one, commas and parentheses part words, and `key = value` is joined."""
    text = re.sub(r"\s*=\s*", "=", re.sub(r"\{[^}]*\}|'[^']*'|\"[^\"]*\"", lambda m: m[0].replace(" ", ""), text))
    return re.findall(r"(?:\{[^}]*\}|'[^']*'|\"[^\"]*\"|[^\s(),])+", text)


def defined(words, names):
    """The names, and those that `name=value` words define one after the other."""
    names = dict(names)
    for key, _, value in (word.partition("=") for word in words):
        names[key] = evaluate(value, names)
    return names


def keys_of(words, names):
    return {key: evaluate(value, names) for key, _, value in (word.partition("=") for word in words)}


class Deck:
    """A deck, flattened.

    self.elements: (letter, name, nodes, value words, keys); self.models: name: (kind, keys); self.tran: step, stop, uic
    """

    def __init__(self, path):
        self.elements, self.models, self.start, self.tran, self.closed = [], {}, {}, None, {}
        self.parameters, self.subcircuits, commands = {}, {}, []
        control, open_subcircuit, taken = False, None, [True]
        for line in read_lines(path):
            words = split(line)
            if words[0] in (".control", ".endc"):
                control = words[0] == ".control"
            elif control:
                commands.append(words)
            elif words[0] in (".if", ".elseif", ".else", ".endif"):
                taken = self.branch(words, line, taken)
            elif all(taken[-1:]):
                open_subcircuit = self.statement(line, words, open_subcircuit)
        for words in commands:
            if words[0] in CHANGES:
                raise Refused(f"{' '.join(words)}: a command that changes the circuit")
            if words[0] == "tran" and self.tran is None:
                self.set_tran(words)
        if self.tran is None:
            raise Refused("no .tran")
        self.flatten(self.top, "", {}, self.parameters, self.models)

    top = property(lambda self: self.subcircuits.setdefault("", ([], [], [], {})))

    def branch(self, words, line, taken):
        """The stack of conditions after a line of .if; a level is True, False, or None after a branch that was taken."""
        if words[0] == ".if":
            return taken + [bool(evaluate(line[3:].strip().strip("()"), self.parameters))]
        if words[0] == ".endif":
            return taken[:-1]
        done = taken[-1] is not False
        taken = taken[:-1]
        if done:
            return taken + [None]
        return taken + [words[0] == ".else" or bool(evaluate(line[7:].strip().strip("()"), self.parameters))]

    def statement(self, line, words, inside):
        """Reads a statement of the subcircuit `inside`, None outside of all; returns the one in which the next stands."""
        if words[0] == ".subckt":
            if inside is not None:
                raise Refused(f"{line}: nested")
            nodes = [word for word in words[2:] if "=" not in word and word != "params:"]
            self.subcircuits[words[1]] = (nodes, [word for word in words[2:] if "=" in word], [], {})
            return words[1]
        if words[0] == ".ends":
            return None
        home = self.top if inside is None else self.subcircuits[inside]
        if words[0] == ".model":
            home[3][words[1]] = (words[2], words[3:])
        elif words[0] == ".param" and inside is not None:
            home[1].extend(words[1:])
        elif words[0] == ".param":
            self.parameters = defined(words[1:], self.parameters)
        elif words[0] == ".func":
            self.define_function(line)
        elif words[0] == ".ic":
            for node, value in re.findall(r"v\(([^)]*)\)\s*=\s*(\S+)", line):
                self.start[node.strip()] = evaluate(value, self.parameters)
        elif words[0] == ".tran":
            self.set_tran(words)
        elif line[0] == "." and words[0] not in IGNORED or words[0] in OPTIONS and "temp" in line:
            raise Refused(line)
        elif line[0] != ".":
            home[2].append((line, words))
        return inside

    def is_closed(self, switch, voltage=None):
        """The state of a switch in the operating point, with a voltage across its input."""
        keys = switch[4]
        state = self.closed.get(switch[1], keys["state"] == ["on"])
        off_centre = 0 if voltage is None else voltage - keys.get("vt", 0)
        return state if abs(off_centre) <= keys.get("vh", 0) else off_centre > 0

    def define_function(self, line):
        found = re.fullmatch(r"\.func\s+(\w+)\s*\(([^)]*)\)\s*=?\s*(.*)", line)
        try:
            function = f"lambda {found[2]}: " + found[3].strip("'{} ")
            self.parameters[found[1]] = eval(function, FUNCTIONS)  # pylint: disable=eval-used
        except (SyntaxError, TypeError) as error:
            raise Refused(line) from error

    def set_tran(self, words):
        values = [evaluate(word, self.parameters) for word in words[1:] if word != "uic"]
        self.tran = values[0], values[1], "uic" in words

    def flatten(self, subcircuit, prefix, ends, names, models):
        """Appends the elements of a subcircuit. ends: outer names of its nodes; models: those in sight."""
        models = {**models, **{key: (kind, words, names) for key, (kind, words) in subcircuit[3].items()}}

        def node(name):
            return ends.get(name) or ("0" if name in ("0", "gnd") else prefix + name)

        for line, words in subcircuit[2]:
            try:
                self.element(words, prefix, node, names, models)
            except Refused as error:
                raise Refused(f"{line}: {error}") from error
            except (IndexError, KeyError) as error:
                raise Refused(f"{line}: not understood") from error

    def element(self, words, prefix, node, names, models):
        letter, name = words[0][0], prefix + words[0]
        keys = [word for word in words[1:] if "=" in word]
        plain = [word for word in words[1:] if "=" not in word and word != "params:"]
        if letter == "x":
            inner = self.subcircuits.get(plain[-1]) or refuse("no such .subckt")
            given = {word.partition("=")[0] for word in keys}
            own = defined([word for word in inner[1] if word.partition("=")[0] not in given], {**names, **keys_of(keys, names)})
            self.flatten(inner, name + ".", dict(zip(inner[0], map(node, plain))), own, models)
            return
        if letter not in "rlckvidegs":
            refuse("element of another kind")
        n = {"k": 0, "e": 4, "g": 4, "s": 4}.get(letter, 2)
        keys = {} if letter in "vi" else keys_of(keys, names)
        values = plain[n:]
        if letter in "rlc":
            keys["value"] = self.passive(letter, values, keys, names, models)
        elif letter in "eg":
            if keys or len(values) != 1:
                refuse("not linear")
            keys["value"] = evaluate(values[0], names)
        elif letter in "ds":
            kind, model, known = models[values[0]]
            if kind not in ("d", "sw"):
                refuse(f"model of kind {kind}")
            keys = {**keys, "kind": kind, "state": values[1:2], **keys_of(model, known)}
            self.semiconductor(keys)
        elif letter == "k":
            values = [prefix + values[0], prefix + values[1], evaluate(values[2], names)]
        self.elements.append((letter, name, [node(end) for end in plain[:n]], values if letter not in "vi" else
                              [word if re.match("[a-z]", word) else evaluate(word, names) for word in values], keys))

    @staticmethod
    def passive(letter, values, keys, names, models):
        """Resistance, inductance or capacitance."""
        unknown = set(keys) - {"l", "w", "m", "ac", "scale", "ic", "r", "c", "tc", "tc1", "tc2"}  # tc: of other temperatures
        if unknown:
            refuse(f"{min(unknown)} is not read")
        values = [value for value in values if value != "ic"]
        if values and values[0] in models:
            model = keys_of(*models[values[0]][1:])
            narrow = model.get("narrow", 0)
            value = model["rsh"] * (keys["l"] - narrow) / (keys["w"] - narrow)
        else:
            value = evaluate(values[0], names) if values else keys[letter]
        m = keys.get("m", 1)
        return value * keys.get("scale", 1) * (m if letter == "c" else 1 / m)

    @staticmethod
    def semiconductor(keys):
        """Refuses models with laws that no class has."""
        for key, reason in (("cjo", "capacitance of the junction"), ("cj0", "capacitance of the junction"),
                            ("tt", "transit time"), ("isr", "recombination"), ("ikf", "high injection")):
            if keys.get(key, 0) > 0 and keys["kind"] == "d":
                refuse(f"{key}: {reason}: no class has it")
        if keys["kind"] == "sw" and keys.get("vh", 0) < 0:
            refuse("vh: a smooth transition: no class has it")


def refuse(reason):
    raise Refused(reason)


def waves(words, step, stop):
    """(value at t = 0, steady part, [keys of the wave of each further part], function of time or None) of a source."""
    steady, kind, values, words = 0.0, "", [], list(words)
    while words:
        word = words.pop(0)
        if word == "ac":
            while words and isinstance(words[0], float):
                words.pop(0)
        elif isinstance(word, str) and word != "dc":
            kind, values = word, []
            while words and isinstance(words[0], float):
                values.append(words.pop(0))
        elif word != "dc":
            steady = word
    if kind == "":
        return steady, steady, [], None
    if kind == "pwl":
        return ramps(list(zip(values[::2], values[1::2])), stop)

    def read(*defaults):
        given = values + [0.0] * len(defaults)
        return [value if value != 0 else default for value, default in zip(given, defaults)]

    if kind == "pulse":
        return pulses(*read(0, 0, 0, step, step, stop, stop, 0), stop)
    if kind == "sin":
        offset, height, frequency, delay, decay, phase = read(0, 0, 1 / stop, 0, 0, 0)
        omega, phase = 2 * math.pi * frequency, math.radians(phase)
        if decay == 0 and (delay <= 0 or phase == 0):
            shape = {"amplitude": height, "frequency": (frequency, "Hz"), "phase": (phase - omega * min(delay, 0), "rad")}
            if delay > 0:
                shape = {"amplitude": height, "wave": "chirp", "from": (frequency, "Hz"), "to": (frequency, "Hz"),
                         "at": (delay, "s"), "over": (stop, "s")}
            return offset + height * math.sin(phase), offset, [shape], None
        return sampled(lambda t: offset + height * (math.sin(omega * max(t - delay, 0) + phase)
                                                    * math.exp(-decay * max(t - delay, 0))))
    if kind == "exp":
        low, high, on, rise = read(0, 0, 0, step)
        off, fall = read(0, 0, 0, 0, on + step, step)[4:]
        return sampled(lambda t: low + (high - low) * (math.expm1(-max(t - off, 0) / fall)
                                                       - math.expm1(-max(t - on, 0) / rise)))
    return refuse(f"source of kind {kind}: no class has it")


def sampled(function):
    return function(0), 0.0, [], function


def ramps(points, stop):
    """A course of straight lines: a ramp for each."""
    rises = [(a, b) for a, b in zip(points, points[1:]) if b[1] != a[1] and a[0] < stop]
    if len(rises) > 200:
        refuse("more than 200 ramps")
    if any(a[0] < 0 < b[0] for a, b in rises):
        refuse("a ramp across t = 0")
    before = max((point for point in points if point[0] <= 0), default=points[0])
    shapes = [{"amplitude": b[1] - a[1], "at": (a[0], "s"),
               **({"wave": "ramp", "over": (b[0] - a[0], "s")} if b[0] > a[0] else {"wave": "step"})} for a, b in rises]
    return before[1], points[0][1], shapes, None


def pulses(low, high, delay, rise, fall, width, period, count, stop):
    if rise == fall and (count == 0 or count * period > stop - delay) and delay >= 0:
        shape = {"amplitude": high - low, "at": (delay, "s"), "rise": (rise, "s")}
        if delay + period >= stop:
            shape.update({"wave": "pulse", "over": (rise + width, "s")})
        else:
            shape.update({"wave": "pwm", "period": (period, "s"), "duty": (rise + width) / period})
        return low, low, [shape], None
    points = [(0.0, low)]
    for k in range(int(min(count or math.inf, (stop - delay) / period + 1))):
        start = delay + k * period
        points += [(start, low), (start + rise, high), (start + rise + width, high), (start + rise + width + fall, low)]
    return ramps(points, stop)


class Writer:
    """Writes the groups of a network. start: ({node: voltage}, {coil: current}); None: of the operating point itself, in which
    sources keep their values of t = 0."""

    def __init__(self, deck, folder, start=None):
        self.deck, self.folder, self.groups, self.names, self.rest = deck, folder, [], {"0": "gnd"}, start is None
        self.volt, self.current = start or ({}, {})
        self.courses = 0
        self.given = {}  # node: source to ground
        for element in deck.elements:
            if element[0] == "v" and "0" in element[2] and element[2] != ["0", "0"]:
                self.given.setdefault(element[2][element[2][0] == "0"], element)
        self.grounded = {}  # node: capacitance to ground
        for letter, _, ends, _, keys in deck.elements if not self.rest else ():
            if letter == "c" and "0" in ends and ends[0] != ends[1]:
                node = ends[ends[0] == "0"]
                self.grounded[node] = self.grounded.get(node, 0) + keys["value"]
        self.coupled = {coil: element for element in deck.elements if element[0] == "k" for coil in element[3][:2]}
        nodes = dict.fromkeys(node for element in deck.elements for node in element[2] if node != "0")
        for node in nodes:
            self.names[node] = self.unique("n" + node)
        for node in nodes:
            self.write_node(node)
        for element in deck.elements:
            if self.given.get(element[2][element[2][0] == "0"] if "0" in element[2] else "") is not element:
                getattr(self, "write_" + element[0])(*element[1:])

    def unique(self, name):
        name = re.sub(r"[^a-z0-9_-]", "_", name)
        while name in self.names.values():
            name += "_"
        return name

    def group(self, kind, name, ends=(), **keys):
        """A group; a value is a text, a number, or a number with its unit."""
        if ends:
            keys["between"] = ", ".join(self.names.get(end, end) for end in ends)
        lines = [f"{key.replace('_', '-')} = " + (f"{value[0]:.15g} {value[1]}" if isinstance(value, tuple) else str(value))
                 for key, value in keys.items()]
        self.groups.append(f"[{kind} {name}]\n" + "".join(line + "\n" for line in lines))

    def write_node(self, node):
        name = self.names[node]
        if node in self.given:
            _, source, ends, words, _ = self.given[node]
            self.write_source(name, [node, "0"], words, -1 if ends[0] == "0" else 1, source)
        elif node in self.grounded:
            self.group("capacitor", name, capacitance=(self.grounded[node], "F"), voltage=(self.volt.get(node, 0), "V"))
        else:
            self.group("junction", name)
            if self.rest:
                self.group("resistor", f"leak_{name}", (node, "0"), resistance=(LEAK, "ohm"))
                if node in self.deck.start:
                    self.group("voltage-source", f"held_{name}", voltage=(self.deck.start[node], "V"))
                    self.group("resistor", f"hold_{name}", (f"held_{name}", node), resistance="1e-6 ohm")

    def parts(self, words, unit, sign):
        """[keys of the groups that add up to a source]; the first has the steady part."""
        value, steady, shapes, function = waves(words, *self.deck.tran[:2])
        key = "voltage" if unit == "V" else "value"
        if self.rest:
            return [{key: (sign * value, unit)}]
        if function:
            self.courses += 1
            path = os.path.join(self.folder, f"course{self.courses}.csv")
            with open(path, "w", encoding="utf-8") as file:
                file.write("time,value\n")
                for time in (self.deck.tran[1] * i / POINTS for i in range(POINTS + 1)):
                    file.write(f"{time!r},{sign * function(time)!r}\n")
            return [{"course": path + ":value"}]
        shapes = [{**shape, "amplitude": (sign * shape["amplitude"], unit)} for shape in shapes] or [{}]
        return [{key: (sign * steady, unit), **shapes[0]}] + shapes[1:]

    def write_source(self, name, ends, words, sign, base):
        """A voltage source: parts in series, from the left end to the right one. Alone at a node, it is the node."""
        parts, base, is_node = self.parts(words, "V", sign), self.unique(base), self.names.get(ends[0]) == name
        if is_node and len(parts) == 1:
            self.group("voltage-source", name, **parts[0])
            return
        inner = [ends[0], *(f"{base}_{i}" for i in range(1, len(parts))), ends[1]]
        for junction in [name] * is_node + inner[1:-1]:
            self.group("junction", junction)
        for i, keys in enumerate(parts):
            self.group("voltage-source", f"{base}_v{i}", inner[i:i + 2], **keys)

    def write_v(self, name, ends, words, _):
        self.write_source(self.unique(name), ends, words, 1, name)

    def write_i(self, name, ends, words, _):
        for sign, end in ((-1, ends[0]), (1, ends[1])):
            for i, keys in enumerate(self.parts(words, "A", sign) if end != "0" else ()):
                self.group("current-source", self.unique(f"{name}_{'p' if sign > 0 else 'n'}{i}"), on=self.names[end], **keys)

    def write_r(self, name, ends, _, keys):
        self.group("resistor", self.unique(name), ends, resistance=(keys["value"], "ohm"))

    def write_c(self, name, ends, _, keys):
        if not self.rest and "0" not in ends:
            voltage = keys.get("ic", self.volt.get(ends[0], 0) - self.volt.get(ends[1], 0))
            self.group("capacitor", self.unique(name), ends, capacitance=(keys["value"], "F"), voltage=(voltage, "V"))

    def start_current(self, name, keys):
        return self.current.get(name, keys.get("ic", 0)), "A"

    def write_l(self, name, ends, _, keys):
        if self.rest:
            self.group("voltage-source", self.unique(name), ends, voltage="0 V")
        elif name not in self.coupled:
            self.group("inductor", self.unique(name), ends, inductance=(keys["value"], "H"),
                       current=self.start_current(name, keys))

    def write_k(self, name, _, values, __):
        coils = [next(element for element in self.deck.elements if element[1] == coil) for coil in values[:2]]
        if any(self.coupled[coil[1]][1] != name for coil in coils):
            refuse(f"{name}: a coil that is coupled twice")
        if not self.rest:
            (_, first, ends, _, keys), (_, second, others, _, more) = coils
            self.group("mutual", self.unique(name), ends + others, first=(keys["value"], "H"), second=(more["value"], "H"),
                       coupling=values[2], first_current=self.start_current(first, keys),
                       second_current=self.start_current(second, more))

    def write_e(self, name, ends, _, keys):
        """A transconductance with a resistor of 1 mohm across its ends."""
        self.write_g(name, [ends[1], ends[0], *ends[2:]], None, {"value": keys["value"] / 1e-3})
        self.group("resistor", self.unique(name) + "_r", ends[:2], resistance="1 mohm")

    def write_g(self, name, ends, _, keys):
        self.group("transconductance", self.unique(name), ends[:2], transconductance=(keys["value"], "S"),
                   input=f"{self.names[ends[2]]}, {self.names[ends[3]]}")

    def write_d(self, name, ends, _, keys):
        name, anode = self.unique(name), ends[0]
        if keys.get("rs", 0) > 0:
            anode = name + "_rs"
            self.group("junction", anode)
            self.group("resistor", name + "_r", (ends[0], anode), resistance=(keys["rs"], "ohm"))
        broken = {"breakdown": (keys["bv"], "V"), "breakdown_current": (keys.get("ibv", 1e-3), "A")} if "bv" in keys else {}
        self.group("shockley-diode", name, (anode, ends[1]), saturation_current=(keys.get("is", 1e-14), "A"),
                   emission=keys.get("n", 1), **broken)

    def write_s(self, name, ends, values, keys):
        closed, opened = (keys.get("ron", 1), "ohm"), (keys.get("roff", LEAK), "ohm")
        if self.rest:
            self.group("resistor", self.unique(name), ends[:2],
                       resistance=closed if self.deck.is_closed(("s", name, ends, values, keys)) else opened)
            return
        name = self.unique(name)
        free = [end for end in ends[2:] if end != "0" and end not in self.given]
        signal, sign = f"{name}_probe.voltage", 1
        if free and "0" in ends[2:]:
            signal, sign = f"{self.names[free[0]]}.voltage", 1 if ends[3] == "0" else -1
        else:
            near = ends[2]
            if not free:  # monitors require a node that moves freely
                near = name + "_in"
                self.group("junction", near)
                self.group("resistor", name + "_near", (ends[2], near), resistance="1 ohm")
            self.group("resistor", name + "_probe", (near, ends[3]), resistance=(LEAK, "ohm"))
        self.group("monitor", name + "_when", signal=signal, level=(sign * keys.get("vt", 0), "V"),
                   hysteresis=(2 * keys.get("vh", 0), "V"))
        self.group("switch", name, ends[:2], resistance=closed, when=name + "_when", side="above" if sign > 0 else "below")
        self.group("resistor", name + "_off", ends[:2], resistance=opened)

    def text(self, head, record):
        return f"[network]\n{head}record = {', '.join(record)}\n\n[ground gnd]\n\n" + "\n".join(self.groups)


def operating_point(deck, folder):
    """({node: voltage}, {coil: current}) at the start."""
    if deck.tran[2]:
        return dict(deck.start), {}
    switches = [element for element in deck.elements if element[0] == "s"]
    coils = [element[1] for element in deck.elements if element[0] == "l"]
    for _ in range(100):
        writer = Writer(deck, folder)
        nodes = [node for node in writer.names if node != "0"]
        record = [f"{writer.names[node]}.voltage" for node in nodes] + [f"{writer.unique(coil)}.current" for coil in coils]
        text = writer.text("scheme = implicit-euler\nstep = 1 us\nduration = 1 us\n", record)
        said = subprocess.run([program, "run", "-"], input=text, capture_output=True, text=True, check=False)
        if said.returncode != 0:
            raise Refused("no operating point: " + said.stderr.strip().splitlines()[-1])
        row = [float(field) for field in said.stdout.splitlines()[-1].split(",")[1:]]
        voltages = {"0": 0.0, **dict(zip(nodes, row))}
        before = list(map(deck.is_closed, switches))
        for switch in switches:
            deck.closed[switch[1]] = deck.is_closed(switch, voltages[switch[2][2]] - voltages[switch[2][3]])
        if before == list(map(deck.is_closed, switches)):
            return {**voltages, **deck.start}, dict(zip(coils, row[len(nodes):]))
    raise Refused("no operating point: switches change without end")


def convert(path, folder, head="scheme = esdirk4\ntolerance = 1e-6\n", rows=50):
    """(text of the network, {node: its signal} of the nodes outside subcircuits, its .tran). folder: for courses of sources."""
    deck = Deck(path)
    writer = Writer(deck, folder, operating_point(deck, folder))
    signals = {node: f"{name}.voltage" for node, name in writer.names.items() if node != "0" and "." not in node}
    step, stop, _ = deck.tran
    head += f"step = {min(step, stop / 1000):.15g} s\nduration = {stop:.15g} s\nsample = {stop / rows:.15g} s\n"
    return writer.text(head, signals.values()), signals, deck.tran


def run(path, tolerance=1e-6, rows=50):
    """(rows of the voltages at even times after the start, message) of a deck as a network."""
    with tempfile.TemporaryDirectory() as folder:
        text = convert(path, folder, f"scheme = esdirk4\ntolerance = {tolerance}\n", rows)[0]
        said = subprocess.run([program, "run", "-"], input=text, capture_output=True, text=True, check=False, timeout=60)
    return [[float(field) for field in line.split(",")[1:]] for line in said.stdout.splitlines()[2:]], said.stderr.strip()


def difference(rows, reference):
    """The largest difference of two courses, relative to the range of each signal; of one that is constant, to its value."""
    if len(rows) != len(reference):
        return math.inf
    worst = 0
    for a, b in zip(zip(*rows), zip(*reference)):
        scale = max(max(b) - min(b), 1e-3 * max(map(abs, b)), 1e-9)
        worst = max(worst, max(abs(x - y) for x, y in zip(a, b)) / scale)
    return worst


if __name__ == "__main__":
    try:
        print(convert(sys.argv[1], os.path.dirname(os.path.abspath(sys.argv[1])))[0], end="")
    except Refused as reason:
        sys.exit(f"{sys.argv[1]}: {reason}")
