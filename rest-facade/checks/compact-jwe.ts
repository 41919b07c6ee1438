// Why a text is no compact JWE, in words that name the segment (RFC 7516 section 7.1); the text itself is never repeated.

const segmentNames = ['protected header', 'encrypted key', 'initialization vector', 'ciphertext', 'authentication tag'];
const ordinals = ['first', 'second', 'third', 'fourth', 'fifth'];

/** Stands after the name of the field. */
export function compactJweFault(text: string): string {
  const wanted = 'must be a compact JWE: five Base64URL segments with dots between them';
  const segments = text.split('.', 7);
  if (segments.length !== 5)
    return `${wanted}; ${segments.length > 6 ? 'more than six are' : countOf(segments.length)} here`;
  for (const [index, segment] of segments.entries()) {
    const fault = segmentFault(segment);
    if (fault) return `${wanted}; the ${ordinals[index]} here (the ${segmentNames[index]}) ${fault}`;
  }
  return wanted;
}

function countOf(count: number): string {
  return count === 1 ? 'one is' : `${count} are`;
}

/** Canonical Base64URL: its alphabet, no padding, no spare bits in the last character. */
function segmentFault(segment: string): string | null {
  if (segment === '') return 'is empty';
  if (segment.endsWith('=')) return 'ends with padding (=)';
  if (/[+/]/.test(segment)) return 'is Base64 with + or /, not Base64URL';
  if (/[^A-Za-z0-9_-]/.test(segment)) return 'has a character outside Base64URL';
  if (Buffer.from(segment, 'base64url').toString('base64url') !== segment)
    return 'is cut or not in its canonical spelling';
  return null;
}
