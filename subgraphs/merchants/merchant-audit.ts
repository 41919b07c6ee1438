// What changed of a merchant, field by field, as the audit tells it: from what, to what. Pure.
import type { Merchant } from './merchant';

/** Fields that people read; the rest is bookkeeping. */
const audited = [
  ...(['merchantNumber', 'name', 'status', 'invoicing', 'currency', 'country', 'orgNumber', 'vatNumber'] as const),
  ...(['merchantCategoryCode', 'merchantCity', 'prefix', 'createdBy', 'updatedBy', 'applicationId'] as const),
] as const satisfies readonly (keyof Merchant)[];

export interface ChangedField {
  field: string;
  from: string | null;
  to: string | null;
}

/** Every field that differs; `before` null: every field that the new merchant has. */
export function changedFields(before: Merchant | null, after: Merchant): ChangedField[] {
  const printed = (merchant: Merchant | null, field: (typeof audited)[number]) => {
    const value = merchant?.[field] ?? null;
    return value === null ? null : String(value);
  };
  return audited
    .map((field) => ({ field, from: printed(before, field), to: printed(after, field) }))
    .filter(({ from, to }) => from !== to);
}
