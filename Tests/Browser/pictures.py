"""Pictures of a part of the page for the documents, in few colors so that they are small."""

import base64
import struct
import zlib
from collections import Counter

# Draws a screenshot, and returns its width, height, and bytes.
PIXELS = """
    const [data, done] = arguments;
    createImageBitmap(new Blob([Uint8Array.from(atob(data), (one) => one.charCodeAt(0))])).then((picture) => {
      const { width, height } = picture, context = new OffscreenCanvas(width, height).getContext("2d");
      context.drawImage(picture, 0, 0);
      const reader = new FileReader();
      reader.onload = () => done([width, height, reader.result.split(",")[1]]);
      reader.readAsDataURL(new Blob([context.getImageData(0, 0, width, height).data]));
    });"""


# The least square of the distance between two colors of a picture.
NEAR = 40


def crop(page, path, first, last, margin=12):
    """Saves the picture of what lies from one element to another, both included."""
    page.frames()
    box = page.run("""
        const [first, last, margin] = arguments;
        const [one, other] = [first, last].map((name) => document.querySelector(name).getBoundingClientRect());
        const left = Math.min(one.left, other.left), top = Math.min(one.top, other.top);
        return { x: left + scrollX - margin, y: top + scrollY - margin, scale: 1,
          width: Math.max(one.right, other.right) - left + 2 * margin,
          height: Math.max(one.bottom, other.bottom) - top + 2 * margin };""", first, last, margin)
    save(page, path, box)


def window(page, path):
    """Saves the picture of the window."""
    page.frames()
    save(page, path, page.run("return { x: scrollX, y: scrollY, width: innerWidth, height: innerHeight, scale: 1 };"))


def save(page, path, box):
    shot = page.driver.execute_cdp_cmd("Page.captureScreenshot", {"clip": box, "captureBeyondViewport": True})
    width, height, data = page.run_async(PIXELS, shot["data"])
    path.write_bytes(png(width, height, base64.b64decode(data)))


def png(width, height, pixels):
    """Returns a PNG with at most 256 colors: frequent ones that differ, and for each other pixel the nearest of them."""
    colors = list(struct.iter_unpack("3Bx", pixels))
    palette, nearest = [], {}

    def distance(color, index):
        return sum((one - other) ** 2 for one, other in zip(palette[index], color))

    def place(color):
        if color not in nearest:
            nearest[color] = min(range(len(palette)), key=lambda index: distance(color, index))
        return nearest[color]

    for color, _ in Counter(colors).most_common():
        if len(palette) == 256:
            break
        if all(distance(color, index) >= NEAR for index in range(len(palette))):
            palette.append(color)

    places = bytes(place(color) for color in colors)
    rows = b"".join(b"\0" + places[row * width:(row + 1) * width] for row in range(height))
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunk(name, data) for name, data in (
        (b"IHDR", struct.pack(">2I5B", width, height, 8, 3, 0, 0, 0)),
        (b"PLTE", bytes(part for color in palette for part in color)),
        (b"IDAT", zlib.compress(rows, 9)), (b"IEND", b"")))


def chunk(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
