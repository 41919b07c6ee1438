// The role `gateway`: the graph's port with subscriptions, people's sign-in, the explorer and the dashboard; and acts in bulk.
import { join } from 'node:path';
import { createAdmit, createCharge } from '../gateway/http/admission';
import { type GraphServerDeps, startGraphServer } from '../gateway/http/server';
import { createUsage } from '../gateway/plan/usage';
import { createSubscriptions } from '../gateway/subscriptions/subscriptions';
import type { AuditDoor } from '../subgraphs/shared/callers/audit';
import { createAddressOf } from '../subgraphs/shared/callers/caller-address';
import type { Blame } from '../subgraphs/shared/callers/credential-failures';
import { followChannel } from '../subgraphs/shared/store/redis';
import { startSharedJanitor } from '../workers/janitor.worker';
import { eventsChannel } from '../workers/published';
import { drainHttpServer } from './drain';
import { credentialsChannel, type Platform } from './platform';
import { openSignIn } from './start-sign-in';

interface Gateway extends Pick<GraphServerDeps, 'graph' | 'readiness'> {
  blame: Blame;
  audit: AuditDoor;
}

export async function startGateway(platform: Platform, { graph, blame, audit, readiness }: Gateway) {
  const { access, clock, config, limiter, log, metrics, notifications, tracing } = platform;
  const { signIn, mounted } = openSignIn(platform, audit);
  const shared = {
    graph,
    config,
    log,
    metrics,
    authenticate: access.authenticateHeader,
    admit: createAdmit(limiter),
    charge: createCharge(limiter),
    usage: createUsage(metrics),
    tracing,
    blame,
    audit,
    recordExport: access.recordExport,
  };
  const upgrades = createSubscriptions({
    ...shared,
    clock,
    events: notifications.eventLog,
    wakeUps: (wake) => followChannel(platform.subscriber, eventsChannel, wake).stop,
    persons: signIn?.persons,
    addressOf: createAddressOf(config.TRUSTED_PROXIES),
    liveScopes: access.liveScopes,
    changedSince: access.changedSince,
    credentialWakeUps: (wake) => followChannel(platform.subscriber, credentialsChannel, wake).stop,
  });
  const server = await startGraphServer({
    ...shared,
    signIn,
    mounted,
    dashboardDir: join(__dirname, '../dashboard'),
    readiness,
    upgrades,
    graphiqlDir: config.GRAPHIQL === 'on' ? join(__dirname, '../gateway/graphiql') : undefined,
    drain: drainHttpServer,
  });
  const jobs = startJobs(platform, graph);
  return { stop: async () => void (await Promise.all([jobs.stop(), server.stop()])) };
}

/** Acts in bulk are carried out where the graph is: each row is an operation of it, in the name of whoever began the job. */
function startJobs(
  { access, clock, connection, log, metrics }: Platform,
  { execute }: Pick<Gateway['graph'], 'execute'>,
) {
  const run = (stopping: AbortSignal) => access.carryOutJobs(execute, stopping);
  const tasks = [{ name: 'carry out jobs', everyMs: 500, run }];
  return startSharedJanitor({ clock, connection, log, metrics, name: 'jobs', tasks });
}
