/* drag.js: dragging of masses and balls to their starts, and of links' ends to other nodes
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

/** Returns a pointer's position on the stage. */
function placeOf(event) {
  const box = find("stage").getBoundingClientRect();

  return [event.clientX - box.left - find("stage").clientLeft, event.clientY - box.top - find("stage").clientTop];
}

/** Calls functions for a pointer until it is released. */
function follow(event, move, up) {
  const place = find("stage");
  const end = (last) => {
    place.removeEventListener("pointermove", move);
    place.removeEventListener("pointerup", end);
    place.removeEventListener("pointercancel", end);
    up(last);
  };

  event.preventDefault();
  place.setPointerCapture(event.pointerId);
  place.addEventListener("pointermove", move);
  place.addEventListener("pointerup", end);
  place.addEventListener("pointercancel", end);
}

function dragStart(event, name, keys) {
  const place = stage.places.get(name);
  const from = keys.map((key) => network.value(`${name}.${key}`));
  const [x, y] = [event.clientX, event.clientY];
  const [px, py] = placeOf(event);
  const toward = ([left, top]) => Math.atan2(place.y - top, left - place.x);
  let isMoved = false;
  let isNew = true;

  play(false);
  follow(event, (now) => {
    const by = [now.clientX - x, y - now.clientY];

    isMoved = isMoved || Math.hypot(...by) > 3;
    if (isMoved) {
      /* Rotates about the centre with the pointer, by the smaller angle. */
      const turned = toward(placeOf(now)) - toward([px, py]);
      const angle = Math.atan2(Math.sin(turned), Math.cos(turned)) / (place.turning || 1);

      const isFine = attempt(() => keys.forEach((key, i) => {
        const far = place.turning ? angle : by[i + (place.axis || 0)] * place.perPixel;

        network.set(`${name}.${key}`, Number((from[i] + far).toPrecision(3)));
      }), `${name}.${keys[0]}`, isNew);

      isNew = isNew && !isFine;
      state.time = 0;
    }
  }, () => {
    if (isMoved) {
      tell(`${name} starts at ` + keys.map((key) =>
        `${key} ${network.show(`${name}.${key}`)}`).join(", "));
      play(!quiet.matches);
    }
  });
}

/** Drags an end of the chosen link: over a node it is joined there, elsewhere the link is off. */
function dragEnd(event, end) {
  const name = stage.chosen;
  const ends = network.ends(name).split(",");
  let isMoved = false;

  play(false);
  follow(event, (now) => {
    stage.pulled = { end, at: placeOf(now), on: stage.findTarget(...placeOf(now), network.places(name)) };
    isMoved = true;
    drawNow();
  }, (last) => {
    const on = stage.findTarget(...placeOf(last), network.places(name));

    stage.pulled = null;
    if (!isMoved || last.type === "pointercancel" || on === ends[end] || on === ends[1 - end]) {
      drawNow();
    } else {
      join(name, on === null ? "off" : ends.map((own, i) => (i === end ? on : own)).join(","));
    }
  });
}

/** Drags along the course to change the time; the visible part stays meanwhile. */
function dragCourse(event) {
  const chart = find("course-chart");
  const { left } = chart.getBoundingClientRect();
  const go = (now) => {
    state.see.from = state.see.seenFrom;
    seek(state.see.from + (now.clientX - left - COURSE_LEFT * letters) * state.see.perPixel);
  };
  const end = () => {
    chart.removeEventListener("pointermove", go);
    chart.removeEventListener("pointerup", end);
    chart.removeEventListener("pointercancel", end);
    state.see.from = null;
    seek(state.time, true);
    keepAddress();
  };

  if (!state.isPhase && state.run !== null) {
    event.preventDefault();
    play(false);
    chart.setPointerCapture(event.pointerId);
    chart.addEventListener("pointermove", go);
    chart.addEventListener("pointerup", end);
    chart.addEventListener("pointercancel", end);
    go(event);
  }
}

function wireDrag() {
  const keysOf = (name) => (name === null ? [] : stage.places.get(name).keys.filter((key) =>
    network.has(`${name}.${key}`)));

  find("course-chart").addEventListener("pointerdown", dragCourse);
  find("stage").addEventListener("pointerdown", (event) => {
    const name = stage.find(...placeOf(event));
    const keys = keysOf(name);

    if (event.target.closest("select") !== null) {
      return;
    }
    if (event.target.dataset.end !== undefined) {
      dragEnd(event, Number(event.target.dataset.end));
    } else if (keys.length === 0 || stage.places.get(name).perPixel === 0 || data.restsFirst) {
      choose(stage.findLink(...placeOf(event)) || "");
    } else {
      dragStart(event, name, keys);
    }
  });
  find("stage").addEventListener("pointermove", (event) => {
    find("scene").classList.toggle("handle", keysOf(stage.find(...placeOf(event))).length > 0 ||
      network.canJoin(stage.findLink(...placeOf(event))));
  });
}
