// The metrics of one process, by name: rate, errors and duration per route, callbacks by outcome, age of what waits.
import { Counter, collectDefaultMetrics, Gauge, Histogram, register } from 'prom-client';

/** The delay of the event loop is looked at so often: the usual 10 ms wake a process that rests a hundred times a second. */
const eventLoopPrecisionMs = 100;
const requestBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Whoever leads tells its gauges every few seconds. */
const keptMs = 5 * 60_000;

/** A gauge that one process tells for all, again and again. Another may do so later, beside which what this one told last would stand for good: it goes after a while. */
function leaderGauge(name: string, help: string): Gauge {
  let toldAt = 0;
  const gauge = new Gauge({
    name,
    help,
    aggregator: 'max',
    collect() {
      if (performance.now() - toldAt > keptMs) this.reset();
    },
  });
  return Object.assign(gauge, {
    set(value: number) {
      toldAt = performance.now();
      Gauge.prototype.set.call(gauge, value);
    },
  });
}

/** Made once per process in the default registry, which the launcher merges over all processes. */
export function createMetrics() {
  register.clear();
  collectDefaultMetrics({ register, eventLoopMonitoringPrecision: eventLoopPrecisionMs });
  return {
    /** Seconds per answered request. */
    requests: new Histogram({
      name: 'http_request_duration_seconds',
      help: 'Answered requests',
      labelNames: ['surface', 'route', 'status'],
      buckets: requestBuckets,
    }),
    /** Attempts to deliver a callback. */
    callbackAttempts: new Counter({
      name: 'callback_attempts_total',
      help: 'Callback attempts by outcome',
      labelNames: ['kind', 'outcome'],
    }),
    /** Seconds; the figure to raise an alarm on. */
    oldestUndelivered: new Gauge({
      name: 'oldest_undelivered_event_age_seconds',
      help: 'Age of the oldest event with a callback that is still to be delivered, also one that waits for its next attempt',
      aggregator: 'max',
    }),
    /** Seconds. */
    outboxLag: new Gauge({
      name: 'outbox_lag_seconds',
      help: 'Age of the oldest event without a position',
      labelNames: ['lane'],
      aggregator: 'max',
    }),
    /** The figure to raise an alarm on when it is not 0. */
    outboxHeld: new Gauge({
      name: 'outbox_held_aggregates',
      help: 'Aggregates whose events have no position because one before them is missing: a person must look',
      labelNames: ['lane'],
      aggregator: 'max',
    }),
    watchdogRestarts: new Counter({
      name: 'watchdog_restarts_total',
      help: 'Loops that stood still while MongoDB answered and were begun anew',
      labelNames: ['loop'],
    }),
    /** Operations that have a result, and those that wait for one, as they were told. */
    operations: new Counter({
      name: 'operations_total',
      help: 'Operations of payments by result; PENDING ones are counted again with their final result',
      labelNames: ['family', 'type', 'result'],
    }),
    /** The figure to raise an alarm on when it is not 0. */
    bookDifferences: new Gauge({
      name: 'reporting_book_differences',
      help: 'What the nightly check of the books found wrong: sums, days, payouts',
      aggregator: 'max',
    }),
    ...mailMetrics(),
    ...limitMetrics(),
    ...subscriptionMetrics(),
    ...connectorMetrics(),
  };
}

export type Metrics = ReturnType<typeof createMetrics>;

function mailMetrics() {
  return {
    mails: new Counter({
      name: 'mails_total',
      help: 'Tries to hand a mail to the mail server, and mails that were not sent because their link was replaced',
      labelNames: ['outcome'],
    }),
    mailsWaiting: leaderGauge('mails_waiting', 'Mails that are not sent yet'),
    mailsGivenUp: leaderGauge('mails_given_up', 'Mails that the mail server never took: a person must look'),
  };
}

function limitMetrics() {
  return {
    /** Rate limiting was skipped because Redis was away. */
    rateLimitSkipped: new Counter({
      name: 'rate_limit_skipped_total',
      help: 'Calls let through because the limiter had no Redis',
    }),
    rateLimited: new Counter({
      name: 'rate_limited_total',
      help: 'Calls refused by a rate limit',
      labelNames: ['name'],
    }),
    credentialFailures: new Counter({
      name: 'credential_failures_total',
      help: 'Wrong secrets, keys and tokens, by where they were sent',
      labelNames: ['surface'],
    }),
  };
}

/** Who uses what of the graph (gateway/plan/usage.ts). */
function usageMetrics() {
  return {
    graphClients: new Counter({
      name: 'graph_client_operations_total',
      help: 'Operations asked of the graph, by client (a person by its role) and name; past the first hundred clients or thousand pairs together',
      labelNames: ['client', 'operation'],
    }),
    graphFields: new Counter({
      name: 'graph_field_requests_total',
      help: 'Operations that asked for a field of the graph',
      labelNames: ['field'],
    }),
    graphDeprecatedFields: new Counter({
      name: 'graph_deprecated_field_requests_total',
      help: 'Operations that asked for a deprecated field of the graph, by client: whom to tell before it goes',
      labelNames: ['field', 'client'],
    }),
  };
}

function subscriptionMetrics() {
  return {
    ...usageMetrics(),
    /** Seconds per operation of the graph, by name. */
    graphOperations: new Histogram({
      name: 'graph_operation_duration_seconds',
      help: 'Operations asked of the graph, by name; unnamed ones by hash, those past the first hundred names together',
      labelNames: ['operation', 'kind', 'outcome'],
      buckets: [0.005, 0.025, 0.1, 0.5, 2.5, 10],
    }),
    subscribers: new Gauge({ name: 'subscriptions_open', help: 'Open GraphQL subscriptions', aggregator: 'sum' }),
    subscriptionEvents: new Counter({ name: 'subscription_items_sent_total', help: 'Items sent to subscribers' }),
    socketsRefused: new Counter({
      name: 'graph_sockets_refused_total',
      help: 'WebSockets refused because too many were open: of one address or in all before they said who they are, or of one access token',
      labelNames: ['bound'],
    }),
    slowSubscribersClosed: new Counter({
      name: 'subscriptions_closed_slow_total',
      help: 'Sockets closed because their buffer was full',
    }),
  };
}

/** The token service and the acquirer: how long they take, and what they have not told us yet. */
function connectorMetrics() {
  return {
    tokenService: new Histogram({
      name: 'token_service_call_duration_seconds',
      help: 'Calls to the token service',
      labelNames: ['call', 'outcome'],
      buckets: requestBuckets,
    }),
    acquirer: new Histogram({
      name: 'acquirer_call_duration_seconds',
      help: 'Calls to the acquirer',
      labelNames: ['call', 'outcome'],
      buckets: requestBuckets,
    }),
    alternativeMethods: new Histogram({
      name: 'alternative_method_call_duration_seconds',
      help: 'Calls to the alternative payment methods',
      labelNames: ['call', 'outcome'],
      buckets: requestBuckets,
    }),
    raisedOutcomes: leaderGauge(
      'acquirer_outcomes_raised',
      'Calls to the acquirer whose outcome has been unknown for more than a day: a person must look',
    ),
    unknownOutcomes: leaderGauge('unknown_outcomes', 'Calls to the token service whose outcome is not known yet'),
  };
}
