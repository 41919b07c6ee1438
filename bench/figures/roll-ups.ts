// Roll-ups as the product keeps them of many operations, made by its own sums: each merchant sells in each hour, more by day than by night.
import { randomUUID } from 'node:crypto';
import type { Db } from 'mongodb';
import { figureOf } from '../../subgraphs/reporting/metrics/figures';
import { add, type RollUp, rollUpsOf, type Sums } from '../../subgraphs/reporting/metrics/roll-up';
import { withoutUndefined } from '../../subgraphs/shared/present-members';

export interface Seeded {
  operations: number;
  merchants: number;
  days: number;
  /** Of the log: the sums of the platform have a part for each. */
  lanes: number;
}

const hourMs = 3_600_000;
const circuitsSeen = ['VISA', 'VISA', 'VISA', 'MC', 'MC', 'AMEX'];
const countriesSeen = ['DNK', 'DNK', 'DNK', 'SWE', 'NOR', 'DEU', 'ITA', 'GBR'];
const reasons = ['insufficient_funds', 'insufficient_funds', 'do_not_honor', 'expired_card', 'risk'];
const insertedAtOnce = 5_000;
/** So many kinds of operations a merchant has in an hour; each stands for as many operations as it takes. */
const kindsPerHour = 8;

/** Fills the collection, oldest hour first, up to the hour of `until`; resolves with how many roll-ups it are. */
export async function seedRollUps(
  database: Db,
  { operations, merchants, days, lanes }: Seeded,
  until: Date,
  first?: string,
) {
  const sums = database.collection('metric_sums', { useBigInt64: true } as never);
  await sums.deleteMany({});
  const weight = Math.max(1, Math.round(operations / (merchants * days * 24 * kindsPerHour)));
  const ids = Array.from({ length: merchants }, (_, index) =>
    index === 0 && first ? first : `bench-merchant-${index}`,
  );
  const end = Math.floor(until.getTime() / hourMs);
  let [count, waiting] = [0, [] as object[]];
  const write = async (least: number) => {
    if (waiting.length < least) return;
    count += waiting.length;
    await sums.insertMany(waiting as never[], { ordered: false, writeConcern: { w: 1, j: false } });
    waiting = [];
  };
  const dayMaps = new Map<string, RollUp>();
  for (let hour = end - days * 24 + 1; hour <= end; hour += 1) {
    for (const [index, merchantId] of ids.entries()) {
      const figures = hourOf(merchantId, index, hour).flatMap((event) => figureOf(event) ?? []);
      for (const rollUp of rollUpsOf('sandbox', { layout: 1, lane: index % lanes }, figures)) {
        if (rollUp.grain === 'DAY' || rollUp.level === 'PLATFORM') merge(dayMaps, rollUp);
        else waiting.push(stored(rollUp, weight));
      }
    }
    if ((hour + 1) % 24 === 0 || hour === end) {
      for (const rollUp of dayMaps.values()) waiting.push(stored(rollUp, weight));
      dayMaps.clear();
    }
    await write(insertedAtOnce);
  }
  await write(1);
  return { count, operations: weight * merchants * days * 24 * kindsPerHour };
}

function hourOf(merchantId: string, index: number, hour: number) {
  return Array.from({ length: kindsPerHour }, (_, kind) => {
    const draw = (hour * 31 + index * 17 + kind * 7) % 97;
    const isDeclined = draw % 11 === 0;
    const isCapture = kind % 2 === 1;
    return {
      _id: randomUUID(),
      environment: 'sandbox' as const,
      accountId: index % 2 === 0 ? 'alpha' : 'beta',
      merchantId,
      type: 'operation.recorded',
      occurredAt: new Date(hour * hourMs + 60_000),
      position: 1,
      data: {
        operationType: isCapture ? 'CAPTURE' : 'AUTHORIZATION',
        operationResult: isCapture ? 'EXECUTED' : isDeclined ? 'DECLINED' : 'AUTHORIZED',
        operationAmount: String(900 + ((draw * 53) % 4_000) + 40 * shapeOf(hour)),
        operationCurrency: index % 5 === 4 ? 'SEK' : 'EUR',
        paymentMethod: 'CARD',
        paymentCircuit: circuitsSeen[draw % circuitsSeen.length],
        terminalId: `${merchantId}-terminal-${draw % 3}`,
        additionalData: {
          cardCountry: countriesSeen[draw % countriesSeen.length],
          threeDS: draw % 4 === 0 ? 'challenge' : 'frictionless',
          ...withoutUndefined({ responseReason: isDeclined ? reasons[(hour + kind) % reasons.length] : undefined }),
        },
      },
    };
  });
}

/** People sleep. */
function shapeOf(hour: number): number {
  return Math.round(50 + 50 * Math.sin(((hour % 24) / 24) * 2 * Math.PI - 1.9));
}

function merge(known: Map<string, RollUp>, rollUp: RollUp): void {
  const there = known.get(rollUp.id);
  if (!there) return void known.set(rollUp.id, rollUp);
  for (const part of ['sums', 'circuits', 'countries'] as const) {
    for (const [name, { count, minor }] of rollUp[part]) add(there[part], name, count, minor);
  }
}

function stored({ id, environment, level, grain, start, key, sums, circuits, countries }: RollUp, weight: number) {
  const counts = (of: Sums) => Object.fromEntries([...of].map(([name, { count }]) => [name, count * weight]));
  const minor = (of: Sums) =>
    Object.fromEntries(
      [...of].flatMap(([name, sum]) => (sum.minor === undefined ? [] : [[name, sum.minor * BigInt(weight)]])),
    );
  const split = {
    circuitCounts: counts(circuits),
    circuitMinor: minor(circuits),
    countryCounts: counts(countries),
    countryMinor: minor(countries),
  };
  const whole = {
    _id: id,
    series: `${environment}:${level}:${grain}`,
    start,
    ...key,
    counts: counts(sums),
    minor: minor(sums),
  };
  return level === 'DETAIL' ? whole : { ...whole, ...split };
}
