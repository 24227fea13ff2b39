# Ifbam.py: Python idioms for libifbam; PyGObject loads it with the library
# SPDX-License-Identifier: GPL-3.0-or-later
"""An override module of PyGObject: `from gi.repository import Ifbam` finds it in gi/overrides.

network["k1"].stiffness = "20 kN/m"     parameters of elements are attributes: numbers in SI, or texts
course = network.run(progress=print)    Ctrl-C ends it
course["m1.position"]                   an array of numpy, or a memoryview without it; no copy
"""
import contextlib
import ctypes
import difflib
import html
import math
import signal
import threading

from gi.module import get_introspection_module
from gi.overrides import override
from gi.repository import Gio, GLib, GObject

try:
    import numpy
except ImportError:
    numpy = None

Ifbam = get_introspection_module("Ifbam")
__all__ = []

_glib = ctypes.CDLL("libglib-2.0.so.0")
_glib.g_bytes_get_data.restype = ctypes.c_void_p
_glib.g_bytes_get_data.argtypes = [ctypes.c_void_p, ctypes.c_void_p]


def _block(data):
    """Returns the contents of a GLib.Bytes without the copy that PyGObject's get_data() makes."""
    n = data.get_size() // 8
    pointer = hash(data)  # the address of a boxed structure, which repr () also shows
    if n == 0 or f"{pointer:#x}" not in repr(data):
        return data.get_data()
    block = (ctypes.c_double * n).from_address(_glib.g_bytes_get_data(pointer, None))
    block.owner = data  # keeps the memory while the array exists
    return block


def _doubles(data):
    """Returns the doubles of a GLib.Bytes, read-only and without a copy."""
    block = _block(data)
    if numpy is None:
        return memoryview(block).toreadonly().cast("B").cast("d")
    values = numpy.frombuffer(block, dtype=float) if data.get_size() > 0 else numpy.empty(0)
    values.flags.writeable = False
    return values


def _register(name, cls):
    cls = override(cls)
    globals()[name] = cls
    __all__.append(name)
    return cls


# Pictures for notebooks. Colours are inherited from the page where possible, so that dark pages stay readable.

_DIAGRAM_STYLE = """
.ifbam-diagram svg { max-width: 100%; height: auto; }
.ifbam-diagram :is(.lead, .symbol, .box) { fill: none; stroke: currentColor; stroke-width: 1.8; stroke-linejoin: round;
  stroke-linecap: round; vector-effect: non-scaling-stroke; }
.ifbam-diagram .link .symbol { stroke: #0a7aa3; stroke-width: 2.2; }
.ifbam-diagram .source :is(.symbol, .lead) { stroke: #c2410c; stroke-width: 2.2; }
.ifbam-diagram .more { stroke: currentColor; stroke-dasharray: 1 6; }
.ifbam-diagram text { fill: currentColor; font: 12px sans-serif; }
.ifbam-diagram .name { font-size: 14px; font-weight: 600; }
"""
_COLOURS = ["#0a7aa3", "#c2410c", "#15803d", "#7c3aed", "#a16207", "#be185d"]
_WIDTH, _HEIGHT, _MARGIN = 640, 200, 52
_MOST_SIGNALS = len(_COLOURS)


def _extremes(times, values, n):
    """Returns points for a line: the minimum and maximum of n consecutive intervals, in their order."""
    step = max(1, len(values) // n)
    points = []
    for first in range(0, len(values), step):
        part = range(first, min(first + step, len(values)))
        low, high = min(part, key=values.__getitem__), max(part, key=values.__getitem__)
        points += [(times[i], values[i]) for i in sorted({low, high}) if math.isfinite(values[i])]
    return points


def _ticks(low, high, n):
    """Returns about n round numbers from low to high."""
    size = 10.0 ** math.floor(math.log10((high - low) / n))
    step = next(size * factor for factor in (1, 2, 5, 10) if (high - low) / (size * factor) <= n)
    return [i * step for i in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)]


def _axes(times, unit, low, high):
    """Returns the scales of a figure, and its frame, ticks and labels."""
    start, end = times[0], times[-1] if times[-1] > times[0] else times[0] + 1
    if not high > low:
        low, high = low - max(1e-9, abs(low)), high + max(1e-9, abs(high))

    def place(time, value):
        return (_MARGIN + (time - start) / (end - start) * (_WIDTH - _MARGIN - 8),
                8 + (high - value) / (high - low) * (_HEIGHT - 40))

    x0, y0 = place(start, low)
    x1, y1 = place(end, high)
    parts = [f'<path d="M{x0:.1f} {y1:.1f}V{y0:.1f}H{x1:.1f}" fill="none" stroke="currentColor" opacity="0.5"/>']
    for tick in _ticks(start, end, 6):
        parts.append(f'<text x="{place(tick, low)[0]:.1f}" y="{y0 + 14:.1f}" text-anchor="middle">{tick:.6g}</text>')
    for tick in _ticks(low, high, 4):
        parts.append(f'<text x="{x0 - 5:.1f}" y="{place(start, tick)[1] + 4:.1f}" text-anchor="end">{tick:.4g}</text>')
    parts.append(f'<text x="{x1:.1f}" y="{y0 + 28:.1f}" text-anchor="end">time [s]</text>'
                 f'<text x="{x0 + 5:.1f}" y="{y1 + 8:.1f}">{html.escape(unit)}</text>')
    return place, parts


def _picture(course):
    """Returns figures of signals over time, one for each unit."""
    names, times = list(course.get_signals()), course["time"]
    shown = names[:_MOST_SIGNALS]
    if not shown or len(times) == 0:
        return "<p>a course without rows</p>"
    times, figures = list(times), []
    for unit in dict.fromkeys(course.get_unit(name) or "" for name in shown):
        lines = {name: _extremes(times, list(course[name]), _WIDTH // 2)
                 for name in shown if (course.get_unit(name) or "") == unit}
        values = [value for points in lines.values() for _, value in points] or [0]
        place, parts = _axes(times, f"[{unit}]" if unit else "", min(values), max(values))
        words = []
        for name, points in lines.items():
            colour = _COLOURS[shown.index(name)]
            path = " ".join("%.1f,%.1f" % place(*point) for point in points)
            parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.4"/>')
            words.append(f'<span style="color:{colour}">{html.escape(name)}</span>')
        figures.append(f'<div>{", ".join(words)}</div><svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" '
                       f'width="{_WIDTH}" height="{_HEIGHT}" style="max-width:100%;height:auto" fill="currentColor" '
                       f'font-family="sans-serif" font-size="11" role="img" aria-label="{html.escape(", ".join(lines))}">'
                       f'{"".join(parts)}</svg>')
    rest = len(names) - len(shown)
    return "".join(figures) + (f"<div>and {rest} more signals</div>" if rest > 0 else "")


class _Keys:
    """Makes properties attributes; a "-" in a name is "_"."""

    def _texts(self):
        """Returns the object that accepts a value as a text with its unit."""
        return self

    def _missing(self, name):
        """Returns the error for an unknown property, with the most similar name."""
        names = [spec.name.replace("-", "_") for spec in self.list_properties()]
        near = difflib.get_close_matches(name.replace("-", "_"), names, 1)
        return f'{self.__class__.__name__} has no "{name}"' + (f' (did you mean "{near[0]}"?)' if near else "")

    def _spec(self, key):
        spec = self.find_property(key)
        if spec is None:
            raise KeyError(self._missing(key))
        return spec

    def __getattr__(self, name):
        key = name.replace("_", "-")
        if name.startswith("_") or self.find_property(key) is None:
            raise AttributeError(self._missing(name))
        return self._value(key)

    def __setattr__(self, name, value):
        key = name.replace("_", "-")
        known = getattr(type(self), name, None)
        if name.startswith("_") or hasattr(known, "__set__"):
            super().__setattr__(name, value)
        elif known is not None:
            raise AttributeError(f"{name} is a method" + (f" (want props.{name})" if self.find_property(key) else ""))
        elif self.find_property(key) is None:
            raise AttributeError(self._missing(name))
        else:
            self._set(key, value)

    def _value(self, key):
        value = self.get_property(key)
        return value.unpack() if isinstance(value, GLib.Variant) else value

    def _set(self, key, value):
        spec = self._spec(key)
        kind = spec.value_type
        if isinstance(value, str) and kind != GObject.TYPE_STRING:
            self._texts().set_text(key, value)
            return
        if kind == GObject.TYPE_DOUBLE:
            value = float(value)
            if not spec.minimum <= value <= spec.maximum:
                raise ValueError(f"{key}: {value:g} is not within {spec.minimum:g} to {spec.maximum:g}")
        elif kind == GObject.TYPE_VARIANT and value is not None:
            value = GLib.Variant("ad", [float(number) for number in value])
        elif kind == GObject.TYPE_STRV and value is not None:
            value = [one if isinstance(one, str) else one.get_name() for one in value]
        self.set_property(key, value)


class Element(_Keys, Ifbam.Element):
    """An element: its parameters are attributes; a Python keyword is a key: chain["from"]."""

    def __getitem__(self, key):
        self._spec(key)
        return self._value(key)

    def __setitem__(self, key, value):
        self._set(key, value)

    def __repr__(self):
        return f"<[{self.get_class_name()} {self.get_name()}]>"


Element = _register("Element", Element)


class Course(Ifbam.Course):
    """Signals by name: course["m1.position"], course["time"]."""

    def __getitem__(self, signal_name):
        try:
            return _doubles(self.get_bytes(signal_name))
        except GLib.Error as error:
            raise KeyError(error.message) from None

    def __contains__(self, signal_name):
        return signal_name == "time" or signal_name in self.get_signals()

    def __iter__(self):
        return iter(self.get_signals())

    def __len__(self):
        return len(self.get_signals())

    def keys(self):
        return list(self.get_signals())

    def _repr_html_(self):
        """Returns a picture, for notebooks."""
        return _picture(self)

    def spectrum(self, signal_name, window=Ifbam.Window.HANN):
        """Returns the spectrum of a signal, Ifbam.Spectrum."""
        return Ifbam.Spectrum.new(self["time"], self[signal_name], window)


Course = _register("Course", Course)


class Events(Ifbam.Events):
    """A sequence of events."""

    def __len__(self):
        return self.get_n_events()

    def __getitem__(self, number):
        if isinstance(number, slice):
            return [self[i] for i in range(*number.indices(len(self)))]
        if not -len(self) <= number < len(self):
            raise IndexError(number)
        return self.get_event(number % len(self))

    def __iter__(self):
        return (self.get_event(i) for i in range(len(self)))


Events = _register("Events", Events)


class SweepTable(Ifbam.SweepTable):
    """Columns by name: table["k1.stiffness"]."""

    def __getitem__(self, column):
        try:
            return _doubles(self.get_bytes(column))
        except GLib.Error as error:
            raise KeyError(error.message) from None

    def __contains__(self, column):
        return column in self.get_columns()

    def __iter__(self):
        return iter(self.get_columns())

    def __len__(self):
        return len(self.get_columns())

    def keys(self):
        return list(self.get_columns())


SweepTable = _register("SweepTable", SweepTable)


class Modes(Ifbam.Modes):
    """Modes by frequency: modes.frequencies, damping_ratios and decay_rates are arrays, modes.shape(0) is one over
    modes.get_nodes(), complex where nodes have phases of their own."""

    def _of_all(self, place):
        return _doubles(self.get_bytes())[place::4]  # see Ifbam.Mode: the kind, then these

    @property
    def frequencies(self):
        return self._of_all(1)

    @property
    def damping_ratios(self):
        return self._of_all(2)

    @property
    def decay_rates(self):
        return self._of_all(3)

    def shape(self, mode):
        real, imaginary = _doubles(self.get_shape_bytes(mode)), _doubles(self.get_imaginary_shape_bytes(mode))
        if len(imaginary) == 0:
            return real
        if numpy is None:
            return [complex(*both) for both in zip(real, imaginary)]
        return real + 1j * imaginary

    def __len__(self):
        return len(self.frequencies)


Modes = _register("Modes", Modes)


class Response(Ifbam.Response):
    """response.frequencies, and by the name of an output response.amplitudes("m2.position") and
    response.phases("m2.position"), in degrees."""

    def _number(self, output):
        try:
            return self.get_outputs().index(output)
        except ValueError:
            raise KeyError(output) from None

    @property
    def frequencies(self):
        return _doubles(self.get_frequency_bytes())

    def amplitudes(self, output):
        return _doubles(self.get_amplitude_bytes(self._number(output)))

    def phases(self, output):
        return _doubles(self.get_phase_bytes(self._number(output)))


Response = _register("Response", Response)


def _check_rows(times, values):
    """Checks that there are as many values as times, which the library reads."""
    if len(times) != len(values):
        raise ValueError(f"{len(times)} times, but {len(values)} values (want as many)")


class Spectrum(Ifbam.Spectrum):
    """spectrum.amplitudes over spectrum.frequencies."""

    @staticmethod
    def new(times, values, *others, **named):
        _check_rows(times, values)
        return Ifbam.Spectrum.new(times, values, *others, **named)

    @staticmethod
    def new_averaged(times, values, *others, **named):
        _check_rows(times, values)
        return Ifbam.Spectrum.new_averaged(times, values, *others, **named)

    @property
    def frequencies(self):
        return _doubles(self.get_frequency_bytes())

    @property
    def amplitudes(self):
        return _doubles(self.get_amplitude_bytes())


Spectrum = _register("Spectrum", Spectrum)


def refine_peaks(times, values, *others, **named):
    _check_rows(times, values)
    return Ifbam.refine_peaks(times, values, *others, **named)


__all__.append("refine_peaks")


class Spectrogram(Ifbam.Spectrogram):
    """spectrogram.amplitudes: a row over spectrogram.frequencies for each of spectrogram.times."""

    @staticmethod
    def new(times, values, *others, **named):
        _check_rows(times, values)
        return Ifbam.Spectrogram.new(times, values, *others, **named)

    @property
    def times(self):
        return _doubles(self.get_time_bytes())

    @property
    def frequencies(self):
        return _doubles(self.get_frequency_bytes())

    @property
    def amplitudes(self):
        values, n = _doubles(self.get_amplitude_bytes()), len(self.frequencies)
        if numpy is None:
            return [values[i:i + n] for i in range(0, len(values), n)]
        return values.reshape(-1, n)


Spectrogram = _register("Spectrogram", Spectrogram)


@contextlib.contextmanager
def _interruptible(progress, cancellable):
    """Yields a Gio.Cancellable and a progress callback (fraction done). Raises an exception of `progress`, or
    KeyboardInterrupt after Ctrl-C, when the work has ended."""
    cancellable = cancellable or Gio.Cancellable()
    raised = []

    def report(part):
        try:
            if progress is not None and not raised:
                progress(part)
        except BaseException as error:  # PyGObject would print it and continue
            raised.append(error)
            cancellable.cancel()

    def interrupt(number, frame):
        try:
            if callable(previous):
                previous(number, frame)
            else:
                raise KeyboardInterrupt
        except BaseException as error:
            raised.append(error)
            cancellable.cancel()

    previous = signal.getsignal(signal.SIGINT)
    watches = threading.current_thread() is threading.main_thread() and previous not in (
        signal.SIG_IGN, None)
    if watches:
        signal.signal(signal.SIGINT, interrupt)
    try:
        yield cancellable, report
    except GLib.Error:
        if not raised:
            raise
    finally:
        if watches:
            signal.signal(signal.SIGINT, previous)
    if raised:
        raise raised[0]


class Run(_Keys, Ifbam.Run):
    """Run(network=network, scheme="verlet", step="1 ms"): properties are arguments and attributes (the step:
    run.props.step); values may be texts with units."""

    def __init__(self, network=None, **properties):
        super().__init__(network=network)
        for name, value in properties.items():
            self._set(name.replace("_", "-"), value)

    def _texts(self):
        return self.get_settings()

    def step(self, n_steps=1, cancellable=None, progress=None):
        with _interruptible(progress, cancellable) as (ended, report):
            handler = self.connect("progress", lambda _run, part: report(part))
            try:
                Ifbam.Run.step(self, n_steps, ended)
            finally:
                self.disconnect(handler)

    def run(self, cancellable=None, progress=None):
        """Runs to the end; calls progress(part) about forty times a second. Returns the course."""
        self.step(GLib.MAXUINT64, cancellable, progress)
        return self.get_course()

    @property
    def course(self):
        return self.get_course()

    @property
    def events(self):
        return self.get_events()

    def __getitem__(self, signal_name):
        """Returns a signal at the present time, recorded or not."""
        return self.get_value(signal_name)[1]


Run = _register("Run", Run)


class Network(_Keys, Ifbam.Network):
    """Elements by name, network["k1"]; the values of its group [network] are attributes."""

    def _texts(self):
        return self.get_settings()

    def __getitem__(self, name):
        element = self.get_element(name)
        if element is None:
            raise KeyError(name)
        return element

    def __delitem__(self, name):
        self.remove(self[name])

    def __contains__(self, name):
        return isinstance(name, str) and self.get_element(name) is not None

    def __iter__(self):
        return iter(self.list_elements())

    def __len__(self):
        return len(self.list_elements())

    def add(self, class_name, name, **parameters):
        """network.add("spring", "k1", stiffness="10 kN/m", between=["wall", "m1"])"""
        element = Ifbam.Network.add(self, class_name, name)
        for key, value in parameters.items():
            element[key.replace("_", "-")] = value
        return element

    def run(self, engine=Ifbam.EngineKind.PLAN, progress=None, cancellable=None, **spec):
        """Runs the network from its start over its duration; scheme="verlet" and other properties apply to this run
        only. Returns the course."""
        return Run(network=self, engine=engine, **spec).run(cancellable, progress)

    def _repr_html_(self):
        """Returns the diagram, for notebooks; for an invalid network its errors."""
        try:
            return f'<div class="ifbam-diagram"><style>{_DIAGRAM_STYLE}</style>{self.draw()}</div>'
        except GLib.Error as error:
            return f"<pre>{html.escape(error.message)}</pre>"

    def modes(self, count=0, near=0):
        """Returns the modes, Ifbam.Modes: all, or the given number nearest to a frequency."""
        return Ifbam.Modes.new(self, count, near)

    def response(self, source, outputs, frequencies):
        """network.response("force@m1", ["m2.position"], [1, 2, 3]): an Ifbam.Response."""
        outputs = [outputs] if isinstance(outputs, str) else outputs
        return Ifbam.Response.new(self, source, outputs, frequencies)

    def sweep(self, varied, measured=None, count=0, threads=0, progress=None, cancellable=None):
        """network.sweep({"k1.stiffness": "5kN/m:20kN/m:31", "m1.mass": [1, 2]}, ["max:m2.position"])"""
        if isinstance(varied, dict):
            varied = [f"{name}={values if isinstance(values, str) else ','.join(map(str, values))}"
                      for name, values in varied.items()]
        with _interruptible(progress, cancellable) as (ended, report):
            return Ifbam.Network.sweep(self, varied, measured, count, threads, ended, report)


Network = _register("Network", Network)
