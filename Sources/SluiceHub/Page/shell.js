// Words for a shell, quoted so that none of them runs as a command.

const plain = /^[\w@%+:,./-]+$/;
// A terminal would take control characters as keys, and marks of direction would hide what is pasted.
const unseen = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]/u;

/** Returns a text as one word of a shell: as it is, in quotes, or escaped (bash and zsh) where one can't see all of it. */
export function quoted(text) {
  if (plain.test(text)) return text;
  if (!unseen.test(text)) return `'${text.replaceAll("'", "'\\''")}'`;
  return `$'${Array.from(text, escaped).join("")}'`;
}

// Bytes, since a shell knows the numbers of characters only where its locale is UTF-8.
function escaped(letter) {
  if (letter === "'" || letter === "\\") return `\\${letter}`;
  return unseen.test(letter)
    ? Array.from(new TextEncoder().encode(letter), (byte) => `\\x${byte.toString(16).padStart(2, "0")}`).join("") : letter;
}
