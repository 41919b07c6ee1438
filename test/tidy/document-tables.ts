// The tables that documents share with code: printed here from the code, compared with the documents by the tidy test.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { closeCodes } from '../../gateway/subscriptions/subscription-connection';
import { errorTables } from '../../rest-facade/errors/errors';
import { paymentStates } from '../../subgraphs/payments/payment/payment';
import { transitions } from '../../subgraphs/payments/payment/transitions';
import { flow, flowStates } from '../../subgraphs/payments/sessions/checkout-session';
import { variables } from '../../subgraphs/shared/config';
import { type DomainErrorCode, domainErrors } from '../../subgraphs/shared/errors';
import { createMetrics } from '../../subgraphs/shared/log/metrics';
import { testCards } from '../../subgraphs/shared/test-cards';
import { lifecycle, lifecycleTriggers, virtualAccountStates } from '../../subgraphs/tokenization/tokens/lifecycle';
import { waitsMs } from '../../workers/retry';
import { printHow, resultRows } from '../payments/operation-results';
import { printMeantScatter, printShardCommands, printShardedCollections } from '../slots/printed-tables';
import { printRoomOrders } from './room-order';
import { printImportRules } from './rooms-table';
import { root } from './source-files';

export interface DocumentTable {
  /** Stands in the document as `<!-- table: name -->` before and `<!-- end -->` after the table. */
  name: string;
  document: string;
  print(): string;
}

const code = (text: unknown) => `\`${text}\``;

export const documentTables: readonly DocumentTable[] = [
  { name: 'rooms', document: 'ARCHITECTURE.md', print: printImportRules },
  { name: 'order of rooms', document: 'ARCHITECTURE.md', print: printRoomOrders },
  { name: 'variables', document: 'docs/operations.md', print: printVariables },
  { name: 'metrics', document: 'docs/operations.md', print: printMetrics },
  { name: 'lifecycle', document: 'docs/lifecycle.md', print: printLifecycle },
  { name: 'payment states', document: 'docs/payments.md', print: printPaymentStates },
  { name: 'operation results', document: 'docs/payments.md', print: printOperationResults },
  { name: 'flow states', document: 'docs/checkout.md', print: printFlowStates },
  { name: 'refusals', document: 'docs/errors.md', print: printRefusals },
  { name: 'schedule', document: 'docs/callbacks.md', print: printSchedule },
  { name: 'close codes', document: 'docs/live-events.md', print: printCloseCodes },
  { name: 'sharded collections', document: 'docs/scale.md', print: printShardedCollections },
  { name: 'shard commands', document: 'docs/scale.md', print: printShardCommands },
  { name: 'meant scatter', document: 'docs/scale.md', print: printMeantScatter },
  { name: 'test cards', document: 'docs/sandbox.md', print: printTestCards },
];

/** What stands between the marks of a table in its document, or null when the marks are missing. */
export function tableIn({ name, document }: DocumentTable): string | null {
  return betweenMarks(name).exec(readFileSync(join(root, document), 'utf8'))?.[1] ?? null;
}

/** Puts the table into its document as the code has it now: `WRITE_TABLES=1 npx jest test/tidy.test.ts`. */
export function writeTable({ name, document, print }: DocumentTable): void {
  const path = join(root, document);
  const marked = `<!-- table: ${name} -->\n${print()}\n<!-- end -->`;
  writeFileSync(
    path,
    readFileSync(path, 'utf8').replace(betweenMarks(name), () => marked),
  );
}

function betweenMarks(name: string): RegExp {
  return new RegExp(`<!-- table: ${name} -->\\n([\\s\\S]*?)\\n?<!-- end -->`);
}

function printTable(header: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  return [line(header), line(header.map(() => '---')), ...rows.map(line)].join('\n');
}

function printVariables(): string {
  const rows = Object.entries(variables).map(([name, rule]) => {
    const unset = rule.safeParse(undefined).data;
    return [code(name), unset === undefined || unset === '' ? '–' : code(unset), rule.description ?? ''];
  });
  return printTable(['Variable', 'Default', 'Meaning'], rows);
}

function printMetrics(): string {
  const described = Object.values(createMetrics()) as unknown as { name: string; help: string; labelNames: string[] }[];
  const rows = described.map(({ name, help, labelNames }) => [code(name), labelNames.map(code).join(' ') || '–', help]);
  return printTable(['Metric', 'Labels', 'Meaning'], rows);
}

function printLifecycle(): string {
  const rows = virtualAccountStates.map((state) => [
    code(state),
    ...lifecycleTriggers.map((trigger) => {
      const transition = lifecycle[state][trigger];
      return transition ? `${code(transition.to)} ${code(transition.event)}` : '–';
    }),
  ]);
  return printTable(['State', ...lifecycleTriggers.map(code)], rows);
}

function printPaymentStates(): string {
  return printArrows(paymentStates, transitions);
}

function printOperationResults(): string {
  const rows = resultRows.map(({ type, how, result, from, to }) => [
    code(type),
    code(result),
    printHow(how),
    from === to ? `stays ${from}` : `${from} → ${to}`,
  ]);
  return printTable(['Type', 'Result', 'When', 'Payment'], rows);
}

function printFlowStates(): string {
  return printArrows(flowStates, flow);
}

/** A state machine with too many triggers for columns: one row per state, its arrows in one cell. */
function printArrows<State extends string>(
  states: readonly State[],
  arrows: Readonly<Record<State, Readonly<Record<string, string>>>>,
): string {
  const rows = states.map((state) => {
    const goes = Object.entries(arrows[state]).map(([trigger, to]) => `${code(trigger)} → ${code(to)}`);
    return [code(state), goes.join('<br>') || 'final'];
  });
  return printTable(['State', 'Goes to'], rows);
}

function printRefusals(): string {
  const families = Object.keys(errorTables).filter((family) => family !== 'sandbox') as (keyof typeof errorTables)[];
  const rows = (Object.keys(domainErrors) as DomainErrorCode[]).map((name) => [
    code(name),
    ...families.map((family) => {
      const row = errorTables[family][name];
      return [row.status, row.code].filter(Boolean).join(' ');
    }),
    domainErrors[name],
  ]);
  return printTable(['Refusal', ...families, 'Meaning'], rows);
}

function printSchedule(): string {
  let totalMs = 0;
  const rows = waitsMs.map((waitMs, index) => {
    totalMs += waitMs;
    return [String(index + 1), printDuration(waitMs), printDuration(totalMs)];
  });
  return printTable(['Attempt', 'Wait before it', 'After the event, at the earliest'], rows);
}

function printDuration(ms: number): string {
  const [hours, minutes, seconds] = [Math.floor(ms / 3_600_000), Math.floor(ms / 60_000) % 60, (ms / 1_000) % 60];
  const parts = [hours && `${hours} h`, minutes && `${minutes} min`, seconds && `${seconds} s`].filter(Boolean);
  return parts.join(' ') || '0 s';
}

function printCloseCodes(): string {
  const reasons = new Map<number, string[]>();
  for (const { code: number, reason } of Object.values(closeCodes)) {
    reasons.set(number, [...(reasons.get(number) ?? []), reason]);
  }
  const rows = [...reasons].sort(([a], [b]) => a - b).map(([number, texts]) => [code(number), texts.join('; ')]);
  return printTable(['Code', 'Reason'], rows);
}

function printTestCards(): string {
  const rows = testCards.map((card) => [code(card.number), card.brand, card.tokenization, card.description]);
  return printTable(['Number', 'Brand', 'Tokenization', 'What happens'], rows);
}
