// One row of an exported list as text: a line of CSV (RFC 4180), or of JSON.

export const exportFormats = ['csv', 'jsonl'] as const;
export type ExportFormat = (typeof exportFormats)[number];

export const contentTypes: Record<ExportFormat, string> = {
  csv: 'text/csv; charset=utf-8; header=present',
  jsonl: 'application/jsonl; charset=utf-8',
};

type Columns = readonly (readonly string[])[];

/** What stands before the first row. */
export function headText(format: ExportFormat, columns: Columns): string {
  return format === 'csv' ? csvLine(columns.map((column) => column.join('.'))) : '';
}

export function rowText(format: ExportFormat, columns: Columns, node: unknown): string {
  if (format === 'jsonl') return `${JSON.stringify(node)}\n`;
  return csvLine(columns.map((column) => cellText(column.reduce(member, node))));
}

function member(value: unknown, name: string): unknown {
  return (value as Record<string, unknown> | null | undefined)?.[name];
}

function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return harmless(value);
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Spreadsheets run a text that begins like a formula: an apostrophe before it keeps it a text (OWASP, CSV injection). Numbers stay. */
function harmless(text: string): string {
  return /^[=+\-@\t\r]/.test(text) && !/^[+-]?\d+([.,]\d+)?$/.test(text) ? `'${text}` : text;
}

function csvLine(cells: readonly string[]): string {
  return `${cells.map(quoted).join(',')}\r\n`;
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
