// The addresses of the screens; each is loaded when it is first gone to.
import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { parseSearch, printSearch } from './shell/address';
import { Crashed } from './shell/crashed';
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
  component: lazyRouteComponent(() => import('./overview/overview-screen'), 'OverviewScreen'),
});
const payments = createRoute({
  ...below,
  path: '/payments',
  component: lazyRouteComponent(() => import('./payments/payments-screen'), 'PaymentsScreen'),
});
const payment = createRoute({
  ...common,
  getParentRoute: () => payments,
  path: '$paymentId',
  component: lazyRouteComponent(() => import('./payments/payment-drawer'), 'PaymentDrawer'),
});
const endpoints = createRoute({
  ...below,
  path: '/callbacks/endpoints',
  component: lazyRouteComponent(() => import('./callbacks/endpoints-screen'), 'EndpointsScreen'),
});
const endpoint = createRoute({
  ...common,
  getParentRoute: () => endpoints,
  path: '$endpointId',
  component: lazyRouteComponent(() => import('./callbacks/endpoint-drawer'), 'EndpointDrawer'),
});
const callbacks = createRoute({
  ...below,
  path: '/callbacks',
  component: lazyRouteComponent(() => import('./callbacks/callbacks-screen'), 'CallbacksScreen'),
});
const callback = createRoute({
  ...common,
  getParentRoute: () => callbacks,
  path: '$callbackId',
  component: lazyRouteComponent(() => import('./callbacks/callback-drawer'), 'CallbackDrawer'),
});
const onboarding = createRoute({
  ...below,
  path: '/onboarding',
  component: lazyRouteComponent(() => import('./onboarding/onboarding-screen'), 'OnboardingScreen'),
});
const application = createRoute({
  ...common,
  getParentRoute: () => onboarding,
  path: '$applicationId',
  component: lazyRouteComponent(() => import('./onboarding/application-drawer'), 'ApplicationDrawer'),
});
const merchants = createRoute({
  ...below,
  path: '/merchants',
  component: lazyRouteComponent(() => import('./merchants/merchants-screen'), 'MerchantsScreen'),
});
const merchant = createRoute({
  ...common,
  getParentRoute: () => merchants,
  path: '$merchantId',
  component: lazyRouteComponent(() => import('./merchants/merchant-drawer'), 'MerchantDrawer'),
});
const balances = createRoute({
  ...below,
  path: '/payouts/balances',
  component: lazyRouteComponent(() => import('./payouts/balances-screen'), 'BalancesScreen'),
});
const entries = createRoute({
  ...below,
  path: '/payouts/entries',
  component: lazyRouteComponent(() => import('./payouts/entries-screen'), 'EntriesScreen'),
});
const days = createRoute({
  ...below,
  path: '/payouts/days',
  component: lazyRouteComponent(() => import('./payouts/days-screen'), 'DaysScreen'),
});
const payouts = createRoute({
  ...below,
  path: '/payouts',
  component: lazyRouteComponent(() => import('./payouts/payouts-screen'), 'PayoutsScreen'),
});
const payout = createRoute({
  ...common,
  getParentRoute: () => payouts,
  path: '$payoutId',
  component: lazyRouteComponent(() => import('./payouts/payout-drawer'), 'PayoutDrawer'),
});
const proposals = createRoute({
  ...below,
  path: '/proposals',
  component: lazyRouteComponent(() => import('./proposals/proposals-screen'), 'ProposalsScreen'),
});
const proposal = createRoute({
  ...common,
  getParentRoute: () => proposals,
  path: '$proposalId',
  component: lazyRouteComponent(() => import('./proposals/proposal-drawer'), 'ProposalDrawer'),
});
const tokens = createRoute({
  ...below,
  path: '/tokens',
  component: lazyRouteComponent(() => import('./tokens/tokens-screen'), 'TokensScreen'),
});
const token = createRoute({
  ...common,
  getParentRoute: () => tokens,
  path: '$tokenId',
  component: lazyRouteComponent(() => import('./tokens/token-drawer'), 'TokenDrawer'),
});
const audit = createRoute({
  ...below,
  path: '/audit',
  component: lazyRouteComponent(() => import('./audit/audit-screen'), 'AuditScreen'),
});
const live = createRoute({
  ...below,
  path: '/live',
  component: lazyRouteComponent(() => import('./live/live-screen'), 'LiveScreen'),
});
const jobs = createRoute({
  ...below,
  path: '/jobs',
  component: lazyRouteComponent(() => import('./jobs/jobs-screen'), 'JobsScreen'),
});
const job = createRoute({
  ...common,
  getParentRoute: () => jobs,
  path: '$jobId',
  component: lazyRouteComponent(() => import('./jobs/job-drawer'), 'JobDrawer'),
});
const people = createRoute({
  ...below,
  path: '/people',
  component: lazyRouteComponent(() => import('./people/people-screen'), 'PeopleScreen'),
});
const settings = createRoute({
  ...below,
  path: '/settings',
  component: lazyRouteComponent(() => import('./settings/settings-screen'), 'SettingsScreen'),
});

const screens = [
  overview,
  payments.addChildren([payment]),
  endpoints.addChildren([endpoint]),
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
