// One ledger entry, whether the list has it or not: what it did to the balance of its merchant, and the payment and the payout that it belongs to.
import { useAsk } from '../graph/ask';
import { Chip, stateWord } from '../kit/chip';
import { CopyId } from '../kit/copy-id';
import { Facts, Section } from '../kit/facts';
import { Go } from '../kit/go';
import kit from '../kit/kit.module.css';
import { printMoney } from '../kit/money';
import { Drawer } from '../kit/overlays';
import { Empty, RefusedNote, SkeletonLines } from '../kit/states';
import { BookDay, When } from '../kit/when';
import { useReadOnThing } from '../live/read-on';
import { Actor } from '../shell/actors';
import { useMay } from '../shell/viewer';
import { words } from '../strings/language';
import { EntryLife, type EntryLifeQuery, EntryProposal, type EntryRowFragment } from './queries';
import { SignedMoney } from './signed-money';
import { entryGain } from './sums';

interface EntryProps {
  entryId: string;
  /** As the list has it, if it does. */
  row: EntryRowFragment | undefined;
  onClose(): void;
}

export function EntryDrawer({ entryId, row, onClose }: EntryProps) {
  const { ledger: text, payments } = words();
  const { data, error, again } = useAsk(EntryLife, { entryId });
  // Entries are not in the log.
  useReadOnThing(null, again, { isLooked: true });
  const entry = data?.ledgerEntry ?? row;
  return (
    <Drawer of={entryId} title={text.one} actions={<CopyId id={entryId} short />} onClose={onClose}>
      {entry ? <EntryDetails entry={entry} /> : null}
      {data?.ledgerEntry ? <Approval of={data.ledgerEntry} /> : null}
      {data && !entry ? <Empty title={text.unknown}>{payments.unknownHint}</Empty> : null}
      {error && !entry ? <RefusedNote error={error} retry={again} /> : null}
      {!data && !error && !entry ? <SkeletonLines count={8} /> : null}
    </Drawer>
  );
}

/** Two people book by hand: who they were, and why. */
function Approval({ of: { action, actionId } }: { of: NonNullable<EntryLifeQuery['ledgerEntry']> }) {
  const { ledger: text, proposals, reason } = words();
  const may = useMay('proposals:read');
  const isByHand = byHand.has(action);
  const { data } = useAsk(EntryProposal, { resultId: actionId }, { isPaused: !may || !isByHand });
  const proposal = data?.proposals.edges[0]?.node;
  if (!proposal) return null;
  const { proposalId, proposedBy, endedBy } = proposal;
  return (
    <Section title={text.approval}>
      <Facts
        rows={[
          [reason, proposal.reason],
          [
            proposals.one,
            <Go key="proposal" to={`/proposals/${proposalId}`}>
              {stateWord('LEDGER_BOOKING')}
            </Go>,
          ],
          [proposals.proposedBy, <Actor key="proposer" of={proposedBy} />],
          [text.confirmedBy, endedBy && <Actor key="confirmer" of={endedBy} />],
        ]}
      />
    </Section>
  );
}

const byHand: ReadonlySet<string> = new Set(['DEPOSIT', 'CHARGEBACK', 'ADJUSTMENT']);

function EntryDetails({ entry }: { entry: EntryRowFragment }) {
  const { ledger: text, payouts } = words();
  const { action, currency, merchant, payment, payout, fee } = entry;
  return (
    <>
      <div className={kit.lead}>
        <strong>
          <SignedMoney minor={entryGain(entry)} currency={currency} of="movement" />
        </strong>
        <Chip state={action} />
      </div>
      <Facts
        rows={[
          [
            payouts.merchant,
            <Go key="merchant" to={`/merchants/${encodeURIComponent(merchant.merchantId)}`}>
              {merchant.name}
            </Go>,
          ],
          [
            text.payment,
            payment && (
              <Go key="payment" to={`/payments/${payment.paymentId}`}>
                {payment.orderId ?? payment.paymentId}
              </Go>
            ),
          ],
          [
            payouts.one,
            payout ? (
              <Go key="payout" to={`/payouts/${payout.payoutId}`}>
                <BookDay day={payout.date} />
              </Go>
            ) : (
              text.notPaidOut
            ),
          ],
          [text.fee, fee.minor === '0' ? null : printMoney(fee.minor, currency)],
          [text.happened, <When key="happened" at={entry.occurredAt} shape="exact" />],
          [payouts.date, <BookDay key="day" day={entry.day} />],
          [text.method, entry.paymentMethod],
          [payouts.reference, entry.reference],
          [text.ownReference, entry.myReference],
          [text.invoice, entry.invoiceNumber],
        ]}
      />
    </>
  );
}
