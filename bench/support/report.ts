// Prints one result as a table that can be pasted into docs/benchmark-log.md.
import type { Sample } from './benchmark';
import type { CaseResult, Result } from './result';

/** Writes the table of cases and the list of goals to stdout. */
export function printReport(result: Result): void {
  const hasDatabase = result.cases.some((each) => each.databaseCpuMicros !== null);
  const extras = [...new Set(result.cases.flatMap((each) => Object.keys(each.extra)))];
  const head = [
    'case',
    `ratio to ${result.reference}`,
    'best',
    'per second',
    'best',
    'spread',
    'CPU µs (lowest)',
    ...(hasDatabase ? ['databases CPU µs', 'together', 'ratio'] : []),
    'p50 ms',
    'p99 ms',
    'RSS MB',
    ...extras,
  ];
  const rows = result.cases.map((each) => [
    each.kind === 'product' ? `**${each.name}**` : each.name,
    decimal(each.ratio, 2),
    decimal(each.bestRatio, 2),
    decimal(each.rate.median, each.rate.median < 100 ? 2 : 0),
    decimal(each.rate.best, each.rate.best < 100 ? 2 : 0),
    `${Math.round(each.rate.spread * 100)} %`,
    cpuText(each),
    ...(hasDatabase
      ? [decimal(each.databaseCpuMicros, 0), decimal(each.allCpuMicros, 0), decimal(each.cpuRatio, 2)]
      : []),
    decimal(each.p50Ms, 1),
    decimal(each.p99Ms, 1),
    decimal(each.rssMb, 0),
    ...extras.map((key) => decimal(each.extra[key] ?? null, 2)),
  ]);
  const { rounds, seconds, warmUpSeconds, note } = result.options;
  console.log(
    `\n${result.title}\n${result.date}, ${result.machine}, ${rounds} rounds of ${seconds} s after ${warmUpSeconds} s of warm-up${note ? `, ${note}` : ''}`,
  );
  for (const fact of result.facts) console.log(`- ${fact}`);
  console.log(`\n${table([head, head.map(() => '---'), ...rows])}\n`);
  for (const goal of result.goals) {
    const bound = goal.atLeast !== undefined ? `>= ${goal.atLeast}` : `<= ${goal.atMost}`;
    const aim = goal.aim === undefined ? '' : ` (aim ${goal.aim})`;
    console.log(
      `${goal.isMet ? 'met  ' : 'SHORT'}  ${goal.metric} of ${goal.of}${goal.against ? ` / ${goal.against}` : ''}: ${decimal(goal.reached, 3)}, goal ${bound}${aim}`,
    );
  }
}

/** A rate never stands alone: on a machine that others use too, the CPU of one unit is what two rounds can be compared by. */
export function roundText({ rate, cpuMicros, databaseCpuMicros }: Sample): string {
  const parts = [cpuMicros, databaseCpuMicros].flatMap((micros) => (typeof micros === 'number' ? [micros] : []));
  const cpu = parts.length > 0 ? `, ${parts.map((micros) => micros.toFixed(0)).join(' + ')} µs of CPU each` : '';
  return `${rate.toFixed(rate < 100 ? 2 : 0)}/s${cpu}`;
}

function table(rows: string[][]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  return rows
    .map(
      (row) =>
        `| ${row.map((cell, column) => (cell === '---' ? '-'.repeat(widths[column] ?? 3) : cell.padEnd(widths[column] ?? 0))).join(' | ')} |`,
    )
    .join('\n');
}

function cpuText({ cpuMicros }: CaseResult): string {
  return cpuMicros ? `${decimal(cpuMicros[0], 0)} (${decimal(cpuMicros[1], 0)})` : '-';
}

function decimal(value: number | null, digits: number): string {
  return value === null || !Number.isFinite(value) ? '-' : value.toFixed(digits);
}
