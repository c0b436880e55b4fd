// QR codes (ISO/IEC 18004) of bytes, with the error correction level L.

const perBlock = [0, 7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26, 30, 22, 24, 28, 30, 28, 28, 28, 28, 30, 30, 26, 28, 30, 30, 30, 30, 30, 30, 30, 30,
  30, 30, 30, 30, 30, 30];
const blocks = [0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6, 6, 6, 6, 7, 8, 8, 9, 9, 10, 12, 12, 12, 13, 14, 15, 16, 17, 18, 19, 19, 20, 21, 22, 24, 25];

/** The number of modules of a version that have data. */
function rawModules(version) {
  let count = (16 * version + 128) * version + 64;
  if (version >= 2) {
    const patterns = Math.floor(version / 7) + 2;
    count -= (25 * patterns - 10) * patterns - 55;
    if (version >= 7) count -= 36;
  }
  return count;
}

const dataBytes = (version) => Math.floor(rawModules(version) / 8) - perBlock[version] * blocks[version];

// The field of 256 elements modulo x⁸ + x⁴ + x³ + x² + 1.
function times(one, other) {
  let product = 0;
  for (let bit = 7; bit >= 0; bit--) {
    product = (product << 1) ^ ((product >>> 7) * 0x11d);
    product ^= ((other >>> bit) & 1) * one;
  }
  return product;
}

function divisor(degree) {
  const result = new Uint8Array(degree);
  result[degree - 1] = 1;
  for (let index = 0, root = 1; index < degree; index++, root = times(root, 2)) {
    for (let place = 0; place < degree; place++) result[place] = times(result[place], root) ^ (result[place + 1] ?? 0);
  }
  return result;
}

function remainder(data, by) {
  const result = [...by].fill(0);
  for (const byte of data) {
    const factor = byte ^ result.shift();
    result.push(0);
    by.forEach((coefficient, index) => { result[index] ^= times(coefficient, factor); });
  }
  return result;
}

function codewords(bytes, version) {
  const bits = [], put = (value, length) => { for (let bit = length - 1; bit >= 0; bit--) bits.push((value >>> bit) & 1); };
  put(4, 4);
  put(bytes.length, version < 10 ? 8 : 16);
  for (const byte of bytes) put(byte, 8);
  const room = dataBytes(version) * 8;
  put(0, Math.min(4, room - bits.length));
  put(0, (8 - bits.length % 8) % 8);
  for (let pad = 0xec; bits.length < room; pad ^= 0xec ^ 0x11) put(pad, 8);
  const data = [];
  for (let at = 0; at < bits.length; at += 8) data.push(bits.slice(at, at + 8).reduce((byte, bit) => byte << 1 | bit, 0));
  const count = blocks[version], correction = perBlock[version], all = Math.floor(rawModules(version) / 8);
  const short = count - all % count, length = Math.floor(all / count), by = divisor(correction), list = [];
  for (let index = 0, at = 0; index < count; index++) {
    const part = data.slice(at, at + length - correction + (index < short ? 0 : 1));
    at += part.length;
    const check = remainder(part, by);
    if (index < short) part.push(undefined);
    list.push([...part, ...check]);
  }
  return list[0].flatMap((_, place) => list.map((block) => block[place])).filter((byte) => byte !== undefined);
}

const masks = [(x, y) => (x + y) % 2, (x, y) => y % 2, (x) => x % 3, (x, y) => (x + y) % 3, (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2,
  (x, y) => x * y % 2 + x * y % 3, (x, y) => (x * y % 2 + x * y % 3) % 2, (x, y) => ((x + y) % 2 + x * y % 3) % 2];

/** Returns the modules of the code of a text, row by row, true where it is dark; `undefined` for one that is too long. */
export function code(text, wantedMask) {
  const bytes = new TextEncoder().encode(text);
  let version = 1;
  while (version <= 40 && bytes.length + (version < 10 ? 2 : 3) > dataBytes(version)) version++;
  if (version > 40) return undefined;
  const size = version * 4 + 17, dark = Array.from({ length: size }, () => new Array(size).fill(false)), fixed = dark.map((row) => [...row]);
  const set = (x, y, isDark) => { if (x >= 0 && y >= 0 && x < size && y < size) { dark[y][x] = Boolean(isDark); fixed[y][x] = true; } };
  for (let at = 0; at < size; at++) { set(6, at, at % 2 === 0); set(at, 6, at % 2 === 0); }
  for (const [x, y] of [[3, 3], [size - 4, 3], [3, size - 4]]) {
    for (let down = -4; down <= 4; down++) for (let across = -4; across <= 4; across++) {
      const away = Math.max(Math.abs(across), Math.abs(down));
      set(x + across, y + down, away !== 2 && away !== 4);
    }
  }
  const places = [];
  if (version > 1) {
    const count = Math.floor(version / 7) + 2, step = Math.floor((version * 8 + count * 3 + 5) / (count * 4 - 4)) * 2;
    places.push(6);
    for (let place = size - 7; places.length < count; place -= step) places.splice(1, 0, place);
  }
  places.forEach((x, column) => places.forEach((y, row) => {
    const last = places.length - 1;
    if ((column === 0 && row === 0) || (column === 0 && row === last) || (column === last && row === 0)) return;
    for (let down = -2; down <= 2; down++) for (let across = -2; across <= 2; across++) set(x + across, y + down, Math.max(Math.abs(across), Math.abs(down)) !== 1);
  }));
  const format = (mask) => {
    let rest = 8 | mask;                                       // 01 is the level L
    const data = rest;
    for (let step = 0; step < 10; step++) rest = (rest << 1) ^ ((rest >>> 9) * 0x537);
    const bits = (data << 10 | rest) ^ 0x5412, bit = (index) => (bits >>> index) & 1;
    for (let at = 0; at <= 5; at++) set(8, at, bit(at));
    set(8, 7, bit(6)); set(8, 8, bit(7)); set(7, 8, bit(8));
    for (let at = 9; at < 15; at++) set(14 - at, 8, bit(at));
    for (let at = 0; at < 8; at++) set(size - 1 - at, 8, bit(at));
    for (let at = 8; at < 15; at++) set(8, size - 15 + at, bit(at));
    set(8, size - 8, true);
  };
  format(0);
  if (version >= 7) {
    let rest = version;
    for (let step = 0; step < 12; step++) rest = (rest << 1) ^ ((rest >>> 11) * 0x1f25);
    const bits = version << 12 | rest;
    for (let at = 0; at < 18; at++) {
      const across = size - 11 + at % 3, down = Math.floor(at / 3);
      set(across, down, (bits >>> at) & 1);
      set(down, across, (bits >>> at) & 1);
    }
  }
  const words = codewords(bytes, version);
  let at = 0;
  for (let right = size - 1; right >= 1; right -= 2) {
    if (right === 6) right = 5;
    for (let step = 0; step < size; step++) for (let side = 0; side < 2; side++) {
      const x = right - side, y = ((right + 1) & 2) === 0 ? size - 1 - step : step;
      if (fixed[y][x] || at >= words.length * 8) continue;
      dark[y][x] = Boolean((words[at >>> 3] >>> (7 - (at & 7))) & 1);
      at++;
    }
  }
  const turn = (mask) => { for (let y = 0; y < size; y++) for (let x = 0; x < size; x++) if (!fixed[y][x] && masks[mask](x, y) === 0) dark[y][x] = !dark[y][x]; };
  let best = wantedMask, least = Infinity;
  for (let mask = 0; best === undefined || (wantedMask === undefined && mask < 8); mask++) {
    turn(mask);
    format(mask);
    const found = penalty(dark);
    if (found < least) [least, best] = [found, mask];
    turn(mask);
    if (mask === 7) break;
  }
  turn(best);
  format(best);
  return dark;
}

// Runs, squares, finder-like patterns, and an uneven share of dark modules make a mask worse.
function penalty(dark) {
  const size = dark.length, lines = [...dark, ...dark.map((_, x) => dark.map((row) => row[x]))];
  let sum = 0, count = 0;
  for (const line of lines) {
    const text = line.map((one) => one ? "1" : "0").join("");
    for (const run of text.match(/0{5,}|1{5,}/g) ?? []) sum += run.length - 2;
    for (const pattern of [/(?=10111010000)/g, /(?=00001011101)/g]) sum += 40 * (text.match(pattern)?.length ?? 0);
  }
  for (let y = 0; y < size; y++) for (let x = 0; x < size; x++) {
    if (dark[y][x]) count++;
    if (y && x && dark[y][x] === dark[y][x - 1] && dark[y][x] === dark[y - 1][x] && dark[y][x] === dark[y - 1][x - 1]) sum += 3;
  }
  return sum + Math.floor(Math.abs(count * 20 - size * size * 10) / (size * size)) * 10;
}
