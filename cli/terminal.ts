// Where the command line writes: results to stdout, remarks to stderr, colour only on a terminal that has it, JSON on request.

export interface CommandLine {
  /** True when `--json` was given: one JSON value per line and nothing else on stdout. */
  isJson: boolean;
  /** Prints a result: the text for people, the value for `--json`. */
  print(text: string, value: unknown): void;
  /** A remark for people; never a result. */
  remark(text: string): void;
  good(text: string): string;
  bad(text: string): string;
}

export function createTerminal(isJson: boolean): CommandLine {
  const isColoured = process.stdout.isTTY && process.stdout.hasColors();
  const paint = (code: number) => (text: string) => (isColoured ? `\u001b[${code}m${text}\u001b[0m` : text);
  return {
    isJson,
    print: (text, value) => process.stdout.write(`${isJson ? JSON.stringify(value) : text}\n`),
    remark: (text) => process.stderr.write(`${text}\n`),
    good: paint(32),
    bad: paint(31),
  };
}

/** Rows as aligned columns, two spaces apart. */
export function columns(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, cell.length);
  }
  const line = (row: readonly string[]) => row.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join('  ');
  return rows.map((row) => line(row).trimEnd()).join('\n');
}

/** All of stdin, as text. */
export async function readStdin(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
