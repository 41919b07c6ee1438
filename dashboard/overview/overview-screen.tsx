// The start: today in figures, what waits for a person, what just happened, and where the money stands. Each part asks for itself, so that one refusal leaves the others.

import { NoRight } from '../kit/states';
import { Screen } from '../shell/shell';
import { useViewer } from '../shell/viewer';
import { words } from '../strings/language';
import { Funnel } from './breakdowns';
import { Balances, LatestPaymentsCard } from './cards';
import { OverviewNews } from './news';
import style from './overview.module.css';
import { Today } from './today';
import { Applications, Callbacks, OpenProposals, OutcomeUnknown } from './waiting';

export function OverviewScreen() {
  const { rights, name } = useViewer();
  const may = (right: string) => rights.includes(right);
  const isEmpty = !['payments:read', 'proposals:read', 'onboarding:read', 'callbacks:read', 'ledger:read'].some(may);
  const text = words().overview;
  return (
    <Screen title={text.hello(name.split(' ')[0] ?? name)} isPadded>
      {isEmpty ? <NoRight /> : null}
      <OverviewNews>
        {may('payments:read') ? <Today /> : null}
        <section aria-label={text.waiting} className={style.waiting}>
          {may('proposals:read') ? <OpenProposals /> : null}
          {may('onboarding:read') ? <Applications /> : null}
          {may('payments:read') ? <OutcomeUnknown /> : null}
          {may('callbacks:read') ? <Callbacks /> : null}
        </section>
        <div className={style.two}>
          {may('payments:read') ? <LatestPaymentsCard /> : null}
          <div className={style.stack}>
            {may('onboarding:read') ? <Funnel /> : null}
            {may('ledger:read') ? <Balances /> : null}
          </div>
        </div>
      </OverviewNews>
    </Screen>
  );
}
