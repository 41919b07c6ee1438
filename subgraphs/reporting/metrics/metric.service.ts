// Answers questions about figures from roll-ups: few documents each, added up to intervals and groups (docs/graph.md, Figures).
import { tenantFilter } from '../../shared/callers/caller';
import type { RequestContext } from '../../shared/callers/context';
import type { Clock } from '../../shared/clock';
import { DomainError } from '../../shared/errors';
import type { CallbackSumRepository } from './callback-sum.repository';
import { partNameOf } from './counter';
import {
  intervalStart,
  intervalStarts,
  isOfMerchants,
  type MetricDimension,
  type MetricQuestion,
  partOfDimension,
  type RollUpReading,
  rollUpReadingOf,
  wantedOf,
} from './metric-question';
import { emptyRow, type Group, type MetricRow, sumsIn } from './metric-row';
import { add, type Sums } from './roll-up';
import type { Amounts, Counts, RollUpRepository, StoredRollUp } from './roll-up.repository';
import { countersShownBy } from './shown-counters';

export interface MetricReads {
  rollUps: RollUpRepository;
  callbackSums: CallbackSumRepository;
  clock: Pick<Clock, 'now'>;
}

/** As many as are read and added up within the time that any question may take. */
const documentsMax = 10_000;
const rowsMax = 5_000;

/** Rows by interval and group; without groups one for each interval, with or without figures. `shown`: the fields of a row that are wanted; the others may lack what they
 * are worked out of. Refuses with `invalidInput` what is too much at once. */
export async function answerMetrics(
  reads: MetricReads,
  { caller }: RequestContext,
  question: MetricQuestion,
  shown: ReadonlySet<string>,
): Promise<MetricRow[]> {
  const owner = tenantFilter(caller);
  const rows = new Rows(question);
  // Asked once: at a day's end two parts of one answer would be cut differently.
  const now = reads.clock.now();
  // By groups they may be all that there is of one, which has its row whatever is shown of it.
  const counters = countersShownBy(shown);
  const areCallbacksRead = isOfMerchants(question) && (shown.has('callbacks') || question.groupBy.length > 0);
  const [documents, callbacks] = await Promise.all([
    readRollUps(reads, owner, question, { now, counters }),
    areCallbacksRead ? readCallbacks(reads, owner, question, now) : [],
  ]);
  const shownCounters = counters && new Set(counters);
  for (const document of documents) addRollUp(rows, question, document, shownCounters);
  for (const { start, merchantId, attempts, delivered, latency } of callbacks) {
    const row = rows.at(start, { merchantId, currency: null });
    row.callbacks.attempts += attempts;
    row.callbacks.delivered += delivered;
    for (const [bucket, count] of Object.entries(latency ?? {}))
      row.callbacks.latency.set(bucket, (row.callbacks.latency.get(bucket) ?? 0) + count);
  }
  return rows.sorted();
}

type MetricOwner = ReturnType<typeof tenantFilter>;

async function readRollUps(
  { rollUps }: MetricReads,
  owner: MetricOwner,
  question: MetricQuestion,
  { now, counters }: { now: Date; counters: readonly string[] | null },
): Promise<StoredRollUp[]> {
  const { level, sums, parts } = rollUpReadingOf(question, owner.accountId !== undefined, now);
  const [merchantIds, currencies] = [wantedOf(question, 'MERCHANT'), wantedOf(question, 'CURRENCY')];
  const whose = { ...owner, merchantIds: merchantIds ?? undefined, currencies: currencies ?? undefined };
  return allOf(parts, (part) => rollUps.read({ ...whose, ...part, level, sums, counters, limit: documentsMax + 1 }));
}

async function readCallbacks({ callbackSums }: MetricReads, owner: MetricOwner, question: MetricQuestion, now: Date) {
  const merchantIds = wantedOf(question, 'MERCHANT');
  const isOfAll = owner.accountId === undefined && !merchantIds && !question.groupBy.includes('MERCHANT');
  const level = isOfAll ? 'PLATFORM' : 'MERCHANT';
  const { parts } = rollUpReadingOf(question, false, now);
  const whose = { ...owner, merchantIds: merchantIds ?? undefined };
  return allOf(parts, (part) => callbackSums.read({ ...whose, ...part, level, limit: documentsMax + 1 }));
}

async function allOf<Document>(
  parts: RollUpReading['parts'],
  read: (part: RollUpReading['parts'][number]) => Promise<Document[]>,
): Promise<Document[]> {
  const found = (await Promise.all(parts.map(read))).flat();
  if (found.length > documentsMax) throw tooMuch();
  return found;
}

function tooMuch(): DomainError {
  const message = 'That is too much at once: shorten the range, ask for longer intervals, or name merchants.';
  return new DomainError('invalidInput', message, { field: 'range' });
}

type Values = Partial<Record<(typeof partOfDimension)[MetricDimension], string | null>>;

/** The rows of an answer, each made when it is first added to. */
class Rows {
  private readonly rows = new Map<string, MetricRow>();
  private readonly starts = new Map<number, Date>();
  private readonly areOfMerchants: boolean;

  constructor(private readonly question: MetricQuestion) {
    this.areOfMerchants = isOfMerchants(question);
    if (question.groupBy.length === 0) for (const start of intervalStarts(question)) this.at(start, {});
  }

  at(time: Date, values: Values): MetricRow {
    const start = this.startOf(time);
    let key = String(start.getTime());
    for (const dimension of this.question.groupBy) key += `\n${values[partOfDimension[dimension]] ?? ''}`;
    const known = this.rows.get(key);
    if (known) return known;
    if (this.rows.size >= rowsMax) throw tooMuch();
    const group: Group = {};
    for (const dimension of this.question.groupBy) group[dimension] = values[partOfDimension[dimension]] ?? null;
    const row = emptyRow(start, group, this.areOfMerchants);
    this.rows.set(key, row);
    return row;
  }

  /** Thousands of documents begin at the same few times. */
  private startOf(time: Date): Date {
    const known = this.starts.get(time.getTime());
    if (known) return known;
    const start = intervalStart(this.question, time);
    this.starts.set(time.getTime(), start);
    return start;
  }

  sorted(): MetricRow[] {
    const keyed = [...this.rows].sort(
      ([one, { start: left }], [other, { start: right }]) => left.getTime() - right.getTime() || (one < other ? -1 : 1),
    );
    return keyed.map(([, row]) => row);
  }
}

/** Adds what of a roll-up was asked for. */
function addRollUp(
  rows: Rows,
  question: MetricQuestion,
  document: StoredRollUp,
  shownCounters: ReadonlySet<string> | null,
): void {
  if (document.circuitCounts) addParts(rows, question, document, { of: 'circuits', shownCounters });
  if (document.countryCounts) addParts(rows, question, document, { of: 'countries', shownCounters });
  if (!document.counts) return;
  if (!isOfMerchants(question) && (!document.method || !isWanted(question, document))) return;
  addAll(sumsIn(rows.at(document.start, document), document.currency), document.counts, document.minor);
}

function addAll(sums: Sums, counts: Counts, minor: Amounts | undefined): void {
  // Of an object from the database, which inherits nothing: a list of its entries would be made for each of thousands of documents.
  for (const name in counts) add(sums, name, Number(counts[name]), minor?.[name]);
}

/** Counters named `<what they are of>|<counter>`, of which all that are shown are added, and each makes its row. */
function addParts(
  rows: Rows,
  question: MetricQuestion,
  { start, merchantId, currency, ...document }: StoredRollUp,
  { of, shownCounters }: { of: 'circuits' | 'countries'; shownCounters: ReadonlySet<string> | null },
): void {
  const [counts = {}, minor] =
    of === 'circuits'
      ? [document.circuitCounts, document.circuitMinor]
      : [document.countryCounts, document.countryMinor];
  /** Null: of what is not wanted. */
  const sumsOfPart = new Map<string, Sums | null>();
  for (const whole in counts) {
    const { part, name } = partNameOf(whole);
    let sums = sumsOfPart.get(part);
    if (sums === undefined) {
      const values = of === 'circuits' ? circuitOf(part) : { country: part || null };
      sums = isWanted(question, values) ? sumsIn(rows.at(start, { merchantId, currency, ...values }), currency) : null;
      sumsOfPart.set(part, sums);
    }
    if (sums && (!shownCounters || shownCounters.has(name))) add(sums, name, Number(counts[whole]), minor?.[whole]);
  }
}

function circuitOf(part: string): Values {
  const [method = '', circuit = ''] = part.split(' ');
  return { method, circuit: circuit || null };
}

const filtered = ['TERMINAL', 'METHOD', 'CIRCUIT', 'COUNTRY'] as const;

/** Merchants and currencies are chosen by the query already; operations all have a currency. */
function isWanted(question: MetricQuestion, values: Values): boolean {
  return filtered.every((dimension) => {
    const wanted = wantedOf(question, dimension);
    return !wanted || wanted.includes(values[partOfDimension[dimension]] ?? '');
  });
}
