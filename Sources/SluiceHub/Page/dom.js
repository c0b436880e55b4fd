// Elements, made without a line of HTML: what comes from outside is text, always.

/** `make("p", { class: "about", text, dataset, on: { click } , "aria-label": … }, child, …)` */
export function make(tag, options = {}, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(options)) {
    if (value === undefined || value === null) continue;
    if (key === "class") element.className = value;
    else if (key === "text") element.textContent = value;
    else if (key === "dataset") Object.assign(element.dataset, value);
    else if (key === "on") for (const [name, action] of Object.entries(value)) element.addEventListener(name, action);
    else if (key in element && !key.startsWith("aria")) element[key] = value;
    else element.setAttribute(key, value);
  }
  element.append(...children.filter((child) => child !== undefined && child !== null));
  return element;
}

const paths = {
  play: "M4 2.5v11l9-5.5z",
  pause: "M4 3h3v10H4zM9 3h3v10H9z",
  step: "M3 3l7 5-7 5zM11 3h2v10h-2z",
  reset: "M8 3a5 5 0 1 1-4.6 3l1.6.7A3.3 3.3 0 1 0 8 4.8V7L4.3 3.9 8 1z",
  plus: "M7 2h2v5h5v2H9v5H7V9H2V7h5z",
  cross: "M3.5 2.3 8 6.8l4.5-4.5 1.2 1.2L9.2 8l4.5 4.5-1.2 1.2L8 9.2l-4.5 4.5-1.2-1.2L6.8 8 2.3 3.5z",
  grip: "M5 3h2v2H5zM9 3h2v2H9zM5 7h2v2H5zM9 7h2v2H9zM5 11h2v2H5zM9 11h2v2H9z",
  undo: "M6.5 2.5 2 7l4.5 4.5V8.6c3 0 5 .8 6.5 3.4-.3-4-2.5-6.3-6.5-6.5z",
  redo: "M9.5 2.5 14 7l-4.5 4.5V8.6c-3 0-5 .8-6.5 3.4.3-4 2.5-6.3 6.5-6.5z",
  more: "M3 6.5h3v3H3zM6.5 6.5h3v3h-3zM10 6.5h3v3h-3z",
  star: "M8 1.6l1.9 4.1 4.5.5-3.3 3 .9 4.4L8 11.4l-4 2.2.9-4.4-3.3-3 4.5-.5z",
  share: "M11 2l4 4-4 4V7.5C7 7.5 4.5 8.5 2 12c.5-4.5 3.5-7.3 9-7.5z",
};

/** A picture of 16 by 16, for the eye only. */
export function icon(name) {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg"), path = document.createElementNS(space, "path");
  for (const [key, value] of Object.entries({ viewBox: "0 0 16 16", width: 16, height: 16,
    "aria-hidden": "true" })) svg.setAttribute(key, value);
  path.setAttribute("d", paths[name]);
  path.setAttribute("fill", "currentColor");
  path.setAttribute("fill-rule", "evenodd");
  svg.append(path);
  return svg;
}

/** A button with a picture, words, or both; one without words has a label. */
export function button({ icon: name, text, label, kind = "plain", ...options }, action) {
  return make("button", {
    type: "button", class: `button ${kind}`, title: text ? undefined : label, "aria-label": label, ...options,
      on: { click: action },
  }, name && icon(name), text && make("span", { text }));
}

/** Calls `action` when nothing came for so many milliseconds. */
export function calmly(milliseconds, action) {
  let timer;
  const call = (...values) => { clearTimeout(timer); timer = setTimeout(action, milliseconds, ...values); };
  call.stop = () => clearTimeout(timer);
  return call;
}

/** Calls `action` in the next frame, once for all calls before it. */
export function nextFrame(action) {
  let frame;
  const call = () => { frame ??= requestAnimationFrame(() => { frame = undefined; action(); }); };
  call.stop = () => { cancelAnimationFrame(frame); frame = undefined; };
  return call;
}

/** Puts children in an order, and moves only those that stand elsewhere. */
export function arrange(parent, children) {
  children.forEach((child, index) => {
    if (parent.children[index] !== child) parent.insertBefore(child, parent.children[index] ?? null);
  });
  while (parent.children.length > children.length) parent.lastElementChild.remove();
}

let last = 0;
/** An id that no other element has. */
export const unique = (name) => `${name}-${++last}`;
