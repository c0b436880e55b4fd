// The values of a stage that come too fast for balls: bars of how many there are, and a row of samples, on a canvas.
import { kind, short } from "./value.js";

/** The width of a bucket of the count, in seconds. */
const bucket = 0.05;
const mostBuckets = 4800;
/** The narrowest bar, in pixels. */
const leastBar = 6;
const mostSprites = 240;
const colors = 8;

/** The number of values in each twentieth of a second, with the first of them. */
export class Counts {
  #buckets = new Map(); #newest = -1;

  add(mark) {
    const place = Math.floor(mark.time / bucket + 1e-6), found = this.#buckets.get(place);
    this.#newest = Math.max(this.#newest, place);
    if (found) return void found.count++;
    this.#buckets.set(place, { count: 1, first: mark });
    if (this.#buckets.size > mostBuckets) this.#buckets.delete(this.#buckets.keys().next().value);
  }

  /** Returns the number of values within these times. */
  within(from, to) {
    let count = 0;
    for (let place = Math.max(0, Math.floor(from / bucket)); place <= Math.min(this.#newest, Math.floor(to / bucket)); place++) {
      count += this.#buckets.get(place)?.count ?? 0;
    }
    return count;
  }

  /** The number of values a second, over the last two seconds before a time. */
  rate(time) { return this.within(time - 2 + bucket, time) / Math.min(2, Math.max(0.5, time)); }

  /** Calls `bar(time, count)` for groups of `size` buckets within the times. */
  bars(from, to, size, bar) {
    const first = Math.max(0, Math.floor(from / bucket / size)), last = Math.min(Math.floor(this.#newest / size), Math.floor(to / bucket / size));
    for (let group = first; group <= last; group++) {
      let count = 0;
      for (let place = group * size; place < (group + 1) * size; place++) count += this.#buckets.get(place)?.count ?? 0;
      if (count) bar(group * size * bucket, count);
    }
  }

  /** Returns one value of each `width` seconds within the times, the same ones in every picture. */
  samples(from, to, width) {
    const found = [], size = Math.max(1, Math.round(width / bucket));
    for (let group = Math.max(0, Math.floor(from / bucket / size)); group <= Math.floor(Math.min(to / bucket, this.#newest) / size); group++) {
      for (let place = group * size; place < (group + 1) * size; place++) {
        const first = this.#buckets.get(place)?.first;
        if (first) { found.push(first); break; }
      }
    }
    return found.filter(({ time }) => time >= from && time <= to);
  }
}

/** Colors of the page, read once for each scheme. */
let palette;
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { palette = undefined; sprites.clear(); });
function color(name) {
  palette ??= new Map();
  if (!palette.has(name)) palette.set(name, getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim());
  return palette.get(name);
}

// The pictures of balls, each drawn once.
const sprites = new Map();
function sprite(mark, diameter, isColored, ratio) {
  const text = mark.reported === undefined ? short(mark.value) : "!";
  const origin = isColored ? mark.origins?.[0] : undefined;
  const name = mark.reported !== undefined ? "bad" : origin === undefined ? kind(mark.value) : `c${((origin % colors) + colors) % colors}`;
  const key = `${text} ${name} ${diameter} ${ratio}`;
  const found = sprites.get(key);
  if (found) return found;
  const size = Math.ceil(diameter * ratio), canvas = Object.assign(document.createElement("canvas"), { width: size, height: size });
  const context = canvas.getContext("2d"), middle = size / 2;
  context.fillStyle = color(name === "list" ? "object" : name);
  context.beginPath();
  context.arc(middle, middle, middle - 1, 0, 7);
  context.fill();
  const shine = context.createRadialGradient(size * 0.32, size * 0.24, 0, size * 0.32, size * 0.24, size * 0.5);
  shine.addColorStop(0, "rgb(255 255 255 / 55%)");
  shine.addColorStop(1, "rgb(255 255 255 / 0%)");
  context.fillStyle = shine;
  context.fill();
  context.fillStyle = color("on-ball");
  context.font = `700 ${Math.round(size * [0.44, 0.44, 0.44, 0.36, 0.3, 0.24, 0.22][Math.min(6, text.length)])}px sans-serif`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText(text, middle, middle * 1.04, size);
  if (sprites.size >= mostSprites) sprites.delete(sprites.keys().next().value);
  sprites.set(key, canvas);
  return canvas;
}

/**
 * Draws the values within a picture of `width` × `height` pixels. `x(time)` is a place in it, `from` and `to` are the
 * times at its edges, `scale` the pixels of a second. Returns the samples, with their places.
 */
export function drawDensity(canvas, counts, { width, height, from, to, scale, x, diameter, isColored, isReversed }) {
  const ratio = Math.min(2, window.devicePixelRatio || 1);
  const context = canvas.getContext("2d");
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
  }
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  const size = Math.max(1, Math.ceil(leastBar / (scale * bucket) - 1e-6)), bar = size * bucket * scale;
  const bars = [];
  let most = 1;
  counts.bars(from - size * bucket, to, size, (time, count) => {
    bars.push([x(time), count]);
    most = Math.max(most, count);
  });
  // A scale in steps keeps the bars from trembling.
  const top = [1, 2, 5].flatMap((step) => [0, 1, 2, 3, 4, 5].map((power) => step * 10 ** power)).sort((one, other) => one - other)
    .find((step) => step >= most) ?? most;
  context.fillStyle = color("density");
  for (const [left, count] of bars) {
    const tall = Math.max(2, count / top * (height - 8));
    context.fillRect(isReversed ? left - bar : left, height - tall, Math.max(1, bar - 1), tall);
  }
  const row = height * 0.5 - diameter / 2;
  const samples = counts.samples(from, to, (diameter + 12) / scale);
  return samples.map((mark) => {
    const left = x(mark.time);
    context.drawImage(sprite(mark, diameter, isColored, ratio), left - diameter / 2, row, diameter, diameter);
    return { mark, left };
  });
}
