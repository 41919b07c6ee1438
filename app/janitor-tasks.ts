// What the janitor does, and where: what opens or seals card data runs in the process of its domain, which alone has the keys.
import type { Lane } from '../subgraphs/notifications';
import { isFirst } from '../subgraphs/shared/store/slot';
import type { JanitorTask } from '../workers';
import { domainNames } from './domain-names';
import type { Platform } from './platform';

/** Whose tasks a process with these roles does besides: one with every role does what the domains' own processes would do. */
export function domainsServed(roles: readonly string[]): readonly string[] {
  return roles.includes('all') ? domainNames : [];
}

/** What the role `worker:janitor` does. */
export function janitorTasksOf(platform: Platform, roles: readonly string[]): JanitorTask[] {
  const { onboarding } = platform;
  return [
    ...domainsServed(roles).flatMap((name) => domainTasks(platform, name)),
    { name: 'finish approvals', everyMs: 1_000, idleMs: 3_000, run: () => onboarding.resumeApprovals() },
    { name: 'abandon idle applications', everyMs: 1_000, idleMs: 60_000, run: () => onboarding.abandonIdle() },
  ];
}

/** Of the process that serves the domain's subgraph. */
export function domainTasks(platform: Platform, name: string): JanitorTask[] {
  if (name !== 'payments') return [];
  const run = () => platform.merchants.endDeletedMerchants(endMerchant(platform));
  return [{ name: 'end deleted merchants', everyMs: 1_000, run }];
}

/** Of the same process, in each lane that it leads. */
export function laneTasks({ payments, tokenization, log }: Platform, name: string): JanitorTask<[Lane]>[] {
  if (name === 'tokenization')
    return [
      {
        name: 'settle unknown outcomes',
        everyMs: 5_000,
        run: (_stopping, lane) => tokenization.settleUnknownOutcomes(lane),
      },
      { name: 'forget envelopes', everyMs: 60_000, run: (_stopping, lane) => tokenization.forgetEnvelopes(lane) },
    ];
  if (name !== 'payments') return [];
  return [
    { name: 'settle payments', everyMs: 500, idleMs: 2_000, run: settlePayments(payments, log) },
    { name: 'expire checkout sessions', everyMs: 1_000, idleMs: 5_000, run: payments.expireSessions },
  ];
}

/** Its credentials end, then its sessions: one whose payer has paid elsewhere is recorded with what was paid. */
function endMerchant({ access, config, payments }: Platform) {
  return async (merchantId: string) => {
    await access.endCredentialsOf(config.environment, merchantId);
    return payments.closeSessionsOf(config.environment, merchantId);
  };
}

/** Says aloud when the acquirer has kept silent about another call for more than a day: that one needs a person. */
function settlePayments(payments: Platform['payments'], log: Platform['log']): JanitorTask<[Lane]>['run'] {
  let raisedBefore = 0;
  return async (stopping, lane) => {
    const { raised, settled, postponed, expired, captured } = await payments.settle(stopping, lane);
    const found = settled + postponed + expired + captured;
    if (!isFirst(lane)) return found;
    if (raised > raisedBefore) log.error({ count: raised }, 'outcomes at the acquirer are unknown: a person must look');
    raisedBefore = raised;
    return found;
  };
}
