// A button with a menu.
import { button, make, unique } from "./dom.js";

/** `entries`: [[text, action], …] */
export function menu(label, icon, entries) {
  const id = unique("menu");
  const items = entries.map(([text, action]) => make("button", {
    type: "button", role: "menuitem", tabIndex: -1, text, on: { click: () => { show(false); action(); } },
  }));
  const list = make("div", { class: "menu", role: "menu", id, "aria-label": label, hidden: true }, ...items);
  const opener = button({ icon, text: label, "aria-haspopup": "menu", "aria-expanded": false, "aria-controls": id },
    () => show(list.hidden, true));
  const element = make("div", { class: "menu-place" }, opener, list);

  function show(isOpen, withFocus = false) {
    list.hidden = !isOpen;
    opener.setAttribute("aria-expanded", isOpen);
    if (isOpen && withFocus) items[0].focus();
    else if (!isOpen && element.contains(document.activeElement)) opener.focus();
  }
  element.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !list.hidden) { event.stopPropagation(); return show(false); }
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    event.preventDefault();
    if (list.hidden) return show(true, true);
    const at = items.indexOf(document.activeElement), count = items.length;
    items[(at + (event.key === "ArrowDown" ? 1 : count - 1)) % count].focus();
  });
  element.addEventListener("focusout", (event) => { if (!element.contains(event.relatedTarget)) show(false); });
  return element;
}
