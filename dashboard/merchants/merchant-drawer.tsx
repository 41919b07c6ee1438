// One merchant: who it is, its terminals, its keys, what it took last, and whether it may take more.
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useAct, useAsk } from '../graph/ask';
import type { AskError } from '../graph/refusal-code';
import { Button } from '../kit/button';
import { Chip } from '../kit/chip';
import { CopyId } from '../kit/copy-id';
import { Facts, Section } from '../kit/facts';
import { forgetDraft, NotOffered, ReasonAct, useAsOpened } from '../kit/form';
import { Go } from '../kit/go';
import kit from '../kit/kit.module.css';
import { printMoney } from '../kit/money';
import { Drawer } from '../kit/overlays';
import { countryName } from '../kit/place-names';
import { sayRefusal } from '../kit/refusal-word';
import { Empty, RefusedNote, SkeletonLines, Stale } from '../kit/states';
import { When } from '../kit/when';
import { useReadOnActs } from '../live/read-on';
import { useAddress } from '../shell/address';
import { useToast } from '../shell/toasts';
import { useMay } from '../shell/viewer';
import { words } from '../strings/language';
import { merchantActs, type ShownMerchant, terminalActs } from './life';
import { MerchantKeysList } from './merchant-keys';
import { MerchantTerminals } from './merchant-terminals';
import { merchantStatusOf } from './merchants-screen';
import { MerchantLife, SetMerchantStatus } from './queries';

const drawerActs = [...merchantActs, ...terminalActs];

export function MerchantDrawer() {
  const { merchantId } = useParams({ strict: false }) as { merchantId: string };
  const { open, hrefOf } = useAddress();
  const text = words().merchants;
  const { data, readAt, error, again, isOld } = useAsk(MerchantLife, { merchantId });
  useReadOnActs(drawerActs, merchantId, again);
  const merchant = data?.merchant;
  return (
    <Drawer
      of={merchantId}
      title={text.one}
      name={merchant?.name}
      actions={<CopyId id={merchantId} />}
      onClose={() => open(hrefOf('/merchants'))}
    >
      {merchant ? (
        <>
          <Lead merchant={merchant} />
          <MerchantFacts merchant={merchant} />
          <MerchantTerminals merchant={merchant} />
          <MerchantKeysList merchant={merchant} />
          <LastPayments merchant={merchant} />
        </>
      ) : null}
      {data && !merchant ? <Empty title={text.unknown} /> : null}
      {error && !data ? <RefusedNote error={error} retry={again} /> : null}
      {isOld ? <Stale readAt={readAt} retry={again} /> : null}
      {!data && !error ? <SkeletonLines count={10} /> : null}
    </Drawer>
  );
}

function Lead({ merchant }: { merchant: ShownMerchant }) {
  const text = words().merchants;
  const { search, change } = useAddress();
  const may = useMay('merchants:write');
  const tell = useToast();
  const set = useAct(SetMerchantStatus);
  const [error, setError] = useState<AskError | null>(null);
  const { merchantId, status, name, deletedAt } = merchant;
  const possible = status === 'ACTIVE' ? 'deactivate' : 'activate';
  const act = useAsOpened(search['act'] === 'status', possible);
  const next = act === 'deactivate' ? 'INACTIVE' : 'ACTIVE';
  const draft = `${act} ${merchantId}`;
  const close = () => {
    setError(null);
    change({ act: '' });
  };
  async function submit(reason: string): Promise<void> {
    const outcome = await set.run({ merchantId, status: next, reason });
    if (outcome.error) return setError(outcome.error);
    forgetDraft(draft);
    tell(text.done[act], 'good', () => void takeBack());
    close();
  }
  async function takeBack(): Promise<void> {
    const outcome = await set.run({ merchantId, status, reason: words().undo });
    if (outcome.error) tell(sayRefusal(outcome.error), 'bad');
    else tell(text.done[act === 'activate' ? 'deactivate' : 'activate']);
  }
  return (
    <>
      <div className={kit.lead}>
        <strong>{name}</strong>
        <Chip state={merchantStatusOf(merchant)} />
        {may && !deletedAt ? (
          <span className={kit.leadActs}>
            <Button onClick={() => change({ act: 'status' })}>{text.acts[possible]}</Button>
          </span>
        ) : null}
      </div>
      {search['act'] === 'status' && !may ? <NotOffered why="forbidden" /> : null}
      {search['act'] === 'status' && may ? (
        <ReasonAct
          title={`${text.acts[act]}: ${name}`}
          hint={text.hints[act]}
          confirm={text.acts[act]}
          isDangerous={act === 'deactivate'}
          isRunning={set.isRunning}
          isGone={possible !== act}
          error={error}
          draft={draft}
          onSubmit={(reason) => void submit(reason)}
          onClose={close}
        />
      ) : null}
    </>
  );
}

function MerchantFacts({ merchant }: { merchant: ShownMerchant }) {
  const text = words().merchants;
  return (
    <Facts
      rows={[
        [text.number, String(merchant.merchantNumber)],
        [text.account, merchant.account.name],
        [text.country, merchant.country && countryName(merchant.country)],
        [text.currency, merchant.currency],
        [text.organization, merchant.orgNumber],
        [text.vat, merchant.vatNumber],
        [text.category, merchant.merchantCategoryCode],
        [text.city, merchant.merchantCity],
        [text.invoicing, text.invoicings[merchant.invoicing]],
        [
          text.agreements,
          merchant.agreements.length > 0
            ? merchant.agreements.map(({ agreementId }) => <CopyId key={agreementId} id={agreementId} short />)
            : null,
        ],
        [text.created, <When key="created" at={merchant.createdAt} shape="exact" />],
        [text.updated, <When key="updated" at={merchant.updatedAt} shape="exact" />],
      ]}
    />
  );
}

function LastPayments({ merchant: { merchantId, payments } }: { merchant: ShownMerchant }) {
  const text = words().merchants;
  if (!payments) return null;
  return (
    <Section
      title={text.lastPayments}
      aside={<Go to={`/payments?merchantId=${encodeURIComponent(merchantId)}`}>{words().callbacks.all}</Go>}
    >
      {payments.edges.length === 0 ? <p className="soft">{words().payments.nothing}</p> : null}
      <div className={kit.box}>
        {payments.edges.map(({ node: { paymentId, amount, currency, state, createdAt } }) => (
          <Go key={paymentId} to={`/payments/${paymentId}`} className={kit.boxRow}>
            <span className="number">{printMoney(amount, currency)}</span>
            <Chip state={state} />
            <span className="faint">
              <When at={createdAt} />
            </span>
          </Go>
        ))}
      </div>
    </Section>
  );
}
