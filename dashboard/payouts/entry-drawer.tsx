// One ledger entry: what it did to the balance of its merchant, and the payment and the payout that it belongs to.
import { Chip } from '../kit/chip';
import { CopyId } from '../kit/copy-id';
import { Facts } from '../kit/facts';
import { Go } from '../kit/go';
import kit from '../kit/kit.module.css';
import { printMoney } from '../kit/money';
import { Drawer } from '../kit/overlays';
import { Day, When } from '../kit/when';
import { words } from '../strings/language';
import type { EntryRowFragment } from './queries';
import { gainOf } from './sums';

export function EntryDrawer({ entry, onClose }: { entry: EntryRowFragment; onClose(): void }) {
  const { ledger: text, payouts } = words();
  const { entryId, action, currency, merchant, payment, payout, fee } = entry;
  return (
    <Drawer title={text.one} actions={<CopyId id={entryId} short />} onClose={onClose}>
      <div className={kit.lead}>
        <strong className="number">{printMoney(gainOf(entry), currency)}</strong>
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
                <Day day={payout.date} />
              </Go>
            ) : (
              text.notPaidOut
            ),
          ],
          [text.fee, fee.minor === '0' ? null : printMoney(fee.minor, currency)],
          [text.happened, <When key="happened" at={entry.occurredAt} shape="exact" />],
          [payouts.date, <Day key="day" day={entry.day} />],
          [text.method, entry.paymentMethod],
          [payouts.reference, entry.reference],
          [text.ownReference, entry.myReference],
          [text.invoice, entry.invoiceNumber],
        ]}
      />
    </Drawer>
  );
}
