// The screens of the books, beside each other: payouts, what is owed now, what moved money, and balances by day.
import { Tabs } from '../kit/tabs';
import { useAddress } from '../shell/address';
import { words } from '../strings/language';

export function PayoutTabs() {
  const text = words();
  const { merchantId } = useAddress().search;
  return (
    <Tabs
      label={text.payouts.title}
      search={merchantId ? { merchantId } : {}}
      tabs={[
        ['/payouts', text.payouts.title],
        ['/payouts/balances', text.navigation.balances],
        ['/payouts/entries', text.ledger.tab],
        ['/payouts/days', text.ledger.daysTab],
      ]}
    />
  );
}
