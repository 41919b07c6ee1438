// The one list of domains: the graph, the printed contract, the processes and the rights in the database are made of it.

/** Folders of subgraphs/; the contract is printed in this order. */
export const domainNames = [
  'access',
  'merchants',
  'notifications',
  'tokenization',
  'payments',
  'onboarding',
  'reporting',
] as const;

export type DomainName = (typeof domainNames)[number];
