// Views of a list that a person keeps, and those that colleagues share: the filters of the address, by a name.
import { Bookmark, Check, Trash2 } from 'lucide-react';
import { DropdownMenu as Menu } from 'radix-ui';
import { lazy, Suspense, useState } from 'react';
import { useAct, useAsk } from '../graph/ask';
import kit from '../kit/kit.module.css';
import { printSearch, useAddress } from '../shell/address';
import { DeleteView, SavedViews as Saved, SaveView } from '../shell/queries';
import { useToast } from '../shell/toasts';
import { words } from '../strings/language';
import style from './filters.module.css';

const SaveDialog = lazy(() => import('./save-view').then((module) => ({ default: module.SaveDialog })));

export function SavedViews({ screen }: { screen: string }) {
  const { search, open } = useAddress();
  const text = words().views;
  const { data, again } = useAsk(Saved, { screen });
  const forget = useAct(DeleteView);
  const keep = useAct(SaveView);
  const tell = useToast();
  const [isSaving, setSaving] = useState(false);
  const present = printSearch({ ...search, act: undefined });
  const views = data?.viewer.savedViews ?? [];
  const chosen = views.find(({ query }) => query === present && present !== '');
  async function remove({ viewId, name, query, isShared }: (typeof views)[number]): Promise<void> {
    const outcome = await forget.run({ viewId });
    again();
    if (outcome.error) return tell(outcome.error.message, 'bad');
    tell(text.forgotten, 'good', () => void keep.run({ input: { screen, name, query, isShared } }).then(again));
  }
  return (
    <span className={style.pill} data-on={Boolean(chosen)}>
      <Menu.Root modal={false}>
        <Menu.Trigger className={style.trigger}>
          <Bookmark aria-hidden />
          {chosen ? <strong className="ellipsis">{chosen.name}</strong> : text.title}
        </Menu.Trigger>
        <Menu.Portal>
          <Menu.Content className={`${kit.menu} ${style.menu}`} align="start" sideOffset={4}>
            {views.map(({ viewId, name, query, isOwn, ownerName }) => (
              <Menu.Item key={viewId} className={kit.menuItem} onSelect={() => open(`/${screen}${query}`)}>
                <span className={style.tick}>{viewId === chosen?.viewId ? <Check aria-hidden /> : null}</span>
                {name}
                {isOwn ? null : <span className="faint">{ownerName}</span>}
              </Menu.Item>
            ))}
            {views.length === 0 ? <Menu.Label className={kit.menuLabel}>{text.none}</Menu.Label> : null}
            <Menu.Separator className={kit.menuLine} />
            <Menu.Item className={kit.menuItem} disabled={present === ''} onSelect={() => setSaving(true)}>
              <Bookmark aria-hidden />
              {text.save}
            </Menu.Item>
            {chosen?.isOwn ? (
              <Menu.Item className={kit.menuItem} onSelect={() => void remove(chosen)}>
                <Trash2 aria-hidden />
                {text.forget}
              </Menu.Item>
            ) : null}
          </Menu.Content>
        </Menu.Portal>
      </Menu.Root>
      <Suspense>
        {isSaving ? (
          <SaveDialog screen={screen} query={present} again={again} onClose={() => setSaving(false)} />
        ) : null}
      </Suspense>
    </span>
  );
}
