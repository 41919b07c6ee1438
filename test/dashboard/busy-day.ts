// A day at the platform, so that pictures of the screens show something: payments that came out in every way, cards, applications and bookings.
import {
  type CaptureDefault,
  cards,
  type OrderChanges,
  openInbox,
  payWithFields,
  shopOf,
  type Tenant,
} from '../support/checkout';
import { accountExpiry } from '../support/expiry';
import { onboardingOf } from '../support/onboarding';
import { freshCardNumber, partnerOf, sandboxCall } from '../support/partner';
import { askGraph, bookEntry, settleDay, today } from '../support/reports';
import type { World } from '../support/world';

export async function busyDay(world: World): Promise<void> {
  await payments(world, bought.slice(0, 3));
  await books(world);
  await tokens(world);
  await applications(world);
  // After the payout, so that something is owed.
  await payments(world, bought.slice(3));
}

interface Bought extends OrderChanges {
  tenant?: Tenant;
  capture?: CaptureDefault;
  number?: string;
  challenge?: 'PASS' | 'FAIL' | 'CANCEL';
  amount: string;
  /** Captured of it. */
  part?: string;
}

const bought: readonly Bought[] = [
  { amount: '12900', number: cards.mastercard },
  { amount: '4550', part: '3000', capture: 'explicit', tenant: 'beta' },
  { amount: '89900', number: cards.challenge, challenge: 'PASS' },
  { amount: '24900', number: cards.declined },
  { amount: '7900', number: cards.amex, tenant: 'beta' },
  { amount: '15900', number: cards.challenge, challenge: 'FAIL' },
  { amount: '3200', number: cards.insufficientFunds, tenant: 'beta' },
  { amount: '64900', capture: 'explicit' },
  { amount: '18900', number: cards.mastercard, tenant: 'beta' },
  { amount: '9900' },
];

async function payments(world: World, orders: readonly Bought[]): Promise<void> {
  const inbox = openInbox(world);
  for (const each of orders) {
    const { tenant = 'alpha', capture = 'implicit', part, amount, ...how } = each;
    const shop = shopOf(world, tenant, capture);
    const order = { orderId: `web-${10_481 + bought.indexOf(each)}`, amount };
    const paymentSession = { amount, notificationUrl: inbox.url };
    const { finalized } = await payWithFields(world, shop, { ...how, order, paymentSession });
    if (part) await shop.post('captures', finalized.body.operation.operationId, { amount: part });
  }
}

async function tokens(world: World): Promise<void> {
  for (const tenant of ['alpha', 'beta'] as const) {
    const partner = await partnerOf(world, tenant);
    for (const event of [null, 'SUSPEND', 'EXTEND_EXPIRY', 'REPLACE_CARD']) {
      const { body } = await partner.createToken({ account: freshCardNumber(), accountExpiry });
      await partner.createTransaction(body.virtualAccountId);
      if (event)
        await sandboxCall(world, 'POST', `/sandbox/virtual-accounts/${body.virtualAccountId}/events`, { event });
    }
  }
}

const companies = [
  ['25313763', 'Nordic Bikes ApS', []],
  ['24256790', 'Havnens Kaffe A/S', ['OPEN']],
  ['61126228', 'Lysfabrikken ApS', ['OPEN', 'SIGN']],
  ['10403782', 'Grøn Levering I/S', ['OPEN', 'SIGN', 'APPROVE']],
] as const;

async function applications(world: World): Promise<void> {
  const partner = onboardingOf(world);
  for (const [organizationNumber, companyName, events] of companies) {
    const { body } = await partner.create({ company: { organizationNumber, companyName } });
    await partner.lever(body.id, ...events);
  }
}

async function books(world: World): Promise<void> {
  for (const tenant of ['alpha', 'beta'] as const)
    await bookEntry(world, { tenant, action: 'DEPOSIT', amount: 250_000, currency: 'EUR' });
  await settleDay(world, await today(world));
  const { merchantId } = world.credentials.tenants.alpha;
  const about = { merchantId, currency: 'EUR' };
  for (const [act, amount, reason] of [
    ['bookDeposit', '150000', 'Paid in by hand after the closing of March'],
    ['bookAdjustment', '-1250', 'Fee that was charged twice'],
    ['bookChargeback', '8900', 'Case 2291 of the card network'],
  ]) {
    const source = `mutation ($input: LedgerEntryInput!) { ${act}(input: $input) { proposal { proposalId } } }`;
    await askGraph(world, source, { input: { ...about, amount, reason } });
  }
}
