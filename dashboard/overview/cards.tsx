// The latest payments, and where the money of the first merchants stands today.
import { useAsk } from '../graph/ask';
import { Chip } from '../kit/chip';
import { ActRefusal } from '../kit/form';
import { Go } from '../kit/go';
import { printMoney } from '../kit/money';
import { SkeletonLines } from '../kit/states';
import { When } from '../kit/when';
import { SignedMoney } from '../payouts/signed-money';
import { useMerchants } from '../shell/merchants';
import { words } from '../strings/language';
import style from './overview.module.css';
import { LatestBalances, LatestPayments } from './queries';

export function LatestPaymentsCard() {
  const { data, error } = useAsk(LatestPayments, {});
  const text = words().overview;
  return (
    <section className={style.card} aria-label={text.latest}>
      <Go to="/payments" className={style.head}>
        <span className={style.title}>{text.latest}</span>
      </Go>
      {error && !data ? <ActRefusal error={error} /> : null}
      {!data && !error ? <SkeletonLines count={6} /> : null}
      <ul>
        {data?.payments.edges.map(({ node }) => (
          <li key={node.paymentId}>
            <Go to={`/payments/${node.paymentId}`} className={style.payment}>
              <span className={`number ${style.amount}`}>{printMoney(node.amount, node.currency)}</span>
              <Chip state={node.state} />
              <span className="soft ellipsis">{node.merchant.name}</span>
              <span className="faint nowrap">
                <When at={node.createdAt} />
              </span>
            </Go>
          </li>
        ))}
        {data?.payments.edges.length === 0 ? <li className="soft">{words().payments.nothingYet}</li> : null}
      </ul>
    </section>
  );
}

const merchantsShown = 4;

export function Balances() {
  const { merchants } = useMerchants();
  const text = words().overview;
  return (
    <section className={style.card} aria-label={text.balances}>
      <Go to="/payouts/balances" className={style.head}>
        <span className={style.title}>{text.balances}</span>
      </Go>
      <ul className={style.balances}>
        {merchants.slice(0, merchantsShown).map(({ merchantId, name }) => (
          <li key={merchantId}>
            <Go to={`/payouts/days?merchantId=${encodeURIComponent(merchantId)}`} className={style.merchant}>
              {name}
            </Go>
            <Closings merchantId={merchantId} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Closings({ merchantId }: { merchantId: string }) {
  const today = new Date().toISOString().slice(0, 10);
  const { data, error } = useAsk(LatestBalances, { merchantId, from: null, to: today });
  if (error && !data) return <ActRefusal error={error} />;
  // The last day of each currency is where it stands.
  const latest = new Map<string, string>();
  for (const { currency, closing } of [...(data?.balances ?? [])].sort((a, b) => (a.day < b.day ? -1 : 1)))
    latest.set(currency, closing);
  if (data && latest.size === 0) return <p className="faint">{words().payouts.noBookings}</p>;
  return (
    <dl className={style.closings}>
      {[...latest].map(([currency, closing]) => (
        <div key={currency}>
          <dt className="heard">{currency}</dt>
          <dd>
            <SignedMoney minor={closing} currency={currency} of="balance" />
          </dd>
        </div>
      ))}
    </dl>
  );
}
