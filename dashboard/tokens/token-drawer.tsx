// One tokenized card: its token, what was done with it, its whole life.
import { useParams } from '@tanstack/react-router';
import { attemptTone } from '../callbacks/attempt-word';
import { useAsk } from '../graph/ask';
import { Chip, stateWord } from '../kit/chip';
import { CopyId } from '../kit/copy-id';
import { Facts, Section } from '../kit/facts';
import { Go } from '../kit/go';
import kit from '../kit/kit.module.css';
import { shortCard } from '../kit/masked';
import { printMoney } from '../kit/money';
import { Drawer } from '../kit/overlays';
import { Empty, RefusedNote, SkeletonLines, Stale } from '../kit/states';
import { type Moment, Timeline } from '../kit/timeline';
import { toneOf } from '../kit/tone';
import { When } from '../kit/when';
import { useReadOnThing } from '../live/read-on';
import { useAddress } from '../shell/address';
import { words } from '../strings/language';
import { TokenLife, type TokenLifeQuery } from './queries';
import { printExpiry } from './tokens-screen';

type Life = NonNullable<TokenLifeQuery['virtualAccount']>;

export function TokenDrawer() {
  const { tokenId: virtualAccountId } = useParams({ strict: false }) as { tokenId: string };
  const { open, hrefOf } = useAddress();
  const text = words().tokens;
  const { data, readAt, error, again, isOld } = useAsk(TokenLife, { virtualAccountId });
  const token = data?.virtualAccount;
  useReadOnThing(
    token ? { kinds: ['tokens', 'callbacks'], id: virtualAccountId, merchantId: token.merchant.merchantId } : null,
    again,
  );
  return (
    <Drawer
      of={virtualAccountId}
      title={text.one}
      name={token && shortCard(token.accountMasked)}
      actions={<CopyId id={virtualAccountId} short />}
      onClose={() => open(hrefOf('/tokens'))}
    >
      {token ? (
        <>
          <div className={kit.lead}>
            <strong className="number">{shortCard(token.accountMasked)}</strong>
            <Chip state={token.state} />
          </div>
          <Facts
            rows={[
              [text.card, `${token.accountMasked} ${printExpiry(token.accountExpiry)}`],
              [text.token, `${token.tokenMasked} ${printExpiry(token.tokenExpiry)}`],
              [text.par, token.par ? <CopyId key="par" id={token.par} /> : null],
              [
                text.merchant,
                <Go key="merchant" to={`/merchants/${token.merchant.merchantId}`}>
                  {token.merchant.name}
                </Go>,
              ],
              [
                text.identifiers,
                `${token.agreement.acquirerId} · ${token.agreement.providerId} · ${token.agreement.pspId}`,
              ],
              [text.reasonCode, token.reasonCode],
              [text.created, <When key="created" at={token.createdAt} shape="exact" />],
              [text.updated, <When key="updated" at={token.updatedAt} shape="exact" />],
            ]}
          />
          <Transactions token={token} />
          <Section title={text.timeline}>
            <Timeline moments={momentsOf(token)} />
          </Section>
        </>
      ) : null}
      {data && !token ? <Empty title={text.unknown} /> : null}
      {error && !data ? <RefusedNote error={error} retry={again} /> : null}
      {isOld ? <Stale readAt={readAt} retry={again} /> : null}
      {!data && !error ? <SkeletonLines count={10} /> : null}
    </Drawer>
  );
}

function Transactions({ token: { transactions } }: { token: Life }) {
  const text = words().tokens;
  if (transactions.edges.length === 0) return null;
  return (
    <Section title={text.transactions}>
      <div className={kit.box}>
        {transactions.edges.map(({ node: { cardTransactionId, amount, currencyCode, money, transactionAt } }) => (
          <div key={cardTransactionId} className={kit.boxRow}>
            <span className="number">
              {money ? printMoney(money.minor, money.currency) : `${amount} ${currencyCode}`}
            </span>
            <span className="faint">
              <When at={transactionAt} shape="exact" />
            </span>
          </div>
        ))}
      </div>
    </Section>
  );
}

function momentsOf({ timeline, callbacks }: Life): Moment[] {
  const text = words().tokens;
  const events = (timeline?.edges ?? []).map(({ node: { eventId, type, occurredAt } }): Moment => {
    const what = type.replace('virtualAccount.', '');
    return { key: eventId, at: occurredAt, tone: toneOf(what.toUpperCase()), title: stateWord(what.toUpperCase()) };
  });
  const told = (callbacks?.edges ?? []).flatMap(({ node: { callbackId, attempts } }) =>
    attempts.map(
      ({ number, at, status, result, durationMs }): Moment => ({
        key: `${callbackId} ${number}`,
        at,
        tone: attemptTone(result),
        title: text.told,
        to: `/callbacks/${callbackId}`,
        place: words().payments.moments.places.callbacks,
        detail: [status && `HTTP ${status}`, durationMs !== null && `${durationMs} ms`].filter(Boolean).join(' · '),
      }),
    ),
  );
  return [...events, ...told];
}
