// The limits of a client as the graph shows them: the rules of the decision register (2.1) times RATE_LIMIT_FACTOR.
import { type RateRule, rateRules } from '../../shared/callers/rate-limit';
import type { Client, ClientFamily } from './client';

export interface RateLimitView extends RateRule {
  name: string;
}

const rulesOfFamily: Record<ClientFamily, readonly RateLimitView[]> = {
  tokenization: [{ name: 'tokenization', ...rateRules.tokenization }],
  graph: [],
  payments: [],
};
const rulesOfAll: readonly RateLimitView[] = [
  { name: 'token', ...rateRules.authorization },
  { name: 'revoke', ...rateRules.authorization },
];

export function limitsOf(client: Pick<Client, 'family'>, effective: (rule: RateRule) => RateRule): RateLimitView[] {
  return [...rulesOfFamily[client.family], ...rulesOfAll].map((rule) => ({ name: rule.name, ...effective(rule) }));
}
