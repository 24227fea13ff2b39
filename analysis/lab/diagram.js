/* diagram.js: nodes on lines, rotating nodes, circuits: boxes that move, rotate and fill, and their links
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

const ROW = 56; /* between two links [pixels] */

class Diagram extends Stage {
  /** Chooses all boxes; beside a plane only those of motion along lines, with their sources. */
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
    this.lines.forEach((line) => this.putLeft(line));
    boxes.forEach((box) => Object.assign(box, { own: box.x }));
  }

  isContact(line) {
    const { domain } = this.data.nodes[line.left];

    return domain === "translation" && /^(impact|contact)$/.test(line.class) && !this.joined.has(line.name);
  }

  /** Moves a given node that is hit from its right to the left: into a separate row if others are there. */
  putLeft(line) {
    const { boxes, lines } = this.data.diagram;
    const [from, to] = [boxes[line.from], boxes[line.to]];
    const isAlone = lines.filter((other) => boxes[other.to] === to || boxes[other.from] === to).length === 1;

    if (!this.isContact(line) || line.chord || line.left === from.node || to.kind !== "given" || !isAlone) {
      return;
    }
    const others = lines.filter((other) => other.to === line.from);
    const low = Math.max(...others.map((other) => other.y)) + ROW;

    if (others.length > 0 && low > from.y + from.height) {
      const end = from.y + from.height;

      boxes.filter((box) => box.y >= end).forEach((box) => Object.assign(box, { y: box.y + ROW }));
      lines.filter((other) => other.y >= end).forEach((other) => Object.assign(other, { y: other.y + ROW }));
      from.height += ROW;
    }
    Object.assign(line, { from: line.to, to: line.from, y: others.length > 0 ? low : line.y });
    Object.assign(to, { parent: -1, x: from.x - 120, y: line.y - to.height / 2 });
  }

  /** Returns the distance from the edge of the left box to the face that hits the right one [pixels]. */
  rodOf(line) {
    const { boxes } = this.data.diagram;
    const [from, to] = [boxes[line.from], boxes[line.to]];
    const gap = network.has(`${line.name}.gap`) ? network.value(`${line.name}.gap`) : 0;

    return to.x - from.x - (from.kind === "given" ? 0 : from.width) - this.reach * gap;
  }

  /** Moves nodes with only a contact so near that they touch, with all nodes joined to them. */
  moveTogether() {
    const { boxes } = this.data.diagram;

    for (const line of this.lines.filter((one) => this.isContact(one) && !one.chord)) {
      const from = boxes[line.from];
      const isAlone = this.lines.every((other) => other === line || other.from !== line.from || other.to !== line.to ||
        this.isContact(other));
      const rod = this.rodOf(line);

      if (line.left === from.node && isAlone && rod > 0) {
        if (from.kind === "given" && from.parent < 0) {
          from.x += rod;
        } else {
          const hangs = new Set([line.to]);

          boxes.forEach((box, i) => hangs.has(box.parent) && hangs.add(i));
          hangs.forEach((i) => Object.assign(boxes[i], { x: boxes[i].x - rod }));
        }
      }
    }
  }

  boxesSize() {
    let [left, top, right, low] = [Infinity, Infinity, 0, 0];

    for (const box of this.boxes) {
      const parent = box.kind === "source" ? this.data.diagram.boxes[box.parent] : box;
      const isLeft = box.kind === "given" && box.parent < 0;
      const hangs = { source: 12 + 3 * SYMBOL, given: isLeft ? 0 : 60, free: 38, cut: 8 }[box.kind];

      left = Math.min(left, parent.x - (isLeft ? 76 : 38));
      top = Math.min(top, box.y - 8);
      right = Math.max(right, parent.x + (box.kind === "given" ? 0 : parent.width) + hangs + this.wanders(box));
      low = Math.max(low, box.y + box.height + 24);
    }
    return [left, top, right - left, low - top];
  }

  /** Returns the largest displacement of a given node to the right; a belt moves without end. */
  wanders(box) {
    const isMoved = box.kind === "given" && this.data.nodes[box.node].domain === "translation";

    return isMoved && rangeOf(this.run, 1 + box.node)[1] * this.reach > REACH ? EDGE * REACH - 20 : 0;
  }

  /** Returns the scale of boxes; with more room their distances grow. */
  spread(W, H) {
    const owns = this.boxes.map((box) => box.own);
    const span = Math.max(...owns) - Math.min(...owns);

    this.boxes.forEach((box) => Object.assign(box, { x: box.own }));
    const [, , width, height] = this.boxesSize();
    const scale = Math.min(W / width, H / height, 1.7 * letters);
    const more = span > 0 ? Math.min(1.2, Math.max(0, W / scale - width) / span) : 0;

    this.boxes.forEach((box) => Object.assign(box, { x: box.own * (1 + more) }));
    this.moveTogether();
    return scale;
  }

  drawBoxes(W, H, top) {
    const g = this.g;

    this.reach = this.largest.translation > 0 ? REACH / this.largest.translation : 0;
    const scale = this.spread(W - 30, H - 30);
    const [left, above, width, height] = this.boxesSize();
    const boxes = this.data.diagram.boxes;

    this.origin = [(W - scale * width) / 2 - scale * left, top + (H - scale * height) / 2 - scale * above,
                   scale];
    g.save();
    g.translate(this.origin[0], this.origin[1]);
    g.scale(scale, scale);
    g.font = `${Math.max(13, LEAST_LETTERS / scale)}px system-ui, sans-serif`;
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

  /** Returns a box's displacement to the right. */
  moved(box) {
    const by = box.node >= 0 && this.data.nodes[box.node].domain === "translation"
      ? this.row[1 + box.node] * this.reach : 0;

    return Math.max(-EDGE * REACH, Math.min(EDGE * REACH, by));
  }

  /** TRUE if a box is beyond the visible range; then its displacement is shown as a number. */
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
      const ends = source ? [] : this.lines.filter(({ from, to }) =>
        [from, to].includes(this.data.diagram.boxes.indexOf(box))).map(({ y }) => y - middle);

      if (ends.length > 1) {
        this.lead(0, Math.min(...ends), 0, Math.max(...ends));
      }
      for (const y of box.class === "ground" && ends.length > 1 ? ends : [0]) {
        g.save();
        g.translate(0, y);
        if (box.symbol) {
          g.stroke(this.path(box.symbol));
        }
        g.restore();
      }
      g.restore();
      g.fillStyle = colours.soft;
      if (source) {
        g.beginPath();
        g.moveTo(left - SYMBOL - 12 -
          (this.isRound(parent) ? Math.max(0, parent.width - parent.height) / 2 : 0), middle);
        g.lineTo(left - SYMBOL, middle);
        g.stroke();
      }
      g.fillText(box.name, source ? left : left + (box.parent >= 0 ? 14 : -14),
                 middle + (source ? 30 : Math.max(0, ...ends) + 44));
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

      if (this.isTall(box)) {
        /* The frame is where all its links end. */
        g.strokeRect(x, box.y, box.width, box.height);
      }
      g.arc(mx, my, radius, 0, 2 * Math.PI);
      g.fill();
      g.moveTo(mx, my);
      g.lineTo(mx + radius * Math.cos(angle), my - radius * Math.sin(angle));
      g.stroke();
      const low = my + radius + 14;
      const end = box.y + box.height;

      this.say(box.name, mx, this.isTall(box) && low > end - 4 ? end + 14 : low); /* outside its frame */
      this.places.set(box.name, { x: ox + scale * mx, y: this.top + oy + scale * my, r: scale * radius,
                                  perPixel: 1, turning: this.turning(), keys: ["angle"] });
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
    const most = this.largest[node.domain] || 1;

    this.places.set(box.name, Object.assign(
      { x: ox + scale * mx, y: this.top + oy + scale * my, r: scale * box.width / 2 + 6 },
      node.domain !== "translation" ? { axis: 1, keys: [node.rate], perPixel: most / (scale * box.height / 2) }
        : { keys: ["position"], perPixel: this.reach > 0 ? 1 / (this.reach * scale) : 0 }));
  }

  /** Returns the magnification of small angles. */
  turning() {
    const most = this.largest.rotation || 1;

    return most < 0.5 ? 0.8 / most : 1;
  }

  /** Returns the boxes of a link with changed ends; undefined: it is off. */
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

      if (Math.abs(p - q) < 3 * SYMBOL && (from.y + from.height < to.y || to.y + to.height < from.y)) {
        this.drawBeside(line, from, to, turned);
        return;
      }
      this.lead(p, from.y + from.height, p, below);
      this.lead(q, to.y + to.height, q, below);
      this.drawSymbol(line, p, below, q, below, turned);
      this.keepLink(line.name, p, below, q, below, turned);
      return;
    }
    if (this.isContact(line) && !turned) {
      this.drawContact(line, from, to);
      return;
    }
    this.drawSymbol(line, a + this.moved(from), y, to.x + this.moved(to), y, turned);
    this.keepLink(line.name, a + this.moved(from), y, to.x + this.moved(to), y, turned);
    for (const box of [from, to].filter((end) => this.isRound(end) && !this.isTall(end))) {
      /* Continues to the disc, which is smaller than its box. */
      this.lead(box === from ? a : to.x, y, box.x + box.width / 2, y);
    }
  }

  /** Draws a face that touches the box on the right when both hit. */
  drawContact(line, from, to) {
    const { g } = this;
    const edge = from.x + (from.kind === "given" ? 0 : from.width) + this.moved(from);
    const [face, end] = [edge + this.rodOf(line), to.x + this.moved(to)];
    const isNear = face - edge < 2;

    g.strokeStyle = line.name === this.chosen ? this.colours.run : this.colour(line.name);
    g.lineWidth = this.flashing.has(line.name) || line.name === this.chosen ? 3 : 1.5;
    if (!isNear) {
      this.lead(edge, line.y, face, line.y);
      this.lead(face, line.y - 10, face, line.y + 10);
    }
    g.fillStyle = this.flashing.has(line.name) ? this.colours.event : this.colours.soft;
    if (!isNear) {
      g.fillText(line.name, (edge + face) / 2, line.y - 14);
    } else if (from.kind === "given" || to.kind === "given") {
      /* Above a wall, beside the box that hits it. */
      g.textAlign = from.kind === "given" ? "right" : "left";
      g.fillText(line.name, from.kind === "given" ? end - 6 : edge + 6, line.y - 32);
      g.textAlign = "center";
    } else {
      g.fillText(line.name, (face + end) / 2, Math.min(from.y, to.y) - 6);
    }
    this.keepLink(line.name, Math.min(face, end) - 8, line.y, end + 8, line.y, false);
  }

  /** Draws a link between boxes one above the other, to the right of both. */
  drawBeside(line, from, to, turned) {
    const isUpper = (box) => box.y === Math.min(from.y, to.y);
    const [p, q] = [from, to].map((box) => [box.x + (box.kind === "given" ? 0 : box.width) + this.moved(box),
                                            box.y + (isUpper(box) ? box.height - 6 : 6)]);
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

  /** Stores a link's ends, from its left end to its right one [pixels]. */
  keepLink(name, x1, y1, x2, y2, turned) {
    const [ox, oy, scale] = this.origin;
    const ends = [[ox + scale * x1, this.top + oy + scale * y1], [ox + scale * x2, this.top + oy + scale * y2]];

    this.links.set(name, { ends: turned ? ends.reverse() : ends });
  }

  isTall(box) {
    return box.height > 1.2 * box.width;
  }

  isRound(box) {
    return box.kind === "free" && this.data.nodes[box.node].domain === "rotation";
  }
}
