/* stage.js: draws the network as it stands at an instant: diagram boxes that move, turn and fill; what is in the plane
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

const SYMBOL = 20; /* half the length of a symbol */
const MOST_BOXES = 60; /* more are drawn as a line */
const FLASH = 0.18; /* s of the watch, after an event */
const TAG = 26; /* pixels above a lane, for its scheme */
const REACH = 34; /* of the largest motion, in the diagram */
const EDGE = 1.45; /* what goes farther than so many times that stays at the edge */
const ARROW = 46; /* pixels of the largest force */

function niceStep(size) {
  const power = Math.pow(10, Math.floor(Math.log10(size)));

  return [5, 2, 1].find((part) => part * power <= size) * power;
}

class Stage {
  constructor(canvas, data) {
    this.canvas = canvas;
    this.data = data;
    this.paths = new Map();
    this.places = new Map(); /* name -> where it is drawn: x, y, reach, scale, keys */
    this.links = new Map(); /* name -> its ends in pixels, in the lane that is drawn last */
    this.joined = new Map(); /* name of a link that was joined elsewhere -> its ends; null: it is off */
    this.targets = new Map(); /* name -> where a link's end may be put: left, top, width, height */
    this.mostForces = new Map(); /* of a unit */
    this.chosen = "";
    this.pulled = null; /* the end of it that is under a finger */
    const free = data.nodes.filter((node) => node.free);
    const planar = new Set();

    for (const body of data.plane.bodies) {
      body.middle.nodes.forEach((node) => planar.add(node));
    }
    this.hasPlane = planar.size > 0;
    /* What goes along an axis beside them is seen there, or where a point follows it. */
    data.plane.riders.filter((rider) => rider.node >= 0).forEach((rider) => planar.add(rider.node));
    this.carriages = this.hasPlane ? this.findCarriages(planar) : [];
    this.carriages.forEach(({ node }) => planar.add(node));
    this.onLines = data.nodes.map((node, i) => i).filter((i) => data.nodes[i].free && !planar.has(i));
    this.isLong = free.length > MOST_BOXES && !this.hasPlane;
    this.hasBoxes = this.onLines.length > 0 && !this.isLong;
    this.chooseBoxes();
  }

  /** Points that follow what goes along one axis. */
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

  /** All boxes; beside a plane those of what moves along lines only, with what acts on it. */
  chooseBoxes() {
    const { boxes, lines } = this.data.diagram;
    const isOwn = (i) => i >= 0 && boxes[i].kind === "free" && this.onLines.includes(boxes[i].node);
    const joined = new Set(boxes.map((box, i) => i).filter((i) =>
      !this.hasPlane || isOwn(i) || (boxes[i].kind === "source" && isOwn(boxes[i].parent))));

    for (const line of lines) {
      if (isOwn(line.from) || isOwn(line.to)) {
        [line.from, line.to].filter((i) => boxes[i].kind === "given").forEach((i) => joined.add(i));
      }
    }
    this.boxes = boxes.filter((box, i) => joined.has(i));
    this.lines = lines.filter((line) => joined.has(line.from) && joined.has(line.to));
    boxes.forEach((box) => Object.assign(box, { own: box.x }));
  }

  path(symbol) {
    if (!this.paths.has(symbol)) {
      this.paths.set(symbol, new Path2D(symbol));
    }
    return this.paths.get(symbol);
  }

  /** Takes a run: how far things go decides the scale; of what grows as the scheme makes it, the beginning. */
  look(run) {
    this.run = run;
    this.largest = {};
    this.mostForces.clear();
    const last = run.grows ? Math.ceil(run.n / 8) : run.n;
    const every = Math.max(1, Math.floor(last / 2000));

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

  /** Row between rows: positions and rates along straight lines. */
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

    return one.map((value, i) => value + part * (other[i] - value));
  }

  /** lanes: run, colours, who flashes, forces by name; above each other, on one scale. */
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

  /** From the other end to the finger. */
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

  /* ---- what is long: a line that moves */

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

  /** What shows of a node: a voltage or a flow, else its coordinate. */
  value(i) {
    const domain = this.data.nodes[i].domain;

    return this.row[1 + i + (domain === "electricity" || domain === "hydraulics" ? this.run.nodes : 0)];
  }

  /* ---- the diagram */

  boxesSize() {
    let [left, top, right, low] = [Infinity, Infinity, 0, 0];

    for (const box of this.boxes) {
      const parent = box.kind === "source" ? this.data.diagram.boxes[box.parent] : box;
      const isLeft = box.kind === "given" && box.parent < 0;
      const hangs = { source: 12 + 3 * SYMBOL, given: isLeft ? 0 : 60, free: 38, cut: 8 }[box.kind];

      left = Math.min(left, parent.x - (isLeft ? 76 : 38));
      top = Math.min(top, box.y - 8);
      right = Math.max(right, parent.x + (box.kind === "given" ? 0 : parent.width) + hangs);
      low = Math.max(low, box.y + box.height + 24);
    }
    return [left, top, right - left, low - top];
  }

  /** How large boxes are; they stand farther apart where there is room. */
  spread(W, H) {
    const owns = this.boxes.map((box) => box.own);
    const span = Math.max(...owns) - Math.min(...owns);

    this.boxes.forEach((box) => Object.assign(box, { x: box.own }));
    const [, , width, height] = this.boxesSize();
    const scale = Math.min(W / width, H / height, 1.7 * letters);
    const more = span > 0 ? Math.min(1.2, Math.max(0, W / scale - width) / span) : 0;

    this.boxes.forEach((box) => Object.assign(box, { x: box.own * (1 + more) }));
    return scale;
  }

  drawBoxes(W, H, top) {
    const g = this.g;
    const scale = this.spread(W - 30, H - 30);
    const [left, above, width, height] = this.boxesSize();
    const boxes = this.data.diagram.boxes;

    this.reach = this.largest.translation > 0 ? REACH / this.largest.translation : 0;
    this.origin = [(W - scale * width) / 2 - scale * left, top + (H - scale * height) / 2 - scale * above,
                   scale];
    g.save();
    g.translate(this.origin[0], this.origin[1]);
    g.scale(scale, scale);
    g.font = "13px system-ui, sans-serif";
    for (const line of this.lines) {
      this.drawLink(line, boxes[line.from], boxes[line.to]);
    }
    for (const box of this.boxes) {
      this.drawBox(box);
    }
    g.restore();
    if (this.reach > 0) {
      const step = niceStep(60 / this.reach / scale);

      this.drawScale(W, top + H, step * this.reach * scale, showNumber(step, "m", 3));
    }
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

  /** How far to the right a box is moved. */
  moved(box) {
    const by = box.node >= 0 && this.data.nodes[box.node].domain === "translation"
      ? this.row[1 + box.node] * this.reach : 0;

    return Math.max(-EDGE * REACH, Math.min(EDGE * REACH, by));
  }

  /** What is farther than the lane shows says how far it is. */
  isBeyond(box) {
    return Math.abs(this.row[1 + box.node] * this.reach) > EDGE * REACH;
  }

  drawBox(box) {
    const { g, colours } = this;
    const x = box.x + this.moved(box);

    g.strokeStyle = this.colour(box.name);
    g.fillStyle = colours.ink;
    g.lineWidth = 1.5;
    if (box.kind === "free") {
      this.drawNode(box, x);
    } else if (box.kind === "cut") {
      g.fillText(box.name, x + box.width / 2, box.y + 24);
    } else {
      const parent = this.data.diagram.boxes[box.parent];
      const source = box.kind === "source" && parent !== undefined;
      const left = source ? parent.x + parent.width + this.moved(parent) + 12 + SYMBOL : x;
      const middle = box.y + (source ? 21 : box.height / 2);

      if (box.kind === "given") {
        this.keepTarget(box.name, left - 24, box.y, 48, box.height);
      }
      g.save();
      g.translate(left, middle);
      if (box.kind === "given" && box.parent >= 0) {
        g.scale(-1, 1);
      }
      if (box.symbol) {
        g.stroke(this.path(box.symbol));
      }
      g.restore();
      g.fillStyle = colours.soft;
      if (source) {
        g.beginPath();
        g.moveTo(left - SYMBOL - 12, middle);
        g.lineTo(left - SYMBOL, middle);
        g.stroke();
      }
      g.fillText(box.name, source ? left : left + (box.parent >= 0 ? 14 : -14), middle + (source ? 30 : 44));
    }
  }

  drawNode(box, x) {
    const { g, colours } = this;
    const node = this.data.nodes[box.node];
    const [mx, my] = [x + box.width / 2, box.y + box.height / 2];
    const [ox, oy, scale] = this.origin;

    this.keepTarget(box.name, x, box.y, box.width, box.height);
    g.fillStyle = colours.pale;
    g.strokeStyle = this.flashing.has(box.name) ? colours.event : colours.run;
    g.lineWidth = 2;
    g.beginPath();
    if (node.domain === "rotation") {
      const radius = Math.min(box.width, box.height) / 2;
      const angle = this.row[1 + box.node] * this.turning();

      g.arc(mx, my, radius, 0, 2 * Math.PI);
      g.fill();
      g.moveTo(mx, my);
      g.lineTo(mx + radius * Math.cos(angle), my - radius * Math.sin(angle));
      g.stroke();
      this.say(box.name, mx, my + radius + 14);
      return;
    }
    g.rect(x, box.y, box.width, box.height);
    g.fill();
    if (node.domain === "translation" && this.isBeyond(box)) {
      const far = this.row[1 + box.node];
      const text = showNumber(far, "m", 3);

      g.setLineDash([4, 4]);
      this.say(far > 0 ? `${text} \u2192` : `\u2190 ${text}`, mx, box.y - 5);
      g.fillStyle = colours.pale;
    }
    if (node.domain !== "translation") {
      const part = Math.max(-1, Math.min(1, this.value(box.node) / (this.largest[node.domain] || 1)));

      g.save();
      g.globalAlpha = 0.45;
      g.fillStyle = part > 0 ? colours.run : colours.event;
      g.fillRect(x, my, box.width, -part * box.height / 2);
      g.restore();
    }
    g.stroke();
    g.setLineDash([]);
    this.say(box.name, mx, my + 5);
    this.places.set(box.name, { x: ox + scale * mx, y: this.top + oy + scale * my, r: scale * box.width / 2 + 6,
                                perPixel: this.reach > 0 ? 1 / (this.reach * scale) : 0,
                                keys: ["position"] });
  }

  /** Small angles are drawn larger. */
  turning() {
    const most = this.largest.rotation || 1;

    return most < 0.5 ? 0.8 / most : 1;
  }

  say(text, x, y) {
    this.g.fillStyle = this.colours.ink;
    this.g.fillText(text, x, y);
  }

  /** The boxes between which a link stands that was joined elsewhere; undefined: it is off. */
  newEnds(name) {
    const ends = this.joined.get(name);
    const found = ends && ends.map((end) => this.boxes.find((box) => box.name === end));

    return found && found.every((box) => box !== undefined) ? found : undefined;
  }

  drawLink(line, from, to) {
    let turned = line.left !== from.node;
    let isChord = line.chord;
    let y = line.y;

    if (this.joined.has(line.name)) {
      const ends = this.newEnds(line.name);

      if (ends === undefined) {
        return;
      }
      turned = ends[0].x > ends[1].x;
      [from, to] = turned ? [ends[1], ends[0]] : ends;
      const low = Math.max(from.y, to.y);
      const high = Math.min(from.y + from.height, to.y + to.height);
      const isBetween = (box) => box !== from && box !== to && box.x > from.x && box.x < to.x &&
        box.y < high && box.y + box.height > low;

      y = 0.5 * (low + high) + 9;
      isChord = low >= high || from.x + from.width >= to.x || this.boxes.some(isBetween);
    }
    const a = from.kind === "given" ? from.x : from.x + from.width;

    if (this.joined.has(line.name) && from.own === to.own) {
      this.drawBeside(line, from, to, turned);
      return;
    }
    if (isChord) {
      const below = Math.max(from.y + from.height, to.y + to.height) + 16;
      const [p, q] = [from.x + from.width / 2 + this.moved(from), to.x + to.width / 2 + this.moved(to)];

      this.lead(p, from.y + from.height, p, below);
      this.lead(q, to.y + to.height, q, below);
      this.drawSymbol(line, p, below, q, below, turned);
      this.keepLink(line.name, p, below, q, below, turned);
      return;
    }
    this.drawSymbol(line, a + this.moved(from), y, to.x + this.moved(to), y, turned);
    this.keepLink(line.name, a + this.moved(from), y, to.x + this.moved(to), y, turned);
    for (const box of [from, to].filter((end) => this.isRound(end))) {
      /* Behind what is round, which is smaller than its box. */
      this.lead(box === from ? a : to.x, y, box.x + box.width / 2, y);
    }
  }

  /** Between boxes one above the other: to the right of both. */
  drawBeside(line, from, to, turned) {
    const [p, q] = [from, to].map((box) => [box.x + (box.kind === "given" ? 0 : box.width) + this.moved(box),
                                            box.y + box.height / 2]);
    const x = Math.max(p[0], q[0]) + 24;

    this.lead(...p, x, p[1]);
    this.lead(...q, x, q[1]);
    this.drawSymbol(line, x, p[1], x, q[1], turned);
    this.keepLink(line.name, x, p[1], x, q[1], turned);
  }

  keepTarget(name, x, y, width, height) {
    const [ox, oy, scale] = this.origin;

    this.targets.set(name, [ox + scale * x, this.top + oy + scale * y, scale * width, scale * height]);
  }

  /** Who may be joined at a place, a bit around each, too; null: nobody. */
  findTarget(x, y, names) {
    return names.find((name) => {
      const [left, top, width, height] = this.targets.get(name) || [0, 0, -99, -99];

      return x > left - 8 && x < left + width + 8 && y > top - 8 && y < top + height + 8;
    }) || null;
  }

  /** Where a link's ends are in pixels, from its left end to its right one. */
  keepLink(name, x1, y1, x2, y2, turned) {
    const [ox, oy, scale] = this.origin;
    const ends = [[ox + scale * x1, this.top + oy + scale * y1], [ox + scale * x2, this.top + oy + scale * y2]];

    this.links.set(name, { ends: turned ? ends.reverse() : ends });
  }

  /** The link that is drawn at a place; null: none. */
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

  /** What links say to their ends, and sources to whom they act on: arrows of one scale in all lanes. */
  drawForces(W, H) {
    const { g, colours } = this;
    const isRope = (name) => this.data.plane.links.some((link) => link.class === "rope" && link.name === name);
    const seen = this.data.speakers.filter((one) => this.links.has(one.name) && !isRope(one.name));

    for (const { name, unit } of seen) {
      this.mostForces.set(unit, Math.max(this.mostForces.get(unit) || 0, Math.abs(this.forces.get(name)) || 0));
    }
    g.strokeStyle = g.fillStyle = colours.ink;
    g.lineWidth = 2;
    for (const { name, unit } of seen) {
      const { ends: [a, b] } = this.links.get(name);
      const force = this.forces.get(name);
      const length = Math.hypot(b[0] - a[0], b[1] - a[1]);

      if (force && length > 0) {
        /* A force above 0 pushes the ends apart. */
        const size = force * ARROW / this.mostForces.get(unit);
        const along = [(b[0] - a[0]) / length * size, (b[1] - a[1]) / length * size];

        this.arrow(a[0], a[1] - this.top, -along[0], -along[1]);
        this.arrow(b[0], b[1] - this.top, along[0], along[1]);
      }
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

  isRound(box) {
    return box.kind === "free" && this.data.nodes[box.node].domain === "rotation";
  }

  lead(x1, y1, x2, y2) {
    this.g.beginPath();
    this.g.moveTo(x1, y1);
    this.g.lineTo(x2, y2);
    this.g.stroke();
  }

  /** Between two places; long symbols are those of springs. What stands upright has its name beside it, to the left in
   * lanes below 0. */
  drawSymbol(link, x1, y1, x2, y2, turned, lane = 0) {
    const { g, colours } = this;
    const length = Math.hypot(x2 - x1, y2 - y1);
    const angle = Math.atan2(y2 - y1, x2 - x1);
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

      stretched.addPath(this.path(link.symbol), new DOMMatrix().scale((turned ? -half : half) / SYMBOL, 1));
      g.stroke(stretched);
    } else {
      g.strokeRect(-half, -9, 2 * half, 18);
    }
    g.restore();
    g.fillStyle = this.flashing.has(link.name) ? colours.event : colours.soft;
    if (length > 26 && Math.abs(y2 - y1) > 2 * Math.abs(x2 - x1)) {
      const x = (x1 + x2) / 2 + (lane < 0 ? -14 : 14);
      const end = x + (lane < 0 ? -1 : 1) * g.measureText(link.name).width;

      /* Half a name is worse than none; the list of numbers has it. */
      if (end > 0 && end < g.canvas.clientWidth) {
        g.textAlign = lane < 0 ? "right" : "left";
        g.fillText(link.name, x, (y1 + y2) / 2 + 4);
        g.textAlign = "center";
      }
    } else if (length > 26) {
      g.fillText(link.name, (x1 + x2) / 2, (y1 + y2) / 2 - 14);
    }
  }

  /** Who is drawn at a place; null: nobody. */
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
