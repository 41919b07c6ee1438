// Where the lines of a bundle come from, in a form that is looked up without being read: `<bundle>.places`, made from its source map by the build.
/** Bytes of a record: line and column in the bundle, number and line of the source; unsigned, little-endian, all from 0. */
const recordBytes = 16;
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const digits = new Uint8Array(128).map((_, code) => Math.max(0, alphabet.indexOf(String.fromCharCode(code))));
const [comma, semicolon] = [',', ';'].map((letter) => letter.charCodeAt(0));

/**
 * Four bytes with the length of what follows, the sources as JSON, and then a record, in order, for each place in the bundle from which on another
 * line of a source is meant.
 * @param {string} map Source Map version 3 (ECMA-426)
 */
export function sourcePlaces(map) {
  const { sources, mappings } = JSON.parse(map);
  const names = Buffer.from(JSON.stringify(sources));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(names.length);
  return Buffer.concat([length, names, recordsOf(mappings)]);
}

/** Walks the segments once (ECMA-426, Mappings grammar): as objects those of ours take half a gigabyte. */
function recordsOf(mappings) {
  let records = Buffer.alloc(1 << 20);
  let [length, at, line, column, source, sourceLine] = [0, 0, 0, 0, 0, 0];
  let last = '';
  /** A variable-length quantity: five bits a digit, the lowest first; the lowest bit of all is the sign. */
  const next = () => {
    let [value, shift, digit] = [0, 0, 32];
    while (digit & 32) {
      digit = digits[mappings.charCodeAt(at++)];
      value |= (digit & 31) << shift;
      shift += 5;
    }
    return value & 1 ? -(value >>> 1) : value >>> 1;
  };
  const isOver = () => {
    const code = mappings.charCodeAt(at);
    return at >= mappings.length || code === comma || code === semicolon;
  };
  while (at < mappings.length) {
    const code = mappings.charCodeAt(at);
    if (code === semicolon) [line, column] = [line + 1, 0];
    if (code === semicolon || code === comma) {
      at += 1;
      continue;
    }
    column += next();
    if (isOver()) continue;
    source += next();
    sourceLine += next();
    // Columns and names are of no use here.
    while (!isOver()) next();
    const place = `${line} ${source} ${sourceLine}`;
    if (place === last) continue;
    last = place;
    if (length + recordBytes > records.length) records = Buffer.concat([records, Buffer.alloc(records.length)]);
    for (const value of [line, column, source, sourceLine]) length = records.writeUInt32LE(value, length);
  }
  return records.subarray(0, length);
}
