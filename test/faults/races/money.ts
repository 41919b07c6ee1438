// Races on one payment at the money core, as three processes on one database: captures, voids, charges, refunds, expiry, and a janitor beside an answer that comes late.
import type { Money } from '../../../subgraphs/payments/money/money';
import type { Instrument } from '../../../subgraphs/payments/payment/instrument';
import {
  chargeFresh,
  contextOf,
  dayMs,
  instrumentOf,
  type MoneyWorld,
  openMoneyWorld,
  openPayment,
} from '../../payments/money-world';
import type { Random } from '../random';
import { lateOnes } from './janitor';
import { alpha, authorized, left, said, type Table } from './payment-table';
import { outcomes, type Race, times } from './race';

const captured = 'CAPTURE EXECUTED';

export interface MoneyRaces {
  world: MoneyWorld;
  races: Race[];
  /** Settles what the races left open. */
  finish(): Promise<void>;
}

export async function openMoneyRaces(random: Random): Promise<MoneyRaces> {
  const world = await openMoneyWorld();
  const processes = [world.money, world.another(), world.another()];
  const cards = {
    approved: await instrumentOf(world),
    declined: await instrumentOf(world, '4000000000000002'),
    silent: await instrumentOf(world, '4000000000000259'),
  };
  const table = { world, processes, cards, random };
  const finish = async () => {
    world.clock.advance(2 * 60_000);
    while ((await world.money.settle()).settled > 0);
  };
  return { world, finish, races: [...captures(table), ...charges(table), ...afterwards(table), ...lateOnes(table)] };
}

function captures(table: Table): Race[] {
  const { world, processes } = table;
  return [
    {
      name: 'captures of everything under one key',
      ends: [{ won: { [captured]: 64 }, state: 'Captured', events: [authorized, captured] }],
      async run() {
        const { payment, operation } = await chargeFresh(world);
        const ids = new Set<string>();
        const counts = await outcomes(
          times(64, processes, (money) => async () => {
            const context = contextOf(world.alpha, { key: `capture-${payment.paymentId}` });
            const outcome = await money.capture(context, { operationId: operation.operationId });
            ids.add(outcome.operation.operationId);
            return said(outcome);
          }),
        );
        const faults = ids.size === 1 ? [] : [`${ids.size} captures were told`];
        return { counts, ...(await left(table, payment)), faults };
      },
    },
    {
      name: 'captures of everything without a key',
      ends: [{ won: { [captured]: 1 }, refused: ['invalidState'], state: 'Captured', events: [authorized, captured] }],
      async run() {
        const { payment } = await chargeFresh(world);
        const { paymentId } = payment;
        const calls = times(64, processes, (money) => () => money.capture(alpha(table), { paymentId }).then(said));
        return { counts: await outcomes(calls), ...(await left(table, payment)) };
      },
    },
    {
      name: 'captures of parts',
      ends: [3, 2, 1].map((count) => ({
        won: { [captured]: count },
        refused: ['amountAboveAuthorized'],
        state: 'PartiallyCaptured',
        events: [authorized, ...Array.from({ length: count }, () => captured)],
        // With fewer there was room for the others: they were told to come again, each of them.
        againMin: count === 3 ? 0 : 12 - count,
      })),
      async run() {
        const { payment } = await chargeFresh(world);
        const part = { paymentId: payment.paymentId, amountMinor: 3_000n };
        const calls = times(12, processes, (money) => () => money.capture(alpha(table), part).then(said));
        return { counts: await outcomes(calls), ...(await left(table, payment)) };
      },
    },
    {
      name: 'capture against cancel',
      ends: [
        {
          won: { [captured]: 1 },
          refused: ['invalidState', 'alreadyCaptured'],
          state: 'Captured',
          events: [authorized, captured],
        },
        {
          won: { 'VOID VOIDED': 1 },
          refused: ['invalidState'],
          state: 'Cancelled',
          events: [authorized, 'VOID VOIDED'],
        },
      ],
      async run() {
        const { payment } = await chargeFresh(world);
        const { paymentId } = payment;
        const calls = times(8, processes, (money, index) => () => {
          const call = index % 2 === 0 ? money.capture : money.voidAuthorization;
          return call(alpha(table), { paymentId }).then(said);
        });
        return { counts: await outcomes(calls), ...(await left(table, payment)) };
      },
    },
  ];
}

function charges(table: Table): Race[] {
  const { world, processes, cards } = table;
  const charge = (money: Money, paymentId: string, instrument: Instrument) =>
    money
      .charge(alpha(table), { paymentId, type: 'AUTHORIZATION', amountMinor: 1n, captureNow: false, instrument })
      .then(said);
  const rows = [
    ['approved', 'AUTHORIZED', 'Authorized'],
    ['declined', 'DECLINED', 'Declined'],
    ['silent', 'PENDING', 'Unknown'],
  ] as const;
  const against = rows.map(([card, result, state]): Race => {
    const won = `AUTHORIZATION ${result}`;
    return {
      name: `authorize against authorize, ${card} card`,
      ends: [{ won: { [won]: 1 }, refused: ['invalidState'], state, events: [won] }],
      async run() {
        const payment = await openPayment(world);
        const calls = times(16, processes, (money) => () => charge(money, payment.paymentId, cards[card]));
        return { counts: await outcomes(calls), ...(await left(table, payment)) };
      },
    };
  });
  const withPayer: Race = {
    name: 'authorize against the payer who cancels',
    ends: [
      { won: { [authorized]: 1 }, refused: ['invalidState'], state: 'Authorized', events: [authorized] },
      { won: { 'CANCEL CANCELED': 1 }, refused: ['invalidState'], state: 'Cancelled', events: ['CANCEL CANCELED'] },
    ],
    async run() {
      const payment = await openPayment(world);
      const { paymentId } = payment;
      const calls = times(6, processes, (money, index) => () => {
        if (index % 2 === 0) return charge(money, paymentId, cards.approved);
        return money.record(alpha(table), { paymentId, type: 'CANCEL', result: 'CANCELED' }).then(said);
      });
      return { counts: await outcomes(calls), ...(await left(table, payment)) };
    },
  };
  return [...against, withPayer];
}

function afterwards(table: Table): Race[] {
  const { world, processes } = table;
  const before = [authorized, captured];
  const sold = () => chargeFresh(world, { captureNow: true });
  return [
    {
      name: 'refund against refund',
      ends: [
        {
          won: { 'REFUND REFUNDED': 1 },
          refused: ['alreadyRefunded'],
          state: 'Refunded',
          events: [...before, 'REFUND REFUNDED'],
        },
      ],
      async run() {
        const { payment } = await sold();
        const { paymentId } = payment;
        const calls = times(16, processes, (money) => () => money.refund(alpha(table), { paymentId }).then(said));
        return { counts: await outcomes(calls), ...(await left(table, payment)) };
      },
    },
    {
      name: 'refund of a capture against its cancel',
      ends: [
        {
          won: { 'REFUND REFUNDED': 1 },
          refused: ['alreadyRefunded', 'operationRefunded'],
          state: 'Refunded',
          events: [...before, 'REFUND REFUNDED'],
        },
        {
          won: { 'CANCEL VOIDED': 1 },
          refused: ['alreadyVoided'],
          state: 'Authorized',
          events: [...before, 'CANCEL VOIDED'],
        },
      ],
      async run() {
        const { payment } = await sold();
        const operationId = payment.entries[1]?.operationId ?? '';
        const calls = times(8, processes, (money, index) => () => {
          const call = index % 2 === 0 ? money.refund : money.cancelCapture;
          return call(alpha(table), { operationId }).then(said);
        });
        return { counts: await outcomes(calls), ...(await left(table, payment)) };
      },
    },
    {
      name: 'capture against expiry',
      ends: [
        {
          won: { [captured]: 1, settled: 2 },
          refused: ['invalidState', 'authorizationExpired'],
          state: 'Captured',
          events: [authorized, captured],
        },
        {
          won: { settled: 2 },
          refused: ['authorizationExpired'],
          state: 'Expired',
          events: [authorized, 'EXPIRED'],
        },
      ],
      async run() {
        const { payment } = await chargeFresh(world);
        const { paymentId } = payment;
        const dueMs = 7 * dayMs;
        const calls = times(6, processes, (money, index) => async () => {
          if (index % 3 !== 2) return said(await money.capture(alpha(table), { paymentId }));
          if (index === 2) world.clock.advance(dueMs);
          await money.settle();
          return 'settled';
        });
        // Whoever begins first has the better start.
        const counts = await outcomes(table.random.next() < 0.5 ? calls : calls.reverse());
        // What other races left authorized dies on the same day, and one run of the janitor takes so many at most.
        while ((await world.money.settle()).expired > 0);
        return { counts, ...(await left(table, payment)) };
      },
    },
  ];
}
