// The addresses of the screens; each is loaded when it is first gone to.
import { createRootRoute, createRoute, createRouter } from '@tanstack/react-router';
import { parseSearch, printSearch } from './shell/address';
import { Crashed } from './shell/crashed';
import { lazyPart } from './shell/lazy-part';
import { Nowhere } from './shell/nowhere';
import { Shell } from './shell/shell';

const root = createRootRoute({ component: Shell, errorComponent: Crashed, notFoundComponent: Nowhere });

/** Any filter is text in the search part; the screen says which it knows. */
const validateSearch = (search: Record<string, unknown>): Record<string, string> => search as Record<string, string>;
const common = { validateSearch, errorComponent: Crashed };
const below = { ...common, getParentRoute: () => root };

const overview = createRoute({
  ...below,
  path: '/',
  component: lazyPart(() => import('./overview/overview-screen'), 'OverviewScreen'),
});
const payments = createRoute({
  ...below,
  path: '/payments',
  component: lazyPart(() => import('./payments/payments-screen'), 'PaymentsScreen'),
});
const payment = createRoute({
  ...common,
  getParentRoute: () => payments,
  path: '$paymentId',
  component: lazyPart(() => import('./payments/payment-drawer'), 'PaymentDrawer'),
});
const endpoints = createRoute({
  ...below,
  path: '/callbacks/endpoints',
  component: lazyPart(() => import('./callbacks/endpoints-screen'), 'EndpointsScreen'),
});
const endpoint = createRoute({
  ...common,
  getParentRoute: () => endpoints,
  path: '$endpointId',
  component: lazyPart(() => import('./callbacks/endpoint-drawer'), 'EndpointDrawer'),
});
const origins = createRoute({
  ...below,
  path: '/callbacks/origins',
  component: lazyPart(() => import('./callbacks/origins-screen'), 'OriginsScreen'),
});
const callbacks = createRoute({
  ...below,
  path: '/callbacks',
  component: lazyPart(() => import('./callbacks/callbacks-screen'), 'CallbacksScreen'),
});
const callback = createRoute({
  ...common,
  getParentRoute: () => callbacks,
  path: '$callbackId',
  component: lazyPart(() => import('./callbacks/callback-drawer'), 'CallbackDrawer'),
});
const onboarding = createRoute({
  ...below,
  path: '/onboarding',
  component: lazyPart(() => import('./onboarding/onboarding-screen'), 'OnboardingScreen'),
});
const application = createRoute({
  ...common,
  getParentRoute: () => onboarding,
  path: '$applicationId',
  component: lazyPart(() => import('./onboarding/application-drawer'), 'ApplicationDrawer'),
});
const merchants = createRoute({
  ...below,
  path: '/merchants',
  component: lazyPart(() => import('./merchants/merchants-screen'), 'MerchantsScreen'),
});
const merchant = createRoute({
  ...common,
  getParentRoute: () => merchants,
  path: '$merchantId',
  component: lazyPart(() => import('./merchants/merchant-drawer'), 'MerchantDrawer'),
});
const balances = createRoute({
  ...below,
  path: '/payouts/balances',
  component: lazyPart(() => import('./payouts/balances-screen'), 'BalancesScreen'),
});
const entries = createRoute({
  ...below,
  path: '/payouts/entries',
  component: lazyPart(() => import('./payouts/entries-screen'), 'EntriesScreen'),
});
const days = createRoute({
  ...below,
  path: '/payouts/days',
  component: lazyPart(() => import('./payouts/days-screen'), 'DaysScreen'),
});
const payouts = createRoute({
  ...below,
  path: '/payouts',
  component: lazyPart(() => import('./payouts/payouts-screen'), 'PayoutsScreen'),
});
const payout = createRoute({
  ...common,
  getParentRoute: () => payouts,
  path: '$payoutId',
  component: lazyPart(() => import('./payouts/payout-drawer'), 'PayoutDrawer'),
});
const proposals = createRoute({
  ...below,
  path: '/proposals',
  component: lazyPart(() => import('./proposals/proposals-screen'), 'ProposalsScreen'),
});
const proposal = createRoute({
  ...common,
  getParentRoute: () => proposals,
  path: '$proposalId',
  component: lazyPart(() => import('./proposals/proposal-drawer'), 'ProposalDrawer'),
});
const tokens = createRoute({
  ...below,
  path: '/tokens',
  component: lazyPart(() => import('./tokens/tokens-screen'), 'TokensScreen'),
});
const token = createRoute({
  ...common,
  getParentRoute: () => tokens,
  path: '$tokenId',
  component: lazyPart(() => import('./tokens/token-drawer'), 'TokenDrawer'),
});
const audit = createRoute({
  ...below,
  path: '/audit',
  component: lazyPart(() => import('./audit/audit-screen'), 'AuditScreen'),
});
const live = createRoute({
  ...below,
  path: '/live',
  component: lazyPart(() => import('./live/live-screen'), 'LiveScreen'),
});
const jobs = createRoute({
  ...below,
  path: '/jobs',
  component: lazyPart(() => import('./jobs/jobs-screen'), 'JobsScreen'),
});
const job = createRoute({
  ...common,
  getParentRoute: () => jobs,
  path: '$jobId',
  component: lazyPart(() => import('./jobs/job-drawer'), 'JobDrawer'),
});
const people = createRoute({
  ...below,
  path: '/people',
  component: lazyPart(() => import('./people/people-screen'), 'PeopleScreen'),
});
const settings = createRoute({
  ...below,
  path: '/settings',
  component: lazyPart(() => import('./settings/settings-screen'), 'SettingsScreen'),
});

const screens = [
  overview,
  payments.addChildren([payment]),
  endpoints.addChildren([endpoint]),
  origins,
  callbacks.addChildren([callback]),
  onboarding.addChildren([application]),
  merchants.addChildren([merchant]),
  balances,
  entries,
  days,
  payouts.addChildren([payout]),
  proposals.addChildren([proposal]),
  tokens.addChildren([token]),
  audit,
  live,
  jobs.addChildren([job]),
  people,
  settings,
];

export const router = createRouter({
  routeTree: root.addChildren(screens),
  defaultPreload: 'intent',
  scrollRestoration: true,
  parseSearch,
  stringifySearch: printSearch,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
