# fmu_host.py: an importer of FMUs: unpacks an archive, reads its description, calls its shared object
# SPDX-License-Identifier: GPL-3.0-or-later
import ctypes
import glob
import os
import xml.etree.ElementTree as xml
import zipfile
from ctypes import POINTER, byref, c_bool, c_char_p, c_double, c_int, c_size_t, c_uint, c_void_p

LOG3 = ctypes.CFUNCTYPE(None, c_void_p, c_int, c_char_p, c_char_p)
LOG2 = ctypes.CFUNCTYPE(None, c_void_p, c_char_p, c_int, c_char_p, c_char_p, c_char_p)  # "%s" and the message


class Callbacks2(ctypes.Structure):
    _fields_ = [("logger", LOG2), ("allocate", c_void_p), ("free", c_void_p), ("finished", c_void_p), ("environment", c_void_p)]


class EventInfo2(ctypes.Structure):
    _fields_ = [("again", c_int), ("end", c_int), ("nominals", c_int), ("values", c_int), ("has_next", c_int), ("next", c_double)]


class Refused(Exception):
    """A status that is not OK, with the FMU's message."""


class Fmu:
    """An unpacked archive."""

    def __init__(self, path, folder):
        self.folder = folder
        with zipfile.ZipFile(path) as archive:
            archive.extractall(folder)
        self.description = xml.parse(os.path.join(folder, "modelDescription.xml")).getroot()
        self.version = int(self.description.get("fmiVersion")[0])
        self.token = self.description.get("instantiationToken" if self.version == 3 else "guid")
        self.step = float(self.description.find("DefaultExperiment").get("stepSize"))
        self.stop = float(self.description.find("DefaultExperiment").get("stopTime"))
        self.references, self.outputs, self.variables = {}, [], []
        for variable in self.description.find("ModelVariables"):
            name = variable.get("name")
            assert name not in self.references, name + " is there twice"
            self.references[name] = int(variable.get("valueReference"))
            self.variables.append(variable)
            if variable.get("causality") == "output":
                self.outputs.append(name)
        self.library = ctypes.CDLL(glob.glob(os.path.join(folder, "binaries", "*", "*.so"))[0])


class Instance:
    """One of its instances."""

    def __init__(self, fmu, exchange=False, events=False, early=False, token=None):
        self.fmu, self.said, self.happened, self.exchange = fmu, [], [], exchange
        self.third = fmu.version == 3
        self.prefix = "fmi%d" % fmu.version
        token = (token or fmu.token).encode()
        resources = os.path.join(fmu.folder, "resources")
        self.logger = LOG3(self.hear3) if self.third else LOG2(self.hear2)
        if self.third:
            kind = "ModelExchange" if exchange else "CoSimulation"
            make = getattr(fmu.library, "fmi3Instantiate" + kind)
            make.restype = c_void_p
            words = [b"one", token, (resources + "/").encode(), c_bool(False), c_bool(True)]
            if not exchange:
                words += [c_bool(events), c_bool(early), None, c_size_t(0)]
            words += [None, self.logger]
            self.instance = make(*words, *([] if exchange else [None]))
        else:
            make = fmu.library.fmi2Instantiate
            make.restype = c_void_p
            self.callbacks = Callbacks2(self.logger, None, None, None, None)
            self.instance = make(b"one", c_int(0 if exchange else 1), token, ("file://" + resources).encode(),
                                 byref(self.callbacks), c_int(0), c_int(1))
        if self.instance is None:
            raise Refused("; ".join(self.said))

    def hear3(self, _environment, status, category, text):
        self.hear(status, category, text)

    def hear2(self, _environment, _name, status, category, form, text):
        assert form == b"%s"
        self.hear(status, category, text)

    def hear(self, status, category, text):
        (self.happened if category == b"logEvents" else self.said).append(text.decode())
        assert (status == 0) == (category == b"logEvents")

    def call(self, name, *words):
        status = getattr(self.fmu.library, self.prefix + name)(c_void_p(self.instance), *words)
        if status != 0:
            said, self.said = self.said, []
            raise Refused("; ".join(said) or "status %d of %s" % (status, name))

    def free(self):
        getattr(self.fmu.library, self.prefix + "FreeInstance")(c_void_p(self.instance))
        self.instance = None

    def numbers(self, n):
        return (c_double * n)()

    def set(self, name, value):
        reference, number = c_uint(self.fmu.references[name]), c_double(value)
        if self.third:
            self.call("SetFloat64", byref(reference), c_size_t(1), byref(number), c_size_t(1))
        else:
            self.call("SetReal", byref(reference), c_size_t(1), byref(number))

    def getter(self, names):
        """Asks for the same again and again."""
        n = len(names)
        references = (c_uint * n)(*[self.fmu.references[name] for name in names])
        values = self.numbers(n)

        def get():
            if self.third:
                self.call("GetFloat64", references, c_size_t(n), values, c_size_t(n))
            else:
                self.call("GetReal", references, c_size_t(n), values)
            return list(values)
        return get

    def get(self, name):
        return self.getter([name])()[0]

    def initialize(self, start=0.0):
        if self.third:
            self.call("EnterInitializationMode", c_bool(False), c_double(0), c_double(start), c_bool(False), c_double(0))
        else:
            self.call("SetupExperiment", c_int(0), c_double(0), c_double(start), c_int(0), c_double(0))
            self.call("EnterInitializationMode")

    def begin(self, start=0.0):
        self.initialize(start)
        self.call("ExitInitializationMode")

    def do_step(self, time, by):
        """(something happened, the step ended early, when)"""
        if not self.third:
            self.call("DoStep", c_double(time), c_double(by), c_int(1))
            return False, False, time + by
        event, end, early, reached = c_bool(), c_bool(), c_bool(), c_double()
        self.call("DoStep", c_double(time), c_double(by), c_bool(True), byref(event), byref(end), byref(early), byref(reached))
        return event.value, early.value, reached.value

    def update(self):
        """Processes events: returns (values have changed, time of the next event or None)."""
        if not self.third:
            info = EventInfo2(again=1)
            changed = False
            while info.again:
                self.call("NewDiscreteStates", byref(info))
                changed |= bool(info.values)
            return changed, info.next if info.has_next else None
        again, end, nominals, values, has_next = [c_bool(True)] + [c_bool() for i in range(4)]
        time, changed = c_double(), False
        while again.value:
            self.call("UpdateDiscreteStates", byref(again), byref(end), byref(nominals), byref(values), byref(has_next), byref(time))
            changed |= values.value
        return changed, time.value if has_next.value else None

    def state(self):
        word = "State" if self.third else "state"
        kept = c_void_p()
        self.call("GetFMU" + word, byref(kept))
        return kept

    def set_state(self, kept):
        self.call("SetFMU" + ("State" if self.third else "state"), kept)

    def free_state(self, kept):
        self.call("FreeFMU" + ("State" if self.third else "state"), byref(kept))
        assert not kept.value

    def bytes_of(self, kept):
        word = "FMUState" if self.third else "FMUstate"
        size = c_size_t()
        self.call("Serialized" + word + "Size", kept, byref(size))
        block = ctypes.create_string_buffer(size.value)
        self.call("Serialize" + word, kept, block, size)
        return block.raw

    def state_of(self, block):
        kept = c_void_p()
        name = "DeserializeFMUState" if self.third else "DeSerializeFMUstate"
        self.call(name, block, c_size_t(len(block)), byref(kept))
        return kept
