# fmi_rules.py: rules of FMI 2.0 and 3.0 for model descriptions, each with changes of a right description that break it
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Written from the text of the standard: "Functional Mock-up Interface Specification" 2.0.5, section 2.2, and 3.0.2, section 2.4.
import copy
import math
import re

ELEMENTS = {2: "ModelExchange CoSimulation UnitDefinitions TypeDefinitions LogCategories DefaultExperiment VendorAnnotations "
               "ModelVariables ModelStructure",
            3: "ModelExchange CoSimulation ScheduledExecution UnitDefinitions TypeDefinitions LogCategories DefaultExperiment "
               "ModelVariables ModelStructure Annotations"}
FLAGS = {2: "needsExecutionTool canBeInstantiatedOnlyOncePerProcess canNotUseMemoryManagementFunctions canGetAndSetFMUstate "
            "canSerializeFMUstate providesDirectionalDerivative completedIntegratorStepNotNeeded "
            "canHandleVariableCommunicationStepSize canInterpolateInputs canRunAsynchronuously",
         3: "needsExecutionTool canBeInstantiatedOnlyOncePerProcess canGetAndSetFMUState canSerializeFMUState "
            "providesDirectionalDerivatives providesAdjointDerivatives providesPerElementDependencies needsCompletedIntegratorStep "
            "providesEvaluateDiscreteStates canHandleVariableCommunicationStepSize mightReturnEarlyFromDoStep "
            "canReturnEarlyAfterIntermediateUpdate hasEventMode providesIntermediateUpdate"}
BASE_UNITS = "kg m s A K mol cd rad".split()
# Of a causality: its variabilities, and of each the values of `initial`, the standard's own first ("": none is allowed).
COMBINATIONS = {
    "parameter": {"fixed": "exact", "tunable": "exact"},
    "input": {"discrete": "", "continuous": ""},
    "output": {"constant": "exact", "discrete": "calculated exact approx", "continuous": "calculated exact approx"},
    "local": {"constant": "exact", "fixed": "calculated approx", "tunable": "calculated approx",
              "discrete": "calculated exact approx", "continuous": "calculated exact approx"},
    "independent": {"continuous": ""},
}
RULES = []


class Description:
    """A model description as an XML element; a variable of version 2 has the attributes of its type, too."""

    def __init__(self, root):
        self.root = root
        self.version = 3 if root.get("instantiationToken") is not None else 2
        self.kinds = [kind for kind in root if kind.tag in ("ModelExchange", "CoSimulation", "ScheduledExecution")]
        self.variables = list(root.find("ModelVariables"))
        self.experiment = root.find("DefaultExperiment")

    def parts(self, variable):
        return [variable, *variable] if self.version == 2 else [variable]

    def get(self, variable, key):
        return next((part.get(key) for part in self.parts(variable) if part.get(key) is not None), None)

    def put(self, variable, key, value):
        self.parts(variable)[-1 if key in ("unit", "min", "max", "start", "derivative") else 0].set(key, value)

    def first(self, causality, key=None):
        return next(v for v in self.variables if v.get("causality") == causality and (key is None or self.get(v, key) is not None))

    def initial(self, variable):
        allowed = COMBINATIONS.get(variable.get("causality"), {}).get(variable.get("variability"), "")
        return variable.get("initial") or allowed.split(" ")[0]

    def listed(self, word):
        """Variables in a list of the structure, None where an entry names none. word: of version 3, such as Output."""
        structure = self.root.find("ModelStructure")
        if self.version == 3:
            by_reference = {v.get("valueReference"): v for v in self.variables}
            return [by_reference.get(entry.get("valueReference")) for entry in structure.iter(word)]
        name = {"Output": "Outputs", "ContinuousStateDerivative": "Derivatives", "InitialUnknown": "InitialUnknowns"}[word]
        indices = [int(entry.get("index")) for part in structure.iter(name) for entry in part]
        return [self.variables[i - 1] if 1 <= i <= len(self.variables) else None for i in indices]

    def entry(self, word):
        """The first entry of a list, and its parent."""
        structure = self.root.find("ModelStructure")
        if self.version == 3:
            return structure, structure.find(word)
        part = structure.find({"Output": "Outputs", "ContinuousStateDerivative": "Derivatives", "InitialUnknown": "InitialUnknowns"}[word])
        return part, part[0]

    def state(self, variable):
        """The variable of which a variable is the derivative."""
        of = self.get(variable, "derivative")
        if self.version == 3:
            return next((v for v in self.variables if v.get("valueReference") == of), None)
        return self.variables[int(of) - 1] if 1 <= int(of) <= len(self.variables) else None


def rule(text, *changes):
    """A rule: a function that tells whether a description follows it; changes: functions that break it."""
    return lambda follows: RULES.append((text, follows, changes)) or follows


def number(text):
    return float(text) if text is not None and re.fullmatch(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?", text) else math.nan


def remove(d, word):
    parent, entry = d.entry(word)
    parent.remove(entry)


def repeat(d, word):
    parent, entry = d.entry(word)
    parent.append(copy.copy(entry))


def are_same(listed, wanted):
    return None not in listed and sorted(map(id, listed)) == sorted(map(id, wanted))


@rule("the root names the version, the model and its token", lambda d: d.root.set("fmiVersion", "1.0"), lambda d: d.root.set("modelName", ""),
      lambda d: d.root.set("guid" if d.version == 2 else "instantiationToken", ""))
def root(d):
    return (d.root.tag == "fmiModelDescription" and d.root.get("fmiVersion") == "%d.0" % d.version and d.root.get("modelName")
            and d.root.get("guid" if d.version == 2 else "instantiationToken"))


@rule("the elements are the standard's, each once, in its order", lambda d: d.root.append(copy.copy(d.root[0])),
      lambda d: d.root.insert(0, d.root[-1]), lambda d: setattr(d.root[0], "tag", "Exchange"))
def elements(d):
    places = [ELEMENTS[d.version].split().index(part.tag) if part.tag in ELEMENTS[d.version].split() else -1 for part in d.root]
    return min(places) >= 0 and places == sorted(set(places))


@rule("there is a kind of use, and its identifier is one of C", lambda d: [d.root.remove(kind) for kind in d.kinds],
      lambda d: d.kinds[0].set("modelIdentifier", "7-up"))
def kinds(d):
    found = [kind for kind in d.root if kind in d.kinds]
    return found and all(re.fullmatch(r"[A-Za-z_]\w*", kind.get("modelIdentifier", "")) for kind in found)


@rule("flags are the standard's, true or false; a step is above 0", lambda d: d.kinds[-1].set("canFly", "true"),
      lambda d: d.kinds[-1].set("needsExecutionTool", "maybe"),
      lambda d: d.kinds[-1].set("fixedInternalStepSize", "0"))
def flags(d):
    for kind in d.kinds:
        for key, value in kind.attrib.items():
            fine = (key == "modelIdentifier" or (key in FLAGS[d.version].split() and value in ("true", "false"))
                    or (key == "fixedInternalStepSize" and d.version == 3 and number(value) > 0))
            if not fine:
                return False
    return True


@rule("a unit is defined once, by whole powers of basic units", lambda d: d.root.find("UnitDefinitions").append(copy.copy(d.root.find("UnitDefinitions")[0])),
      lambda d: d.root.find("UnitDefinitions")[0][0].set("s", "0.5"), lambda d: d.root.find("UnitDefinitions")[0][0].set("ell", "1"))
def units(d):
    names = [unit.get("name") for unit in d.root.iter("Unit")]
    return len(names) == len(set(names)) and all(key in BASE_UNITS and re.fullmatch(r"-?\d+", value)
                                                 for unit in d.root.iter("BaseUnit") for key, value in unit.attrib.items())


@rule("the unit of a variable is defined", lambda d: d.put(d.first("parameter", "unit"), "unit", "furlong"))
def units_of_variables(d):
    return {d.get(v, "unit") for v in d.variables} - {None} <= {unit.get("name") for unit in d.root.iter("Unit")}


@rule("categories of messages have names, each another", lambda d: d.root.find("LogCategories")[0].set("name", ""),
      lambda d: d.root.find("LogCategories")[0].set("name", d.root.find("LogCategories")[1].get("name")))
def categories(d):
    names = [category.get("name") for category in d.root.iter("Category")]
    return all(names) and len(names) == len(set(names))


@rule("the experiment ends after its start; tolerance and step are above 0", lambda d: d.experiment.set("stopTime", "-1"),
      lambda d: d.experiment.set("tolerance", "0"), lambda d: d.experiment.set("stepSize", "soon"))
def experiment(d):
    return (number(d.experiment.get("startTime")) < number(d.experiment.get("stopTime")) and number(d.experiment.get("tolerance")) > 0
            and number(d.experiment.get("stepSize")) > 0)


@rule("a variable has one type and a name of its own, in one line", lambda d: d.variables[1].set("name", "time"),
      lambda d: d.variables[1].set("name", "a\nb"), lambda d: setattr(d.parts(d.variables[1])[-1], "tag", "Complex"))
def names(d):
    found = [v.get("name") for v in d.variables]
    types = [[part.tag for part in d.parts(v)] for v in d.variables]
    return (all(found) and len(found) == len(set(found)) and not any(re.search(r"[\t\r\n]", name) for name in found)
            and all(tags == (["ScalarVariable", "Real"] if d.version == 2 else ["Float64"]) for tags in types))


@rule("a value reference has 32 bits and is of one variable", lambda d: d.variables[1].set("valueReference", "0"),
      lambda d: d.variables[1].set("valueReference", "-1"), lambda d: d.variables[1].set("valueReference", "4294967296"))
def references(d):
    found = [v.get("valueReference") for v in d.variables]
    return len(found) == len(set(found)) and all(re.fullmatch(r"\d+", text or "") and int(text) < 2 ** 32 for text in found)


@rule("one variable at most is independent", lambda d: [d.variables[1].set(*pair) for pair in d.variables[0].attrib.items()
                                                         if pair[0] in ("causality", "variability")])
def independent(d):
    return sum(v.get("causality") == "independent" for v in d.variables) <= 1


@rule("causality, variability and initial go together", lambda d: d.first("parameter").set("variability", "continuous"),
      lambda d: d.first("output").set("initial", "perhaps"), lambda d: d.first("input").set("initial", "exact"),
      lambda d: d.first("local").set("causality", "global"))
def combinations(d):
    for v in d.variables:
        allowed = COMBINATIONS.get(v.get("causality"), {}).get(v.get("variability"))
        if allowed is None or (v.get("initial") is not None and v.get("initial") not in allowed.split()):
            return False
    return True


@rule("a start is there where one is wanted, and nowhere else", lambda d: d.parts(d.first("parameter"))[-1].attrib.pop("start"),
      lambda d: d.parts(d.first("input"))[-1].attrib.pop("start"), lambda d: d.put(d.first("output"), "start", "1"),
      lambda d: d.put(d.first("independent"), "start", "0"))
def starts(d):
    return all((d.get(v, "start") is not None) == (v.get("causality") == "input" or d.initial(v) in ("exact", "approx")) for v in d.variables)


@rule("a start is a number between the least and the most", lambda d: d.put(d.first("parameter", "min"), "start", "-1"),
      lambda d: d.put(d.first("parameter"), "start", "inf"), lambda d: d.put(d.first("parameter", "min"), "min", "none"))
def ranges(d):
    for v in d.variables:
        least, start, most = (d.get(v, key) for key in ("min", "start", "max"))
        least, most = number(least) if least is not None else -math.inf, number(most) if most is not None else math.inf
        if not least <= most or (start is not None and not least <= number(start) <= most):
            return False
    return True


@rule("a derivative is of another continuous variable", lambda d: d.put(d.first("local", "derivative"), "derivative", "99999"),
      lambda d: d.put(d.first("local", "derivative"), "derivative", "1"))
def derivatives(d):
    found = [(v, d.state(v)) for v in d.variables if d.get(v, "derivative") is not None]
    return all(of is not None and of is not v and of.get("variability") == "continuous" and of.get("causality") in ("local", "output")
               for v, of in found)


@rule("the structure lists each output once", lambda d: remove(d, "Output"), lambda d: repeat(d, "Output"))
def outputs(d):
    return are_same(d.listed("Output"), [v for v in d.variables if v.get("causality") == "output"])


@rule("the structure lists each derivative of a state once", lambda d: remove(d, "ContinuousStateDerivative"),
      lambda d: repeat(d, "ContinuousStateDerivative"))
def states(d):
    return are_same(d.listed("ContinuousStateDerivative"), [v for v in d.variables if d.get(v, "derivative") is not None])


@rule("the structure lists each initial unknown once", lambda d: remove(d, "InitialUnknown"), lambda d: repeat(d, "InitialUnknown"))
def unknowns(d):
    rates = [v for v in d.variables if d.get(v, "derivative") is not None]
    wanted = [v for v in d.variables if v.get("causality") == "output"] + rates + [d.state(v) for v in rates]
    wanted = {id(v): v for v in wanted if v is not None and d.initial(v) in ("calculated", "approx")}
    return are_same(d.listed("InitialUnknown"), list(wanted.values()))


@rule("event indicators are counted (FMI 2), or are continuous variables (FMI 3)",
      lambda d: d.root.set("numberOfEventIndicators", "-1") if d.version == 2 else d.entry("EventIndicator")[1].set("valueReference", "99999"))
def indicators(d):
    if d.version == 2:
        return re.fullmatch(r"\d+", d.root.get("numberOfEventIndicators", "0"))
    return all(v is not None and v.get("variability") == "continuous" for v in d.listed("EventIndicator"))


def broken_rules(root_element):
    d = Description(root_element)
    return [text for text, follows, _changes in RULES if not follows(d)]


def undetected_changes(root_element):
    """Changes of a right description that their rule accepts."""
    undetected = []
    for text, follows, changes in RULES:
        for i, change in enumerate(changes):
            d = Description(copy.deepcopy(root_element))
            change(d)
            if follows(d):
                undetected.append("%s (change %d)" % (text, i + 1))
    return undetected
