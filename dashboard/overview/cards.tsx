// The latest payments, and to whom most is owed.
import { useAsk } from '../graph/ask';
import { Chip } from '../kit/chip';
import { Go } from '../kit/go';
import { printMoney } from '../kit/money';
import { PartRefused, SkeletonLines } from '../kit/states';
import { When } from '../kit/when';
import { SignedMoney } from '../payouts/signed-money';
import { words } from '../strings/language';
import { useNews } from './news';
import style from './overview.module.css';
import { LargestBalances, LatestPayments } from './queries';

export function LatestPaymentsCard() {
  const { data, error, again } = useAsk(LatestPayments, {});
  useNews(['payments'], again);
  const text = words().overview;
  return (
    <section className={style.card} aria-label={text.latest}>
      <Go to="/payments" className={style.head}>
        <span className={style.title}>{text.latest}</span>
      </Go>
      {error && !data ? <PartRefused error={error} retry={again} /> : null}
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

const balancesLooked = 100;
const shownOfEach = 3;
const balancesShown = 6;

/** What is owed most, of each currency the largest first; merchants with nothing booked have no line. */
export function Balances() {
  const { data, error, again } = useAsk(LargestBalances, { first: balancesLooked });
  useNews(['payments', 'ledger', 'payouts'], again);
  const text = words().overview;
  const shown = new Map<string, number>();
  const rows = data?.merchantBalances.edges
    .map(({ node }) => node)
    .filter(({ currency }) => {
      const count = (shown.get(currency) ?? 0) + 1;
      shown.set(currency, count);
      return count <= shownOfEach;
    })
    .slice(0, balancesShown);
  return (
    <section className={style.card} aria-label={text.balances}>
      <Go to="/payouts/balances?order=AMOUNT" className={style.head}>
        <span className={style.title}>{text.balances}</span>
      </Go>
      {error && !data ? <PartRefused error={error} retry={again} /> : null}
      {!data && !error ? <SkeletonLines count={3} /> : null}
      {rows?.length === 0 ? <p className="soft">{words().payouts.noBookings}</p> : null}
      <ul className={style.balances}>
        {rows?.map(({ merchant, currency, money }) => (
          <li key={`${merchant.merchantId} ${currency}`} className={style.balance}>
            <Go to={`/payouts/days?merchantId=${encodeURIComponent(merchant.merchantId)}`} className={style.merchant}>
              {merchant.name}
            </Go>
            <SignedMoney minor={money.minor} currency={currency} of="balance" />
          </li>
        ))}
      </ul>
    </section>
  );
}
