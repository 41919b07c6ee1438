// Applications as a board: one column for each status, newest first.
import { Outlet, useParams } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useAsk } from '../graph/ask';
import { BulkBar, useBulkActs } from '../jobs/bulk';
import { stateWord } from '../kit/chip';
import { Go } from '../kit/go';
import { countryName } from '../kit/place-names';
import { RefusedNote, Skeleton } from '../kit/states';
import { toneOf } from '../kit/tone';
import { When } from '../kit/when';
import type { Selection } from '../lists/rows-props';
import { useSelection } from '../lists/selection';
import { useReadOn } from '../live/read-on';
import { Screen } from '../shell/shell';
import { words } from '../strings/language';
import style from './onboarding.module.css';
import { type ApplicationCardFragment, OnboardingBoard } from './queries';

const columns = [
  ['initiated', 'INITIATED'],
  ['awaiting', 'AWAITING_SIGNATURE'],
  ['failed', 'SIGNATURE_FAILED'],
  ['processing', 'PROCESSING'],
  ['approved', 'APPROVED'],
  ['abandoned', 'ABANDONED'],
] as const;
const first = 50;
const bulkActs = ['RESEND_ACTIVATION', 'ABANDON_APPLICATION'] as const;

export function OnboardingScreen() {
  const text = words().onboarding;
  const { applicationId } = useParams({ strict: false }) as { applicationId?: string };
  const { data, error, again } = useAsk(OnboardingBoard, { first });
  useReadOn('onboarding', again);
  const acts = useBulkActs(bulkActs);
  const ids = useMemo(() => columns.flatMap(([key]) => data?.[key].edges.map(({ node }) => node.id) ?? []), [data]);
  const selection = useSelection('onboarding', ids);
  return (
    <Screen title={text.title}>
      {error && !data ? (
        <RefusedNote error={error} retry={again} />
      ) : (
        <section className={style.board} aria-label={text.title} aria-busy={!data}>
          {columns.map(([key, status]) => (
            <Column
              key={key}
              status={status}
              cards={data?.[key].edges.map(({ node }) => node) ?? null}
              hasMore={data?.[key].pageInfo.hasNextPage ?? false}
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
  cards: readonly ApplicationCardFragment[] | null;
  hasMore: boolean;
  selected: string | undefined;
  /** Null: nothing can be done to several. */
  selection: Selection | null;
}

function Column({ status, cards, hasMore, selected, selection }: ColumnProps) {
  const text = words().onboarding;
  return (
    <section className={style.column} aria-label={stateWord(status)}>
      <header className={style.columnHead} data-tone={toneOf(status)}>
        <h2>{stateWord(status)}</h2>
        <span className="faint number">{cards ? `${cards.length}${hasMore ? '+' : ''}` : ''}</span>
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
        {cards?.length === 0 ? <li className={style.none}>{text.none}</li> : null}
        {hasMore ? <li className={style.none}>{text.shown(first)}</li> : null}
      </ul>
    </section>
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
