/* plane.js: drawing of the plane: balls, bodies, grounds, links between them along its axes
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

const TIE = 44; /* length of an uncompressed link along an axis [pixels] */
const BOX = 30; /* of a mass along its axis [pixels] */
const LANE = 24; /* between parallel links [pixels] */

/** Returns the width of ties and boxes. */
function asideOf(ties, boxes) {
  return TIE * ties + BOX * boxes;
}

class Plane extends Diagram {
  /** Computes the other coordinate of the hits of blocks' faces, and the offsets of riders, so that there is room for
   * all parts between. */
  placeRiders(run, last, every) {
    const { blocks, riders } = this.data.plane;
    const rows = [];

    for (let r = 0; r < last; r += every) {
      rows.push(run.data.subarray(r * run.width, (r + 1) * run.width));
    }
    for (const block of blocks) {
      let nearest = -Infinity;

      for (const row of rows) {
        this.row = row;
        const place = this.at(block.point);
        const near = block.side * (place[block.axis] - row[1 + block.node] - block.gap);

        if (near > nearest) {
          [nearest, block.across] = [near, place[1 - block.axis]];
        }
      }
    }
    for (const rider of riders.filter((one) => one.ties > 0)) {
      let most = 0;

      rider.gap = 0;
      for (const row of rows) {
        this.row = row;
        const before = rider.behind >= 0 ? this.riderAt(riders[rider.behind]) : this.at(rider.point);

        most = Math.max(most, rider.side * (before[rider.axis] - this.riderAt(rider)[rider.axis]));
      }
      rider.gap = rider.side * most;
    }
  }

  riderAt(rider) {
    const along = (rider.node < 0 ? 0 : this.row[1 + rider.node]) + rider.gap;
    const across = rider.block >= 0 ? this.data.plane.blocks[rider.block].across : this.at(rider.point)[1 - rider.axis];

    return rider.axis === 0 ? [along, across] : [across, along];
  }

  findBounds(run, last, every) {
    this.placeRiders(run, last, 4 * every);
    this.over = [[0, 0], [0, 0]]; /* width of riders below and above on either axis [pixels] */
    for (const rider of this.data.plane.riders) {
      const side = rider.side > 0 ? 1 : 0;

      this.over[rider.axis][side] = Math.max(this.over[rider.axis][side],
                                             asideOf(rider.ties, rider.boxes + (rider.ties > 0 ? 1 : 0)));
    }
    const b = { left: Infinity, right: -Infinity, low: Infinity, high: -Infinity };
    const grow = (x, y, r) => {
      b.left = Math.min(b.left, x - r);
      b.right = Math.max(b.right, x + r);
      b.low = Math.min(b.low, y - r);
      b.high = Math.max(b.high, y + r);
    };

    for (let r = 0; r < last; r += 4 * every) {
      this.row = run.data.subarray(r * run.width, (r + 1) * run.width);
      for (const body of this.data.plane.bodies) {
        grow(...this.at(body.middle), body.radius);
      }
      for (const mark of this.data.plane.marks) {
        grow(...this.at(mark.point), 0);
      }
      for (const rider of this.data.plane.riders) {
        grow(...this.riderAt(rider), 0);
      }
      for (const link of this.data.plane.links.filter((one) => one.class === "rope")) {
        const [[x1, y1], [x2, y2]] = [this.at(link.left), this.at(link.right)];
        const length = network.value(`${link.name}.length`);

        /* Not deeper than with a load at its middle. */
        grow(x1, 0.5 * (y1 + y2 - Math.sqrt(Math.max(0, length * length - (x1 - x2) * (x1 - x2)))), 0);
      }
    }
    for (const ground of this.data.plane.grounds) {
      b.low = Math.min(b.low, ground.height - Math.abs(ground.amplitude));
    }
    const size = Math.max(b.right - b.left, b.high - b.low) || 1;

    grow((b.left + b.right) / 2, (b.low + b.high) / 2, 0.15 * size);
    return b;
  }

  /** Returns the position of a point of the plane. */
  at(point) {
    const [x, y, angle] = point.nodes.map((node) => node < 0 ? 0 : this.row[1 + node]);

    if (point.nodes.length === 0) {
      return point.at;
    }
    if (angle === undefined) {
      return [x + point.at[0], y + point.at[1]];
    }
    const [c, s] = [Math.cos(angle), Math.sin(angle)];

    return [x + c * point.at[0] - s * point.at[1], y + s * point.at[0] + c * point.at[1]];
  }

  drawPlane(W, H) {
    const { g, colours, bounds } = this;
    const [[left, right], [below, aside]] = this.over;
    const above = aside + (this.carriages.length > 0 || aside > 0 ? 18 : 0); /* for drawings above the bounds */
    const [width, height] = [Math.max(60, W - 20 - left - right), Math.max(60, H - 36 - below - above)];
    const scale = Math.min(width / (bounds.right - bounds.left), height / (bounds.high - bounds.low));
    const X = (x) => 10 + left + width / 2 + scale * (x - (bounds.left + bounds.right) / 2);
    const Y = (y) => 8 + above + height / 2 - scale * (y - (bounds.low + bounds.high) / 2);

    this.drawGrounds(W, X, Y);
    for (const body of this.data.plane.bodies) {
      this.drawBody(body, X, Y, scale);
    }
    for (const link of this.data.plane.links) {
      const [[x1, y1], [x2, y2]] = [this.at(link.left), this.at(link.right)];

      this.keepPoints(link.name, [X(x1), Y(y1)], [X(x2), Y(y2)]);
      const shape = link.class === "rope" && this.lane.shapeOf !== undefined
        ? this.lane.shapeOf(link.name, this.row) : null;

      if (shape !== null) {
        this.drawRope(link, shape, X, Y);
        this.links.set(link.name, { ends: [[X(x1), this.top + Y(y1)], [X(x2), this.top + Y(y2)]] });
      } else if (Math.hypot(x2 - x1, y2 - y1) * scale > 3) {
        this.drawSymbol(link, X(x1), Y(y1), X(x2), Y(y2), false);
        this.links.set(link.name, { ends: [[X(x1), this.top + Y(y1)], [X(x2), this.top + Y(y2)]] });
      }
    }
    this.drawRiders(X, Y, scale);
    this.carriages.forEach((one) => this.drawCarriage(one, X, Y, scale));
    g.fillStyle = colours.ink;
    for (const mark of this.data.plane.marks) {
      const [x, y] = this.at(mark.point);

      g.beginPath();
      g.arc(X(x), Y(y), 3, 0, 2 * Math.PI);
      g.fill();
    }
    const step = niceStep(120 / scale);

    this.drawScale(W, H, step * scale, showNumber(step, "m", 3));
  }

  /** Stores the points where a link's ends may be dropped. */
  keepPoints(name, ...points) {
    const ends = (network.ends(name, true) || "").split(",");

    points.forEach(([x, y], i) => {
      if (ends[i] && !this.targets.has(ends[i])) {
        this.targets.set(ends[i], [x - 8, this.top + y - 8, 16, 16]);
      }
    });
  }

  /** Draws a rope's shape, from the engine. */
  drawRope(link, shape, X, Y) {
    const { g, colours } = this;
    const middle = 2 * Math.floor(shape.length / 4);

    g.strokeStyle = link.name === this.chosen ? colours.run : this.colour(link.name);
    g.lineWidth = this.flashing.has(link.name) || link.name === this.chosen ? 3 : 2;
    g.beginPath();
    for (let i = 0; i < shape.length; i += 2) {
      g.lineTo(X(shape[i]), Y(shape[i + 1]));
    }
    g.stroke();
    g.fillStyle = colours.soft;
    g.fillText(link.name, X(shape[middle]), Y(shape[middle + 1]) - 8);
  }

  /** Draws a carriage on a rail along its axis. */
  drawCarriage({ node, axis, point }, X, Y, scale) {
    const { g, colours, bounds } = this;
    const { name } = this.data.nodes[node];
    const [px, py] = this.at(point);
    const [x, y] = [X(px), Y(py)];

    g.strokeStyle = colours.soft;
    g.lineWidth = 1.5;
    if (axis === 0) {
      this.lead(X(bounds.left), y, X(bounds.right), y);
    } else {
      this.lead(x, Y(bounds.low), x, Y(bounds.high));
    }
    g.strokeStyle = this.flashing.has(name) ? colours.event : colours.run;
    g.fillStyle = colours.pale;
    g.lineWidth = 2;
    g.beginPath();
    g.rect(x - 20, y - 11, 40, 22);
    g.fill();
    g.stroke();
    g.textAlign = "left";
    this.say(name, x + 26, y - 5);
    g.textAlign = "center";
    this.targets.set(name, [x - 20, this.top + y - 11, 40, 22]);
    this.places.set(name, { x, y: this.top + y, r: 22, perPixel: 1 / scale, keys: ["position"], axis });
  }

  drawGrounds(W, X, Y) {
    const { g, colours, bounds } = this;

    g.strokeStyle = colours.ink;
    g.lineWidth = 2;
    for (const ground of this.data.plane.grounds) {
      g.beginPath();
      for (let pixel = 0; pixel <= W; pixel += 3) {
        const part = (pixel - X(bounds.left)) / (X(bounds.right) - X(bounds.left));
        const x = bounds.left + (bounds.right - bounds.left) * part;
        const wave = ground.amplitude ? ground.amplitude * Math.sin(2 * Math.PI * x / ground.wavelength) : 0;

        g.lineTo(pixel, Y(ground.height + wave));
      }
      g.stroke();
    }
  }

  /** As in `ifbam plot movie`: ties, then boxes behind their near faces, and walls. */
  drawRiders(X, Y, scale) {
    const { g, colours } = this;
    const { riders, ties } = this.data.plane;
    const aside = (place, axis, by, across) => {
      const pixel = [X(place[0]), Y(place[1])];

      pixel[axis] += axis === 0 ? by : -by;
      pixel[1 - axis] += across;
      return pixel;
    };

    for (const tie of ties.filter((one) => this.joined.get(one.name) === undefined)) {
      const [a, b] = tie.ends.map((end, e) => {
        const own = riders[end.rider];
        const other = riders[tie.ends[1 - e].rider];

        if (own === undefined) {
          return aside(this.at(end.point), tie.axis, 0, LANE * tie.lane);
        }
        const isFar = !own.given && other !== undefined && other.ties > own.ties;

        const by = own.side * asideOf(own.ties, own.boxes + (isFar ? 1 : 0));

        return aside(this.riderAt(own), tie.axis, by, LANE * tie.lane);
      });

      if (Math.hypot(b[0] - a[0], b[1] - a[1]) > 1) {
        this.drawSymbol(tie, ...a, ...b, false, tie.lane);
        this.links.set(tie.name, { ends: [[a[0], this.top + a[1]], [b[0], this.top + b[1]]] });
      }
    }
    for (const rider of riders) {
      const [x, y] = aside(this.riderAt(rider), rider.axis, rider.side * asideOf(rider.ties, rider.boxes), 0);
      const turned = rider.axis === 0 ? (rider.side > 0 ? 0 : Math.PI) : -rider.side * Math.PI / 2;
      const middle = [0, 0];

      middle[rider.axis] = (rider.axis === 0 ? 1 : -1) * rider.side * BOX / 2;
      g.save();
      g.translate(x, y);
      g.rotate(turned);
      g.strokeStyle = this.flashing.has(rider.name) ? colours.event : rider.given ? colours.ink : colours.run;
      g.fillStyle = colours.pale;
      g.lineWidth = 2;
      g.beginPath();
      if (rider.given) {
        g.stroke(this.path("M0-24v48M0-16l8-8M0-4l8-8M0 8l8-8M0 20l8-8"));
      } else {
        g.rect(0, -20, BOX, 40);
        g.fill();
        g.stroke();
      }
      g.restore();
      g.textAlign = rider.axis === 0 ? "center" : "left";
      this.say(rider.name, x + middle[0] + (rider.axis === 0 ? 0 : 28), y + middle[1] + (rider.axis === 0 ? -26 : 4));
      g.textAlign = "center";
      if (!rider.given) {
        this.places.set(rider.name, { x: x + middle[0], y: this.top + y + middle[1], r: 22, perPixel: 1 / scale,
                                      keys: ["position"], axis: rider.axis });
      }
    }
  }

  drawBody(body, X, Y, scale) {
    const { g, colours } = this;
    const [x, y] = this.at(body.middle);
    const [cx, cy] = [X(x), Y(y)];
    const radius = Math.max(5, body.radius * scale);
    const turns = body.middle.nodes.length > 2;
    const angle = turns ? this.row[1 + body.middle.nodes[2]] : body.speed * this.row[0];

    g.strokeStyle = this.flashing.has(body.name) ? colours.event : colours.run;
    g.fillStyle = colours.pale;
    g.lineWidth = 2;
    g.beginPath();
    if (!body.round && body.outline.length >= 4) {
      for (let i = 0; i < body.outline.length; i += 2) {
        const place = this.at({ nodes: body.middle.nodes, at: [body.outline[i], body.outline[i + 1]] });

        g.lineTo(X(place[0]), Y(place[1]));
      }
      g.closePath();
    } else {
      g.arc(cx, cy, radius, 0, 2 * Math.PI);
      if (turns || body.speed) {
        g.moveTo(cx, cy);
        g.lineTo(cx + radius * Math.cos(angle), cy - radius * Math.sin(angle));
      }
    }
    g.fill();
    g.stroke();
    if (this.data.plane.bodies.length <= 12) {
      const isSmall = radius < 14;

      /* Beside a small body, where links are vertical. */
      g.textAlign = isSmall ? "left" : "center";
      this.say(body.name, isSmall ? cx + radius + 4 : cx, isSmall ? cy - 5 : cy - radius - 5);
      g.textAlign = "center";
    }
    this.targets.set(body.name, [cx - radius, this.top + cy - radius, 2 * radius, 2 * radius]);
    this.places.set(body.name, { x: cx, y: this.top + cy, r: radius + 8, perPixel: 1 / scale, keys: ["x", "y"] });
  }
}
