// What is known of things beside their ids, and what the search finds them by.
import { payoutReferenceText } from '../../subgraphs/reporting/payouts/payout';
import type { Scope } from '../../subgraphs/shared/callers/caller';

interface KnownThing {
  type: string;
  by: string;
  /** What is given to one of alpha's, and where it is kept. */
  collection: string;
  given: object;
  texts(key: string): string[];
  /** Nearly the same, and nothing. */
  none: string[];
  /** A right that does not open it. */
  other: Scope;
  isStaffs?: boolean;
}

export const knownThings: readonly KnownThing[] = [
  {
    type: 'Payment',
    by: 'ORDER_BEGINNING',
    collection: 'payments',
    given: { orderId: 'Shop-Order-7788' },
    texts: () => ['Shop', 'Shop-Order-77', 'Shop-Order-7788'],
    none: ['Sho', 'shop-order', 'Order-7788', 'Shop-Order-78'],
    other: 'graph:merchants:read',
    isStaffs: true,
  },
  {
    type: 'Merchant',
    by: 'ORGANIZATION',
    collection: 'merchants',
    given: { orgNumber: '556677-8899' },
    texts: () => ['556677-8899'],
    none: ['556677', '5566778899'],
    other: 'graph:payments:read',
  },
  {
    type: 'OnboardingApplication',
    by: 'ORGANIZATION',
    collection: 'onboarding_applications',
    given: { 'facts.company.organizationNumber': '25313771' },
    texts: () => ['25313771', '25 31 37 71', 'DK-25313771', 'DK25313771', '25313771 MVA'],
    none: ['2531377', '25313771 DK', '253137711'],
    other: 'graph:merchants:read',
  },
  {
    type: 'CallbackEndpoint',
    by: 'ORIGIN',
    collection: 'callback_endpoints',
    given: { origin: 'https://hooks.alpha.example:8443' },
    texts: () => [
      'hooks.alpha.example',
      'HOOKS.alpha.example:8443',
      'https://hooks.alpha.example:8443',
      'https://hooks.alpha.example:8443/a?b=c',
    ],
    none: [
      'hooks.alpha',
      'alpha.example',
      'https://hooks.alpha.example',
      'hooks.alpha.example:84',
      'hooks-alpha.example',
    ],
    other: 'graph:ledger:read',
  },
  {
    type: 'Payout',
    by: 'REFERENCE',
    collection: 'payouts',
    given: { date: '2026-11-20' },
    texts: (key) =>
      ['2026-11-20'].flatMap((day) => [payoutReferenceText(day, key), payoutReferenceText(day, key).toLowerCase()]),
    none: ['PAYOUT 20261120', 'PAYOUT 20261120 00000000'],
    other: 'graph:callbacks:read',
  },
  {
    type: 'Person',
    by: 'EMAIL',
    collection: 'people',
    given: { email: 'Åsa@alpha.example' },
    texts: () => ['åsa@alpha.example', 'ÅSA@ALPHA.EXAMPLE'],
    none: ['asa@alpha.example', 'åsa@alpha.exampl'],
    other: 'graph:merchants:read',
  },
  {
    type: 'Person',
    by: 'NAME',
    collection: 'people',
    given: { name: 'Åsa Alpha' },
    texts: () => ['åsa', 'ASA AL', 'Åsa Alpha'],
    none: ['Alpha', 'Åsa B'],
    other: 'graph:merchants:read',
  },
];
