// The table of last runs in docs/proof.md: which rows a new run replaces.

const end = '<!-- end of runs -->';

/** How much of a proof's full size a run had: smoke is less than any part. */
const amount = (size) => (size === 'smoke' ? 0 : Number(size));

/**
 * The document with the row of this run. It replaces rows of the same proof whose runs were no larger; what a larger run found stays,
 * in a row of its own before it.
 */
export function recorded(document, { name, seed, size, figures }, day) {
  const shown = Object.entries(figures).map(([what, value]) => `${what} ${value}`);
  const row = `| ${name} | ${day} | ${seed} | ${size} | ${shown.join('; ')} |`;
  const lines = document.split('\n');
  const own = lines.flatMap((line, index) => (isRunOf(line, name) ? [index] : []));
  const replaced = own.filter((index) => amount(sizeOf(lines[index])) <= amount(size));
  const at = replaced[0] ?? (own.length > 0 ? own.at(-1) + 1 : lines.lastIndexOf(end));
  const kept = (_line, index) => !replaced.includes(index);
  return [
    ...lines.slice(0, at).filter(kept),
    row,
    ...lines.slice(at).filter((line, index) => kept(line, at + index)),
  ].join('\n');
}

/** Rows of the table of runs have six columns or more between their bars; the table of proofs has three. */
function isRunOf(line, name) {
  return line.startsWith(`| ${name} |`) && line.split('|').length > 6;
}

function sizeOf(line) {
  return line.split('|')[4].trim();
}
