// Applications as a board: one column for each status, newest first.
import { Outlet, useParams } from '@tanstack/react-router';
import { useAsk } from '../graph/ask';
import type { Total } from '../graph/pages';
import { BulkBar, useBulkActs } from '../jobs/bulk';
import { Button } from '../kit/button';
import { stateWord } from '../kit/chip';
import { printTotal, sayTotal } from '../kit/count';
import { Go } from '../kit/go';
import { countryName } from '../kit/place-names';
import { PartRefused, RefusedNote, Skeleton } from '../kit/states';
import { toneOf } from '../kit/tone';
import { When } from '../kit/when';
import type { Selection } from '../lists/rows-props';
import { useSelection } from '../lists/selection';
import { useReadOn } from '../live/read-on';
import { Screen } from '../shell/shell';
import { words } from '../strings/language';
import { type ColumnCards, cardsAtOnce, useColumnCards } from './column-cards';
import style from './onboarding.module.css';
import { type ApplicationCardFragment, OnboardingBoard } from './queries';

const bulkActs = ['RESEND_ACTIVATION', 'ABANDON_APPLICATION'] as const;

export function OnboardingScreen() {
  const text = words().onboarding;
  const { applicationId } = useParams({ strict: false }) as { applicationId?: string };
  const { data, error, again } = useAsk(OnboardingBoard, { first: cardsAtOnce, isCounted: false });
  const totals = useAsk(OnboardingBoard, { first: 1, isCounted: true });
  useReadOn('onboarding', () => {
    again();
    totals.again();
  });
  const columns = [
    ['initiated', 'INITIATED', useColumnCards('INITIATED', data?.initiated)],
    ['awaiting', 'AWAITING_SIGNATURE', useColumnCards('AWAITING_SIGNATURE', data?.awaiting)],
    ['failed', 'SIGNATURE_FAILED', useColumnCards('SIGNATURE_FAILED', data?.failed)],
    ['processing', 'PROCESSING', useColumnCards('PROCESSING', data?.processing)],
    ['approved', 'APPROVED', useColumnCards('APPROVED', data?.approved)],
    ['abandoned', 'ABANDONED', useColumnCards('ABANDONED', data?.abandoned)],
  ] as const;
  const acts = useBulkActs(bulkActs);
  const selection = useSelection(
    'onboarding',
    columns.flatMap(([, , { cards }]) => cards?.map(({ id }) => id) ?? []),
  );
  return (
    <Screen title={text.title}>
      {error && !data ? (
        <RefusedNote error={error} retry={again} />
      ) : (
        <section className={style.board} aria-label={text.title} aria-busy={!data}>
          {columns.map(([key, status, column]) => (
            <Column
              key={key}
              status={status}
              column={column}
              total={totals.data?.[key].totalCount ?? null}
              selected={applicationId}
              selection={acts.length > 0 ? selection : null}
            />
          ))}
        </section>
      )}
      <BulkBar acts={acts} selection={selection} />
      <Outlet />
    </Screen>
  );
}

interface ColumnProps {
  status: string;
  column: ColumnCards;
  /** Comes after the cards; null: not known. */
  total: Total | null;
  selected: string | undefined;
  /** Null: nothing can be done to several. */
  selection: Selection | null;
}

function Column({ status, column, total, selected, selection }: ColumnProps) {
  const { cards } = column;
  return (
    <section className={style.column} aria-label={stateWord(status)}>
      <header className={style.columnHead} data-tone={toneOf(status)}>
        <h2>{stateWord(status)}</h2>
        {total ? (
          <span className="faint number" title={sayTotal(total)}>
            {printTotal(total)}
          </span>
        ) : null}
      </header>
      <ul className={style.cards}>
        {cards?.map((card) => (
          <li
            key={card.id}
            className={style.item}
            data-chosen={selection?.chosen.has(card.id)}
            data-selected={card.id === selected}
          >
            {selection ? <Choose card={card} selection={selection} /> : null}
            <Go to={`/onboarding/${card.id}`} className={`${style.card} ${card.id === selected ? style.chosen : ''}`}>
              <span className={style.name}>{card.name}</span>
              <span className={style.row}>
                <span className="soft">{countryName(card.country)}</span>
                <span className="faint mono">{card.id}</span>
                <span className={`faint ${style.end}`}>
                  <When at={card.updatedAt} />
                </span>
              </span>
            </Go>
          </li>
        ))}
        {cards === null
          ? [1, 2].map((each) => (
              <li key={each} className={style.card}>
                <Skeleton width="70%" />
              </li>
            ))
          : null}
        {cards?.length === 0 ? <li className={style.none}>{words().onboarding.none}</li> : null}
        <Older of={column} />
      </ul>
    </section>
  );
}

function Older({ of: { hasMore, error, isAsked, older } }: { of: ColumnCards }) {
  if (!hasMore && !error) return null;
  return (
    <li className={style.older}>
      {error ? <PartRefused error={error} /> : null}
      <Button onClick={older} aria-busy={isAsked}>
        {isAsked ? words().loading : words().onboarding.older}
      </Button>
    </li>
  );
}

function Choose({ card, selection }: { card: ApplicationCardFragment; selection: Selection }) {
  return (
    <label className={style.choose}>
      <input
        type="checkbox"
        aria-label={`${words().bulk.select}: ${card.name}, ${card.id}`}
        checked={selection.chosen.has(card.id)}
        onChange={({ nativeEvent }) => selection.toggle(card.id, (nativeEvent as MouseEvent).shiftKey)}
      />
    </label>
  );
}
