// The addresses of the screens; each is loaded when it is first gone to.
import { createRootRoute, createRoute, createRouter } from '@tanstack/react-router';
import { parseSearch, printSearch } from './shell/address';
import { Crashed } from './shell/crashed';
import { lazyDrawer, lazyPart } from './shell/lazy-part';
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
  component: lazyPart(() => import('./overview/overview-screen').then((module) => module.OverviewScreen)),
});
const payments = createRoute({
  ...below,
  path: '/payments',
  component: lazyPart(() => import('./payments/payments-screen').then((module) => module.PaymentsScreen)),
});
const payment = createRoute({
  ...common,
  getParentRoute: () => payments,
  path: '$paymentId',
  component: lazyDrawer(() => import('./payments/payment-drawer').then((module) => module.PaymentDrawer)),
});
const endpoints = createRoute({
  ...below,
  path: '/callbacks/endpoints',
  component: lazyPart(() => import('./callbacks/endpoints-screen').then((module) => module.EndpointsScreen)),
});
const endpoint = createRoute({
  ...common,
  getParentRoute: () => endpoints,
  path: '$endpointId',
  component: lazyDrawer(() => import('./callbacks/endpoint-drawer').then((module) => module.EndpointDrawer)),
});
const origins = createRoute({
  ...below,
  path: '/callbacks/origins',
  component: lazyPart(() => import('./callbacks/origins-screen').then((module) => module.OriginsScreen)),
});
const callbacks = createRoute({
  ...below,
  path: '/callbacks',
  component: lazyPart(() => import('./callbacks/callbacks-screen').then((module) => module.CallbacksScreen)),
});
const callback = createRoute({
  ...common,
  getParentRoute: () => callbacks,
  path: '$callbackId',
  component: lazyDrawer(() => import('./callbacks/callback-drawer').then((module) => module.CallbackDrawer)),
});
const onboarding = createRoute({
  ...below,
  path: '/onboarding',
  component: lazyPart(() => import('./onboarding/onboarding-screen').then((module) => module.OnboardingScreen)),
});
const application = createRoute({
  ...common,
  getParentRoute: () => onboarding,
  path: '$applicationId',
  component: lazyDrawer(() => import('./onboarding/application-drawer').then((module) => module.ApplicationDrawer)),
});
const merchants = createRoute({
  ...below,
  path: '/merchants',
  component: lazyPart(() => import('./merchants/merchants-screen').then((module) => module.MerchantsScreen)),
});
const merchant = createRoute({
  ...common,
  getParentRoute: () => merchants,
  path: '$merchantId',
  component: lazyDrawer(() => import('./merchants/merchant-drawer').then((module) => module.MerchantDrawer)),
});
const balances = createRoute({
  ...below,
  path: '/payouts/balances',
  component: lazyPart(() => import('./payouts/balances-screen').then((module) => module.BalancesScreen)),
});
const entries = createRoute({
  ...below,
  path: '/payouts/entries',
  component: lazyPart(() => import('./payouts/entries-screen').then((module) => module.EntriesScreen)),
});
const days = createRoute({
  ...below,
  path: '/payouts/days',
  component: lazyPart(() => import('./payouts/days-screen').then((module) => module.DaysScreen)),
});
const payouts = createRoute({
  ...below,
  path: '/payouts',
  component: lazyPart(() => import('./payouts/payouts-screen').then((module) => module.PayoutsScreen)),
});
const payout = createRoute({
  ...common,
  getParentRoute: () => payouts,
  path: '$payoutId',
  component: lazyDrawer(() => import('./payouts/payout-drawer').then((module) => module.PayoutDrawer)),
});
const proposals = createRoute({
  ...below,
  path: '/proposals',
  component: lazyPart(() => import('./proposals/proposals-screen').then((module) => module.ProposalsScreen)),
});
const proposal = createRoute({
  ...common,
  getParentRoute: () => proposals,
  path: '$proposalId',
  component: lazyDrawer(() => import('./proposals/proposal-drawer').then((module) => module.ProposalDrawer)),
});
const tokens = createRoute({
  ...below,
  path: '/tokens',
  component: lazyPart(() => import('./tokens/tokens-screen').then((module) => module.TokensScreen)),
});
const token = createRoute({
  ...common,
  getParentRoute: () => tokens,
  path: '$tokenId',
  component: lazyDrawer(() => import('./tokens/token-drawer').then((module) => module.TokenDrawer)),
});
const audit = createRoute({
  ...below,
  path: '/audit',
  component: lazyPart(() => import('./audit/audit-screen').then((module) => module.AuditScreen)),
});
const live = createRoute({
  ...below,
  path: '/live',
  component: lazyPart(() => import('./live/live-screen').then((module) => module.LiveScreen)),
});
const jobs = createRoute({
  ...below,
  path: '/jobs',
  component: lazyPart(() => import('./jobs/jobs-screen').then((module) => module.JobsScreen)),
});
const job = createRoute({
  ...common,
  getParentRoute: () => jobs,
  path: '$jobId',
  component: lazyDrawer(() => import('./jobs/job-drawer').then((module) => module.JobDrawer)),
});
const people = createRoute({
  ...below,
  path: '/people',
  component: lazyPart(() => import('./people/people-screen').then((module) => module.PeopleScreen)),
});
const settings = createRoute({
  ...below,
  path: '/settings',
  component: lazyPart(() => import('./settings/settings-screen').then((module) => module.SettingsScreen)),
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
