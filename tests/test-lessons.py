#!/usr/bin/python3
"""test-lessons.py: ifbam lesson check: shipped lessons are right, faults are reported at their lines, wrong solutions are found

SPDX-License-Identifier: GPL-3.0-or-later
"""
import glob
import json
import os
import re
import tempfile

from expect import check, finish, ifbam, networks

folder = tempfile.TemporaryDirectory()
lessons = sorted(glob.glob(os.path.join(networks, "lessons", "*.lesson.md")))
HEAD = f"# Title\n```lesson\nnetwork {networks}/three-dof.ini\n```\n## First\n```lesson\n"


def write(text):
    path = os.path.join(folder.name, "a.lesson.md")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def says(text, *words, code=1):
    done = ifbam("lesson", "check", write(text))
    fine = done.returncode == code and all(word in done.stderr for word in words)
    check(fine, f"fault: {words[0]}", (done.returncode, done.stdout, done.stderr))


done = ifbam("lesson", "check", *lessons, "--json")
answer = json.loads(done.stdout)
trials = [trial for lesson in answer["lessons"] for step in lesson["steps"] for trial in step["trials"]]
check(done.returncode == 0 and len(answer["lessons"]) == len(lessons) >= 22, "the shipped lessons are right", done.stderr)
check(all(trial["wanted"] == trial["fulfilled"] for trial in trials), "each trial ends as it should")
check(sum(trial["solution"] for trial in trials) >= 22 and sum(trial["setting"] != "" for trial in trials) >= 22,
      "lessons have solutions and wrong answers")
for path in lessons:
    with open(path, encoding="utf-8") as file:
        text = file.read()
    title = os.path.basename(path)
    with open(os.path.join(networks, "lessons", "README.md"), encoding="utf-8") as file:
        check(f"({title})" in file.read(), f"{title} is in the list")
    check(len(re.findall("^ask ", text, re.M)) >= 1, f"{title} asks")

# Pages: a link for each step with a block, numbers in SI units, no answers

for path in lessons:
    page = os.path.join(folder.name, "page.html")
    done = ifbam("lesson", "page", path, "-o", page)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    with open(page, encoding="utf-8") as file:
        html = file.read()
    steps = len(re.findall("^## ", text, re.M))
    check(done.returncode == 0 and html.count(">Set up this step</a>") == steps and html.count("<strong>") >= text.count("\nask ")
          and "solution" not in html.split('id="text"')[1].split("</section>")[0], f"the page of {os.path.basename(path)}", done.stderr)
with open(page, encoding="utf-8") as file:
    check('href="#cross=28000"' in file.read(), "a link has the numbers of its step")
done = ifbam("lesson", "page", lessons[0])
check(done.returncode == 2 and "want: ifbam lesson check" in done.stderr, "a page without a file", done.stderr)

# A solution that is none, a wrong answer that is right, a fact that does not hold

for body, setting in (("solution k1.stiffness = 1 kN/m\nexpect frequency(mode 1) > 10 Hz", "solution"),
                      ("solution k1.stiffness = 20 kN/m\nwrong k1.stiffness = 21 kN/m\nexpect frequency(mode 1) > 10 Hz", "k1.stiffness=21 kN/m"),
                      ("solution k1.stiffness = 20 kN/m\nexpect frequency(mode 1) > 1 Hz", "as it is"),
                      ("expect diverges", "as it is")):
    done = ifbam("lesson", "check", write(HEAD + body + "\n```\n"))
    bad = [line for line in done.stdout.splitlines() if "not ok" in line]
    check(done.returncode == 1 and len(bad) == 1 and setting in bad[0], "found: " + body.replace("\n", ", "), done.stdout + done.stderr)

# Comparisons and units: values are those of the run

course = ifbam("run", os.path.join(networks, "three-dof.ini")).stdout.splitlines()[1:]
largest = max(float(row.split(",")[1]) for row in course if 1 <= float(row.split(",")[0]) <= 2)
for body in (f"expect max(m3.position, 1 s..2 s) within 1e-15 m of {largest!r} m", f"expect {largest * 1e3!r} mm within 1e-9 % of max(m3.position, 1 s..2 s)",
             "expect 2 * frequency(mode 1) within 1e-6 Hz of 19.320459668 Hz", "expect 1 / frequency(mode 1) within 1 us of 103.5172 ms",
             "expect max(m3.position) / (1 mm) > 0.5", "expect holds", "expect damping(mode 1) < 1e-9"):
    done = ifbam("lesson", "check", write(HEAD + body + "\n```\n"))
    check(done.returncode == 0, body, done.stdout + done.stderr)

# Faults, all at once and at their lines

says("# T\n```lesson\nset a.b = 1\nnework x\n```\n## S\n```lesson\nsee\nexpect max(m1.position)\nexpect max(m1.position, 2 s..1 s) < 1\n"
     "expect max(m1.position, 2 s) < 1\nexpect maxi(m1.position) < 1\nsolution x\nexpect frequency(mode 0) < 1 Hz\nexpect damping(m1) < 1\n"
     "expect max(m1.position < 1\n",
     "3: set: is before the first step", '4: there is no word "nework" (want one of network, set, see,', '8: "see" has no text', "9: expect:",
     "10: expect: 2 s..1 s: the end is not after the beginning", "11: expect:", "12: expect:", '13: solution: "x" is no setting',
     "14: expect: \"mode 0\"", "15: expect: want damping(mode 1)", "16: expect: max( lacks its )", "the block has no end", "1: there is no network")
says("text\n", "there is no title", "there is no network", "no step has an expectation")
says(HEAD + "solution k1.stiffness = 1 N/m\n```\n", "has answers, but nothing to expect")
says(HEAD + "set k1.stifness = 2 kN/m\nexpect holds\n```\n", "a.lesson.md:5: ", 'did you mean "stiffness"?', code=2)
says(HEAD + "see m9.position\nexpect holds\n```\n", 'no element "m9"', code=2)
says(HEAD + "expect max(m1.position) < 5 kg\n```\n", "a.lesson.md:7: ", "kg does not convert to m")
says(HEAD + "expect max(m9.position) < 5 m\n```\n", 'no element "m9"', code=2)
says(HEAD.replace("three-dof", "none") + "expect holds\n```\n", "none.ini: can't be read")
says(HEAD + "network x.ini\nexpect holds\n```\n", "network: there is one already")
done = ifbam("lesson", "chek", lessons[0])
check(done.returncode == 2 and "want: ifbam lesson check FILE..." in done.stderr, "another word than check", done.stderr)
with open(os.path.join(folder.name, "latin.md"), "wb") as file:
    file.write(b"# caf\xe9\n")
done = ifbam("lesson", "check", os.path.join(folder.name, "latin.md"))
check(done.returncode == 1 and "is not UTF-8 text" in done.stderr, "a text in Latin-1", done.stderr)

finish()
