// A stream as a picture that needs nothing of the page: shapes, written as SVG or drawn on a canvas.
import { cut, kind, seconds, short } from "./value.js";
import { picture as texts } from "./texts.js";

const colors = ["#0b62a8", "#b0440a", "#08734f", "#91388a", "#8a5a00", "#0d7186", "#b2265c", "#55606b"];
const kinds = { number: "#c9313d", text: "#15804f", truth: "#7245bd", nothing: "#596b74", object: "#2a5cc0", list: "#2a5cc0" };
const font = "-apple-system, 'Segoe UI', Roboto, 'Liberation Sans', Arial, sans-serif";
const mostBalls = 400;

/** Returns the shapes of a picture: `rows` as the hub's picture has them, each with its name. */
export function shapes(rows, { title = "", width = 820, until = 10, isSmall = false } = {}) {
  const ball = isSmall ? 11 : 17, pitch = isSmall ? 38 : 66, head = title ? 46 : isSmall ? 6 : 14;
  const left = isSmall ? 34 : 30, right = isSmall ? 14 : 34, scale = (width - left - right) / until;
  const list = [], x = (time) => left + time * scale;
  const height = head + rows.length * pitch + (isSmall ? 4 : 30);
  list.push({ kind: "rect", x: 0, y: 0, width, height, radius: isSmall ? 0 : 14, fill: isSmall ? "none" : "#ffffff" });
  if (title) list.push({ kind: "text", x: 20, y: 30, text: cut(title, 70), size: 19, weight: 700, fill: "#13242d" });
  rows.forEach(({ name, expression, marks = [] }, index) => {
    const top = head + index * pitch, middle = top + (isSmall ? 19 : 40);
    if (isSmall) list.push({ kind: "text", x: 2, y: middle + 4, text: name, size: 11, fill: "#6b7f89" });
    else list.push({ kind: "text", x: left - 10, y: top + 14, text: cut(`${index ? texts.after : ""}${name}${expression ? `  ${expression}` : ""}`, 90), size: 12, fill: "#4e636e" });
    list.push({ kind: "line", x: left, y: middle, u: width - right + 8, v: middle, stroke: "#a9bcc6", width: 2 });
    const first = Math.min(...rows[0].marks?.flatMap(({ origins = [] }) => origins) ?? [], 0);
    const shown = marks.slice(0, mostBalls).filter(({ time }) => time <= until);
    // The end lies behind a ball of the same time.
    for (const { time, error } of shown.filter(({ completed, error }) => completed || error !== undefined)) {
      list.push({ kind: "line", x: x(time), y: middle - ball - 5, u: x(time), v: middle + ball + 5, stroke: error === undefined ? "#0b6b45" : "#b3212e", width: 3 });
    }
    for (const { time, value, origins, completed, error, reported } of shown) {
      if (completed || error !== undefined) continue;
      const text = reported === undefined ? short(value) : "!";
      const fill = reported !== undefined ? "#b3212e" : origins?.length ? colors[(((origins[0] - first) % 8) + 8) % 8] : kinds[kind(value)];
      list.push({ kind: "circle", x: x(time), y: middle, radius: ball, fill });
      list.push({ kind: "text", x: x(time), y: middle + ball * 0.28, text, size: Math.round(ball * [1, 1, 0.95, 0.75, 0.62, 0.52][Math.min(5, [...text].length)]), weight: 700, fill: "#ffffff", isCentered: true });
    }
  });
  if (!isSmall) {
    const step = [0.5, 1, 2, 5, 10, 20, 60, 300, 1800].find((one) => one * scale >= 56) ?? 7200;
    for (let time = 0; time <= until; time += step) {
      list.push({ kind: "text", x: x(time), y: height - 12, text: time ? seconds(time) : "0", size: 11, fill: "#4e636e", isCentered: true });
    }
  }
  return { width, height, list, title: title || texts.aStream };
}

const escaped = (text) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`).replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, "");
const round = (number) => Math.round(number * 100) / 100;

/** Returns a picture as an SVG document. */
export function svg({ width, height, list, title }) {
  const parts = list.map((one) => {
    if (one.kind === "rect") return `<rect x="${one.x}" y="${one.y}" width="${one.width}" height="${one.height}" rx="${one.radius}" fill="${one.fill}"/>`;
    if (one.kind === "circle") return `<circle cx="${round(one.x)}" cy="${round(one.y)}" r="${one.radius}" fill="${one.fill}"/>`;
    if (one.kind === "line") return `<line x1="${round(one.x)}" y1="${round(one.y)}" x2="${round(one.u)}" y2="${round(one.v)}" stroke="${one.stroke}" stroke-width="${one.width}" stroke-linecap="round"/>`;
    return `<text x="${round(one.x)}" y="${round(one.y)}" font-size="${one.size}"${one.weight ? ` font-weight="${one.weight}"` : ""}${one.isCentered ? ` text-anchor="middle"` : ""} fill="${one.fill}">${escaped(one.text)}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" font-family="${font}"><title>${escaped(title)}</title>\n${parts.join("\n")}\n</svg>\n`;
}

/** Promises a picture as a PNG. */
export function png({ width, height, list }, ratio = 2) {
  const canvas = Object.assign(document.createElement("canvas"), { width: width * ratio, height: height * ratio });
  const context = canvas.getContext("2d");
  context.scale(ratio, ratio);
  for (const one of list) {
    context.fillStyle = one.fill ?? "none";
    context.beginPath();
    if (one.kind === "rect" && one.fill !== "none") { context.roundRect(one.x, one.y, one.width, one.height, one.radius); context.fill(); }
    if (one.kind === "circle") { context.arc(one.x, one.y, one.radius, 0, 7); context.fill(); }
    if (one.kind === "line") {
      Object.assign(context, { strokeStyle: one.stroke, lineWidth: one.width, lineCap: "round" });
      context.moveTo(one.x, one.y);
      context.lineTo(one.u, one.v);
      context.stroke();
    }
    if (one.kind === "text") {
      context.font = `${one.weight ?? 400} ${one.size}px ${font}`;
      context.textAlign = one.isCentered ? "center" : "left";
      context.fillText(one.text, one.x, one.y);
    }
  }
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}
