// Races of the janitor with the call that it asks about: an answer that is late, and a call that arrives when nobody waits for it any more.
import { openPayment } from '../../payments/money-world';
import { eventually } from '../../support/stores';
import { alpha, authorized, left, said, type Table } from './payment-table';
import { outcomes, type Race, type Round, times } from './race';

/** A call whose answer is late, while the janitor already asks what became of it. */
export function lateOnes(table: Table): Race[] {
  const { world, processes, cards } = table;
  const loseCalls = () =>
    world.connection
      .collection('payments')
      .updateMany({ underway: { $exists: true } }, { $set: { 'underway.lostAt': new Date(0) } });
  const late = async (at: 'beforeSend' | 'afterSend'): Promise<Round> => {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let isAtDoor = false;
    world.door[at] = () => {
      isAtDoor = true;
      return held;
    };
    const payment = await openPayment(world);
    const { paymentId } = payment;
    const charge = { paymentId, type: 'AUTHORIZATION', amountMinor: 1n, captureNow: false } as const;
    const calls = [
      () => world.money.charge(alpha(table), { ...charge, instrument: cards.approved }).then(said),
      ...times(3, processes, (money) => async () => {
        await eventually(async () => isAtDoor || undefined);
        await loseCalls();
        const settling = money.settle();
        release();
        await settling;
        return 'settled';
      }),
    ];
    const counts = await outcomes(calls);
    world.door[at] = async () => undefined;
    return { counts, ...(await left(table, payment)) };
  };
  return [
    {
      name: 'the janitor against an answer that is late',
      ends: [{ won: { [authorized]: 1, settled: 3 }, state: 'Authorized', events: [authorized] }],
      run: () => late('afterSend'),
    },
    {
      name: 'the janitor against a call that arrives late',
      ends: [
        { won: { [authorized]: 1, settled: 3 }, state: 'Authorized', events: [authorized] },
        // It came too late to be taken: nothing was charged, and the caller is told to come again.
        { won: { settled: 3 }, state: 'Created', events: [] },
      ],
      run: () => late('beforeSend'),
    },
  ];
}
