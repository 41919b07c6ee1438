// A reply as its sender wrote it: it is stored as printable ASCII, everything else as an escape.

/** What cannot be seen, or would turn the text around it; line ends and tabs are drawn. */
const unseen = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

export function asReceived(stored: string): string {
  return unescaped(stored).replace(/\r\n/g, '\n').replace(unseen, nameOf);
}

function unescaped(stored: string): string {
  try {
    return JSON.parse(`"${stored}"`) as string;
  } catch {
    // Stored otherwise, or its last escape was cut.
    return stored;
  }
}

function nameOf(character: string): string {
  return `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`;
}
