// Who did each operation of a payment, for those who may read the audit: its records name the operation that an act made.
import { useEffect, useRef } from 'react';
import { useAsk } from '../graph/ask';
import { useActorName } from '../shell/actors';
import { useMay } from '../shell/viewer';
import type { ShownPayment } from './life';
import { PaymentActors } from './queries';

const most = 50;

/** By the id of the operation; null for what a payer or a merchant's own system did, and where it is not known. */
export function usePaymentActors({ paymentId, operations }: ShownPayment): (operationId: string) => string | null {
  const may = useMay('audit:read');
  const name = useActorName();
  const { data, again } = useAsk(PaymentActors, { paymentId, first: most }, { isPaused: !may });
  const count = operations.edges.length;
  const seen = useRef(count);
  // Another operation has come: whose it is stands in a record that was not read yet.
  useEffect(() => {
    if (may && seen.current !== count) again();
    seen.current = count;
  });
  const actors = new Map(
    data?.auditRecords.edges.flatMap(({ node: { actor, changes } }) =>
      changes.flatMap(({ field, to }) => (field === 'operation' && to !== null ? [[to, actor] as const] : [])),
    ),
  );
  return (operationId) => name(actors.get(operationId) ?? null);
}
