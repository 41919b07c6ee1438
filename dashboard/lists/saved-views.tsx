// Views of a list that a person keeps, and those that colleagues share: the filters of the address, by a name.
import { Bookmark, Check, Trash2 } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useAct, useAsk } from '../graph/ask';
import { useAtOnce, useTakenBack } from '../graph/at-once';
import kit from '../kit/kit.module.css';
import { MenuButton } from '../kit/menus/menu-button';
import type { MenuPart } from '../kit/menus/menu-part';
import { printSearch, useAddress } from '../shell/address';
import { lazyDialog } from '../shell/lazy-part';
import { DeleteView, SavedViews as Saved, SaveView, type ViewFragment } from '../shell/queries';
import { useToast } from '../shell/toasts';
import { words } from '../strings/language';
import style from './filters.module.css';
import type { ViewDraft } from './save-view';

const none: readonly ViewFragment[] = [];

const SaveDialog = lazyDialog(() => import('./save-view').then((module) => module.SaveDialog));

export function SavedViews({ screen }: { screen: string }) {
  const { search, open } = useAddress();
  const text = words().views;
  const { data, again } = useAsk(Saved, { screen });
  const forget = useAct(DeleteView);
  const keep = useAct(SaveView);
  const tell = useToast();
  const [draft, setDraft] = useState<ViewDraft | null>(null);
  const takenBack = useTakenBack();
  const { shown: views, act } = useAtOnce(data?.viewer.savedViews ?? none, screen);
  const present = printSearch({ ...search, act: undefined });
  const chosen = views.find(({ query }) => query === present && present !== '');
  async function remove({ viewId, name, query, isShared }: (typeof views)[number]): Promise<void> {
    const rest = views.filter((view) => view.viewId !== viewId);
    const error = await act(rest, () => forget.run({ viewId }));
    again();
    if (error) return takenBack(error);
    tell(text.forgotten, 'good', () => void keep.run({ input: { screen, name, query, isShared } }).then(again));
  }
  async function save({ name, isShared }: ViewDraft): Promise<void> {
    setDraft(null);
    const own = {
      __typename: 'SavedView',
      viewId: '',
      name,
      query: present,
      isShared,
      isOwn: true,
      ownerName: '',
    } as const;
    const error = await act([...views, own], () => keep.run({ input: { screen, query: present, name, isShared } }));
    again();
    if (error) setDraft({ name, isShared, error });
  }
  const parts: MenuPart[] = [
    ...views.map(({ viewId, name, query, isOwn, ownerName }) => ({
      kind: 'act' as const,
      key: viewId,
      onSelect: () => open(`/${screen}${query}`),
      word: (
        <>
          <span className={kit.menuTick}>{viewId === chosen?.viewId ? <Check aria-hidden /> : null}</span>
          {name}
          {isOwn ? null : <span className="faint">{ownerName}</span>}
        </>
      ),
    })),
    ...(views.length === 0 ? [{ kind: 'heading' as const, key: 'none', word: text.none }] : []),
    { kind: 'line', key: 'line' },
    {
      kind: 'act',
      key: 'save',
      isDisabled: present === '',
      onSelect: () => setDraft({ name: '', isShared: false, error: null }),
      word: (
        <>
          <Bookmark aria-hidden />
          {text.save}
        </>
      ),
    },
  ];
  if (chosen?.isOwn && chosen.viewId)
    parts.push({
      kind: 'act',
      key: 'forget',
      onSelect: () => void remove(chosen),
      word: (
        <>
          <Trash2 aria-hidden />
          {text.forget}
        </>
      ),
    });
  return (
    <span className={style.pill} data-on={Boolean(chosen)}>
      <MenuButton className={style.trigger} menuClassName={style.menu} parts={parts}>
        <Bookmark aria-hidden />
        {chosen ? <strong className="ellipsis">{chosen.name}</strong> : text.title}
      </MenuButton>
      <Suspense>
        {draft ? <SaveDialog draft={draft} onSave={(next) => void save(next)} onClose={() => setDraft(null)} /> : null}
      </Suspense>
    </span>
  );
}
