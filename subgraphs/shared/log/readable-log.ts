// A log line for people: `LOG_FORMAT=pretty` turns each JSON record into one line of words, with the stack of an error below it.

interface LogRecord {
  time: string;
  level: string;
  role: string;
  msg?: string;
  [field: string]: unknown;
}

interface LoggedError {
  message: string;
  stack?: string;
}

/** What would move a terminal's cursor or begin a line of its own. */
const control = /[\p{Cc}\p{Zl}\p{Zp}]/gu;

/** `line` is one JSON record as createLog makes it; the answer ends with a line feed: time, level, role, message, `field=value` each, then the stack, indented. */
export function readableLine(line: string): string {
  const { time, level, role, msg, ...fields } = JSON.parse(line) as LogRecord;
  const told = Object.entries(fields).map(
    ([name, value]) => `${name}=${wordOf(isError(value) ? value.message : value)}`,
  );
  const head = [time, level.toUpperCase().padEnd(5), role, ...(msg ? [visible(msg)] : []), ...told].join(' ');
  const stacks = Object.values(fields).flatMap((value) => (isError(value) ? (value.stack ?? '').split('\n') : []));
  const below = stacks.filter((text) => text !== '').map((text) => `    ${visible(text.trim())}`);
  return `${[head, ...below].join('\n')}\n`;
}

/** Message and fields of a readable line of level error or fatal, as readableLine wrote it; undefined for every other text. */
export function readableError(line: string): string | undefined {
  return /^\d{4}-\d\d-\d\dT[\d:.]{1,15}Z (?:ERROR|FATAL) \S{1,100} (.*)$/.exec(line)?.[1];
}

function isError(value: unknown): value is LoggedError {
  return typeof value === 'object' && value !== null && 'stack' in value && 'message' in value;
}

/** A value without spaces as it is, everything else as JSON writes it. */
function wordOf(value: unknown): string {
  const isPlain = typeof value === 'string' && /^[^\s"=]+$/.test(value);
  return visible(isPlain ? value : JSON.stringify(value));
}

function visible(text: string): string {
  return text.replace(control, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
