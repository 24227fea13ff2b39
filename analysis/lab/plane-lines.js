/* plane-lines.js: drawing of the network at an instant: lanes, long chains, symbols, forces
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

const SYMBOL = 20; /* half the length of a symbol [pixels] */
const MOST_BOXES = 60; /* larger numbers are drawn as a line */
const FLASH = 0.18; /* duration after an event [s of real time] */
const TAG = 26; /* above a lane, for its scheme [pixels] */
const REACH = 34; /* of the largest motion in the diagram [pixels] */
const ASIDE = 18; /* from the centre of a given node's symbol to its right end [pixels] */
const EDGE = 1.45; /* larger displacements, in multiples of REACH, stay at the edge */
const ARROW = 46; /* length of the largest force [pixels] */
const LEAST_LETTERS = 9.5; /* at any size of the picture [pixels] */

function niceStep(size) {
  const power = Math.pow(10, Math.floor(Math.log10(size)));

  return [5, 2, 1].find((part) => part * power <= size) * power;
}

class Stage {
  constructor(canvas, data) {
    this.canvas = canvas;
    this.data = data;
    this.paths = new Map();
    this.places = new Map(); /* name -> its drawing: x, y, reach, scale, keys */
    this.links = new Map(); /* name -> its ends in the last drawn lane [pixels] */
    this.joined = new Map(); /* name of a link with changed ends -> the ends; null: it is off */
    this.targets = new Map(); /* name -> area where a link's end may be dropped: left, top, width, height */
    this.mostForces = new Map(); /* by unit */
    this.chosen = "";
    this.pulled = null; /* the end that is being dragged */
    const free = data.nodes.filter((node) => node.free);
    const planar = new Set();

    for (const body of data.plane.bodies) {
      body.middle.nodes.forEach((node) => planar.add(node));
    }
    this.bodies = new Set(data.plane.bodies.map((body) => body.name));
    this.hasPlane = planar.size > 0;
    /* Nodes along an axis beside the bodies are drawn there, or where a point follows them. */
    data.plane.riders.filter((rider) => rider.node >= 0).forEach((rider) => planar.add(rider.node));
    this.carriages = this.hasPlane ? this.findCarriages(planar) : [];
    this.carriages.forEach(({ node }) => planar.add(node));
    this.onLines = data.nodes.map((node, i) => i).filter((i) => data.nodes[i].free && !planar.has(i));
    this.isLong = free.length > MOST_BOXES && !this.hasPlane;
    this.chooseBoxes();
    this.hasBoxes = this.boxes.length > 0 && !this.isLong;
  }

  /** Returns points that follow nodes along one axis. */
  findCarriages(planar) {
    const found = [];

    for (const { point } of this.data.plane.marks) {
      point.nodes.forEach((node, axis) => {
        if (axis < 2 && node >= 0 && this.data.nodes[node].free && !planar.has(node) &&
            !found.some((one) => one.node === node)) {
          found.push({ node, axis, point });
        }
      });
    }
    return found;
  }

  isBody(name) {
    return this.bodies.has(name);
  }

  path(symbol) {
    if (!this.paths.has(symbol)) {
      this.paths.set(symbol, new Path2D(symbol));
    }
    return this.paths.get(symbol);
  }

  /** Sets the run and, from some runs, the scale; a run that the scheme makes grow counts with its beginning only,
   * unless isWhole. */
  look(run, runs, isWhole) {
    this.largest = {};
    this.mostForces.clear();
    runs.forEach((one) => this.measure(one, one.grows && !isWhole ? Math.ceil(one.n / 8) : one.n));
    this.run = run;
  }

  measure(run, last) {
    const every = Math.max(1, Math.floor(last / 2000));

    this.run = run;
    for (const i of this.onLines) {
      const domain = this.data.nodes[i].domain;
      const fills = domain === "electricity" || domain === "hydraulics";
      let most = this.largest[domain] || 0;

      for (let at = 1 + i + (fills ? run.nodes : 0); at < last * run.width; at += every * run.width) {
        const size = Math.abs(run.data[at]);

        if (size > most) {
          most = size;
        }
      }
      this.largest[domain] = most;
    }
    if (this.hasPlane) {
      this.bounds = this.findBounds(run, last, every);
    }
  }

  /** Returns a row between rows: positions and rates by linear interpolation. */
  take(time) {
    const run = this.run;
    const dt = run.n > 1 ? run.data[run.width] - run.data[0] : 1;
    const place = Math.min(run.n - 1, Math.max(0, time / dt));
    const low = Math.min(Math.floor(place + 1e-9), run.n - 1);
    const part = Math.min(1, Math.max(0, place - low));
    const one = run.data.subarray(low * run.width, (low + 1) * run.width);

    if (part < 1e-6 || low + 1 >= run.n) {
      return one;
    }
    const other = run.data.subarray((low + 1) * run.width, (low + 2) * run.width);
    const event = run.events[eventsUntil(run, one[0])];

    if (event !== undefined && event.time < other[0]) {
      /* With the rates of the row on this side of the event, so that the bodies touch. */
      const row = time <= event.time ? one : other;

      return row.map((value, i) => (i > 0 && i <= run.nodes ? value + (time - row[0]) * row[run.nodes + i] : value));
    }
    return one.map((value, i) => value + part * (other[i] - value));
  }

  /** lanes: run, colours, flashing names, forces by name; one above the other, with one scale. */
  draw(time, lanes) {
    const canvas = this.canvas;
    const ratio = window.devicePixelRatio || 1;
    const [W, H] = sizeOf(canvas);
    const g = canvas.getContext("2d");

    if (canvas.width !== Math.round(W * ratio) || canvas.height !== Math.round(H * ratio)) {
      canvas.width = Math.round(W * ratio);
      canvas.height = Math.round(H * ratio);
    }
    g.setTransform(ratio, 0, 0, ratio, 0, 0);
    g.clearRect(0, 0, W, H);
    this.scaleSaid = "";
    if (!this.run || W === 0) {
      return;
    }
    this.g = g;
    g.lineJoin = "round";
    g.font = `${13 * letters}px system-ui, sans-serif`;
    const height = H / lanes.length;
    const tag = TAG * letters;

    lanes.forEach((lane, i) => {
      g.save();
      g.beginPath();
      g.rect(0, i * height, W, height);
      g.clip();
      g.translate(0, i * height + tag);
      this.drawLane(lane, time, W, height - tag, i * height + tag);
      this.drawPulled(i * height + tag);
      g.restore();
      if (i > 0) {
        g.strokeStyle = lane.colours.line;
        g.lineWidth = 1;
        this.lead(0, i * height, W, i * height);
      }
    });
  }

  /** Draws a line from the other end to the pointer. */
  drawPulled(top) {
    const link = this.links.get(this.chosen);

    if (this.pulled !== null && link !== undefined) {
      const [x, y] = link.ends[1 - this.pulled.end];

      this.g.strokeStyle = this.colours.run;
      this.g.setLineDash([6, 4]);
      this.lead(x, y - top, this.pulled.at[0], this.pulled.at[1] - top);
      this.g.setLineDash([]);
    }
  }

  drawLane(lane, time, W, H, top) {
    this.colours = lane.colours;
    this.flashing = lane.flashing;
    this.forces = lane.forces;
    this.own = this.run;
    this.run = lane.run;
    this.row = this.take(Math.min(time, lane.run.data[(lane.run.n - 1) * lane.run.width]));
    this.top = top;
    this.places.clear();
    this.links.clear();
    this.targets.clear();
    this.lane = lane;
    this.g.textAlign = "center";
    this.g.globalAlpha = lane.run.diverged !== undefined && time > lane.run.diverged ? 0.45 : 1;
    const split = this.hasPlane && this.hasBoxes ? 0.64 * H : H;

    if (this.hasPlane) {
      this.drawPlane(W, split);
    }
    if (this.isLong) {
      this.drawLine(W, H);
    } else if (this.hasBoxes) {
      this.drawBoxes(W, this.hasPlane ? H - split : H, this.hasPlane ? split : 0);
    }
    if (this.forces !== null) {
      this.drawForces(W, H);
    }
    this.run = this.own;
  }

  colour(name) {
    return this.flashing.has(name) ? this.colours.event : this.colours.ink;
  }

  /* ---- long chains: a line that moves */

  drawLine(W, H) {
    const { g, colours } = this;
    const n = this.onLines.length;
    const most = Math.max(...Object.values(this.largest)) || 1;
    const y = (i) => H / 2 - 0.42 * H * this.value(this.onLines[i]) / most;

    g.strokeStyle = colours.line;
    g.beginPath();
    g.moveTo(20, H / 2);
    g.lineTo(W - 20, H / 2);
    g.stroke();
    g.strokeStyle = colours.run;
    g.lineWidth = 2;
    g.beginPath();
    for (let i = 0; i < n; i++) {
      g.lineTo(20 + (W - 40) * i / Math.max(1, n - 1), y(i));
    }
    g.stroke();
    const first = this.data.nodes[this.onLines[0]];

    this.scaleSaid = `${n} nodes side by side, each as high as it is moved: ${first.coordinate} up to ` +
      showNumber(most, first.unit, 3);
  }

  /** Returns a node's visible value: a voltage or a flow, otherwise its coordinate. */
  value(i) {
    const domain = this.data.nodes[i].domain;

    return this.row[1 + i + (domain === "electricity" || domain === "hydraulics" ? this.run.nodes : 0)];
  }

  /** Returns the node that a link may join at a point with some margin; null: none. */
  findTarget(x, y, names) {
    return names.find((name) => {
      const [left, top, width, height] = this.targets.get(name) || [0, 0, -99, -99];

      return x > left - 8 && x < left + width + 8 && y > top - 8 && y < top + height + 8;
    }) || null;
  }

  /** Returns the link that is drawn at a point; null: none. */
  findLink(x, y) {
    let [best, near] = [null, 16];

    for (const [name, { ends: [a, b] }] of this.links) {
      const length = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1;
      const along = ((x - a[0]) * (b[0] - a[0]) + (y - a[1]) * (b[1] - a[1])) / length;
      const far = Math.abs((x - a[0]) * (b[1] - a[1]) - (y - a[1]) * (b[0] - a[0])) / length;

      if (along > 0 && along < length && far < near) {
        [best, near] = [name, far];
      }
    }
    return best;
  }

  drawScale(W, H, length, text) {
    const { g, colours } = this;

    g.strokeStyle = g.fillStyle = colours.soft;
    g.lineWidth = 1;
    g.beginPath();
    g.moveTo(18, H - 16);
    g.lineTo(18, H - 8);
    g.moveTo(18, H - 12);
    g.lineTo(18 + length, H - 12);
    g.moveTo(18 + length, H - 16);
    g.lineTo(18 + length, H - 8);
    g.stroke();
    g.textAlign = "left";
    g.fillText(text, 26 + length, H - 8);
    g.textAlign = "center";
  }

  say(text, x, y) {
    this.g.fillStyle = this.colours.ink;
    this.g.fillText(text, x, y);
  }

  /** Draws forces of links on their ends, and of sources on their nodes: arrows with one scale in all lanes. */
  drawForces(W, H) {
    const { g, colours } = this;
    const isRope = (name) => this.data.plane.links.some((link) => link.class === "rope" && link.name === name);
    const seen = this.data.speakers.filter((one) => this.links.has(one.name) && !isRope(one.name));
    const alone = this.data.speakers.filter((one) => one.kind === "source" && one.unit === "N" &&
      one.ends.length === 1 && this.places.has(one.ends[0]));

    for (const { name, unit } of [...seen, ...alone]) {
      this.mostForces.set(unit, Math.max(this.mostForces.get(unit) || 0, Math.abs(this.forces.get(name)) || 0));
    }
    g.strokeStyle = g.fillStyle = colours.ink;
    g.lineWidth = 2;
    for (const { name, unit } of seen) {
      const { ends: [a, b] } = this.links.get(name);
      const force = this.forces.get(name);
      const length = Math.hypot(b[0] - a[0], b[1] - a[1]);

      if (force && length > 0) {
        /* A positive force pushes the ends apart. */
        const size = force * ARROW / this.mostForces.get(unit);
        const along = [(b[0] - a[0]) / length * size, (b[1] - a[1]) / length * size];

        this.arrow(a[0], a[1] - this.top, -along[0], -along[1]);
        this.arrow(b[0], b[1] - this.top, along[0], along[1]);
      }
    }
    for (const { name, unit, ends: [end] } of alone.filter((one) => this.forces.get(one.name))) {
      const { x, y, axis, r } = this.places.get(end);
      const size = this.forces.get(name) * ARROW / this.mostForces.get(unit);
      const side = Math.sign(size) * r;

      this.arrow(...axis === 1 ? [x, y - this.top - side, 0, -size] : [x + side, y - this.top, size, 0]);
    }
    [...this.mostForces].filter(([, most]) => most > 0).forEach(([unit, most], k) => {
      const step = niceStep(most);
      const size = step * ARROW / most;

      g.textAlign = "right";
      g.fillText(showNumber(step, unit, 3), W - 24 - size, H - 26 - 20 * k);
      g.textAlign = "center";
      this.arrow(W - 18 - size, H - 30 - 20 * k, size, 0);
    });
  }

  arrow(x, y, dx, dy) {
    const { g } = this;
    const length = Math.hypot(dx, dy);

    if (length < 1) {
      return;
    }
    const [ux, uy] = [dx / length, dy / length];

    this.lead(x, y, x + dx, y + dy);
    g.beginPath();
    g.moveTo(x + dx + 2 * ux, y + dy + 2 * uy);
    g.lineTo(x + dx - 7 * ux - 4 * uy, y + dy - 7 * uy + 4 * ux);
    g.lineTo(x + dx - 7 * ux + 4 * uy, y + dy - 7 * uy - 4 * ux);
    g.fill();
  }

  lead(x1, y1, x2, y2) {
    this.g.beginPath();
    this.g.moveTo(x1, y1);
    this.g.lineTo(x2, y2);
    this.g.stroke();
  }

  /** Draws a symbol between two points; those of springs are stretched. Vertical ones have their names beside them, to
   * the left in lanes below 0. */
  drawSymbol(link, x1, y1, x2, y2, turned, lane = 0) {
    const { g, colours } = this;
    const length = Math.hypot(x2 - x1, y2 - y1);
    const angle = Math.atan2(y2 - y1, x2 - x1);
    const { kind } = this.data.elements.find((element) => element.name === link.name) || { kind: "link" };
    const half = Math.max(4, Math.min(length / 2, /spring|string|rope/.test(link.class) ? 0.4 * length : SYMBOL));

    g.strokeStyle = g.fillStyle = link.name === this.chosen ? colours.run : this.colour(link.name);
    g.lineWidth = this.flashing.has(link.name) || link.name === this.chosen ? 3 : 1.5;
    g.save();
    g.translate((x1 + x2) / 2, (y1 + y2) / 2);
    g.rotate(angle);
    this.lead(-length / 2, 0, -half, 0);
    this.lead(half, 0, length / 2, 0);
    if (link.symbol) {
      const stretched = new Path2D();

      stretched.addPath(this.path(link.symbol), new DOMMatrix().scale((turned ? -half : half) / SYMBOL, 1)
        .translate(kind === "given" ? ASIDE : 0, 0));
      g.stroke(stretched);
    } else {
      g.strokeRect(-half, -9, 2 * half, 18);
    }
    g.restore();
    g.fillStyle = this.flashing.has(link.name) ? colours.event : colours.soft;
    if (length > 26 && Math.abs(y2 - y1) > 2 * Math.abs(x2 - x1)) {
      const x = (x1 + x2) / 2 + (lane < 0 ? -14 : 14);
      const end = x + (lane < 0 ? -1 : 1) * g.measureText(link.name).width;

      /* Names that don't fit are omitted; the list of numbers has them. */
      if (end > 0 && end < g.canvas.clientWidth) {
        g.textAlign = lane < 0 ? "right" : "left";
        g.fillText(link.name, x, (y1 + y2) / 2 + 4);
        g.textAlign = "center";
      }
    } else if (length > Math.max(26, g.measureText(link.name).width)) {
      g.fillText(link.name, (x1 + x2) / 2, (y1 + y2) / 2 - (kind !== "link" ? 26 : /gear/.test(link.class) ? 20 : 14));
    }
  }

  /** Returns the name of the element that is drawn at a point; null: none. */
  find(x, y) {
    let [best, near] = [null, Infinity];

    for (const [name, place] of this.places) {
      const far = Math.hypot(x - place.x, y - place.y);

      if (far < Math.max(place.r, 14) && far < near) {
        [best, near] = [name, far];
      }
    }
    return best;
  }
}
