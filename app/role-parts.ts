// What only some roles need, loaded when a role first asks for it: a worker carries neither the servers of the graph nor the routes, a subgraph no
// queue. By `require`, which the build puts into the one file and runs on demand.

export const parts = {
  get graph() {
    return require('../gateway/graph') as typeof import('../gateway/graph');
  },
  get contract() {
    return require('../gateway/plan/contract') as typeof import('../gateway/plan/contract');
  },
  get gateway() {
    return require('./start-gateway') as typeof import('./start-gateway');
  },
  get subgraph() {
    return require('../subgraphs/shared/graph/subgraph') as typeof import('../subgraphs/shared/graph/subgraph');
  },
  get subgraphServer() {
    return require('../gateway/subgraphs/subgraph-server') as typeof import('../gateway/subgraphs/subgraph-server');
  },
  get authorization() {
    return require('../rest-facade/authorization/authorization') as typeof import('../rest-facade/authorization/authorization');
  },
  get rest() {
    return require('../rest-facade/server') as typeof import('../rest-facade/server');
  },
  get pages() {
    return require('./start-pages') as typeof import('./start-pages');
  },
  get mails() {
    return require('./start-mails') as typeof import('./start-mails');
  },
  get seed() {
    return require('./seed') as typeof import('./seed');
  },
  get outbox() {
    return require('../workers/outbox.worker') as typeof import('../workers/outbox.worker');
  },
  get callbacks() {
    return require('../workers/callback.worker') as typeof import('../workers/callback.worker');
  },
  get feed() {
    return require('../workers/feed.worker') as typeof import('../workers/feed.worker');
  },
  get settlement() {
    return require('../workers/settlement.worker') as typeof import('../workers/settlement.worker');
  },
  get janitor() {
    return require('../workers/janitor.worker') as typeof import('../workers/janitor.worker');
  },
};
