// A merchant with all that its drawer shows, and what changes it.
import type { MerchantLifeQuery } from './queries';

export type ShownMerchant = NonNullable<MerchantLifeQuery['merchant']>;

export const merchantActs = ['created', 'changed', 'statusChanged', 'enrolled', 'deleted'].map(
  (act) => `merchant.${act}`,
);
export const terminalActs = ['terminal.created', 'terminal.changed'];
export const keyActs = ['apiKey.issued', 'apiKey.revoked', 'apiKey.seeded'];
