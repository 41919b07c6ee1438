// Who may sign in, what they may do, and when they were last here.
import { LogOut } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useAct, useAsk } from '../graph/ask';
import { usePages } from '../graph/pages';
import type { AskError } from '../graph/refusal-code';
import { Button } from '../kit/button';
import { Chip } from '../kit/chip';
import { CopyId } from '../kit/copy-id';
import { Facts } from '../kit/facts';
import { forgetDraft, ReasonAct, useAsOpened } from '../kit/form';
import kit from '../kit/kit.module.css';
import { Drawer } from '../kit/overlays';
import { Empty, RefusedNote, SkeletonLines } from '../kit/states';
import { When } from '../kit/when';
import { FollowTools } from '../lists/follow-tools';
import { List } from '../lists/list';
import { useLiveList } from '../lists/live-list';
import { Nothing } from '../lists/nothing';
import { Pair } from '../lists/pair';
import type { Column } from '../lists/rows';
import { Happened } from '../live/queries';
import { useReadOnActs } from '../live/read-on';
import { printSearch, useAddress } from '../shell/address';
import { Screen } from '../shell/shell';
import { useToast } from '../shell/toasts';
import { useMay } from '../shell/viewer';
import { words } from '../strings/language';
import {
  PeopleRows,
  type PeopleRowsQuery,
  PersonLife,
  type PersonRowFragment,
  SetPersonStatus,
  SignOutEverywhere,
} from './queries';

const shape = {
  of: ({ people }: PeopleRowsQuery) => people,
  keyOf: ({ personId }: PersonRowFragment) => personId,
};

const asked = {};
const actions = ['disabled', 'enabled', 'rolesChanged', 'signedIn', 'signedOutEverywhere'].map(
  (act) => `person.${act}`,
);
const source = { document: Happened, types: null, actions };

export function PeopleScreen() {
  const { search, open, change } = useAddress();
  const text = words().people;
  const pages = usePages(PeopleRows, asked, shape);
  const columns = useMemo(columnsOf, []);
  const opened = search['person'];
  const row = pages.rows.find(({ personId }) => personId === opened);
  const live = useLiveList(
    { filter: asked, pages, keyOf: shape.keyOf, isHeld: opened !== undefined, isSorted: true },
    source,
  );
  return (
    <Screen title={text.title} total={pages.total} tools={<FollowTools live={live} />}>
      <List
        pages={pages}
        live={live}
        label={text.title}
        columns={columns}
        phone={PhoneRow}
        keyOf={shape.keyOf}
        nameOf={({ name }) => name}
        selected={opened ?? null}
        hrefOf={(key) => `/people${printSearch({ person: key })}`}
        onOpen={open}
        empty={<Nothing title={text.nothing} />}
      />
      {opened ? (
        <PersonDrawer
          personId={opened}
          row={row}
          onClose={() => change({ person: '', act: '' })}
          put={(changed) => pages.put([changed])}
        />
      ) : null}
    </Screen>
  );
}

interface DrawerProps {
  personId: string;
  /** As the list has it, if it does. */
  row: PersonRowFragment | undefined;
  onClose(): void;
  put(row: PersonRowFragment): void;
}

function PersonDrawer({ personId, row, onClose, put }: DrawerProps) {
  const text = words().people;
  const { data, error, again } = useAsk(PersonLife, { personId }, { isPaused: row !== undefined });
  useReadOnActs(actions, null, () => row || again(), { isLooked: row === undefined });
  const person = row ?? data?.person;
  return (
    <Drawer of={personId} title={person?.name ?? text.one} actions={<CopyId id={personId} short />} onClose={onClose}>
      {person ? <Details person={person} put={put} /> : null}
      {data && !person ? <Empty title={text.unknown} /> : null}
      {error && !person ? <RefusedNote error={error} retry={again} /> : null}
      {!data && !error && !person ? <SkeletonLines count={4} /> : null}
    </Drawer>
  );
}

/** Of the widest of its roles. */
function mayOf({ roles, account }: PersonRowFragment): string | null {
  const known: Partial<Record<string, string>> = words().people.mayOf;
  return known[account ? 'tenant' : (roles.at(-1) ?? '')] ?? null;
}

/** The widest of its roles, in the person's language. */
function roleOf({ roles, account }: PersonRowFragment): string {
  const role = roles.at(-1) ?? '–';
  const known: Partial<Record<string, string>> = words().person.roles;
  return account ? account.name : (known[role] ?? role);
}

function Details({ person, put }: { person: PersonRowFragment; put(row: PersonRowFragment): void }) {
  const { search, change } = useAddress();
  const text = words().people;
  const may = useMay('people:write');
  const tell = useToast();
  const [error, setError] = useState<AskError | null>(null);
  const set = useAct(SetPersonStatus);
  const end = useAct(SignOutEverywhere);
  const { personId, status } = person;
  const possible = status === 'ACTIVE' ? 'disable' : 'enable';
  const turn = useAsOpened(search['act'] === 'status', possible);
  const act = search['act'] === 'status' ? turn : 'signOut';
  const close = () => {
    setError(null);
    change({ act: '' });
  };
  const draft = `${act} ${personId}`;
  async function submit(reason: string): Promise<void> {
    const outcome =
      act === 'signOut'
        ? await end.run({ personId, reason }).then((each) => each.error ?? each.data.signOutEverywhere)
        : await set
            .run({ personId, status: turn === 'enable' ? 'ACTIVE' : 'DISABLED', reason })
            .then((each) => each.error ?? each.data.setPersonStatus);
    if (!('personId' in outcome)) return setError(outcome);
    forgetDraft(draft);
    put(outcome);
    tell(text.done[act]);
    close();
  }
  return (
    <>
      <div className={kit.lead}>
        <Chip state={status} />
        {may ? (
          <span className={kit.leadActs}>
            <Button onClick={() => change({ act: 'signOut' })}>
              <LogOut aria-hidden />
              {text.acts.signOut}
            </Button>
            <Button onClick={() => change({ act: 'status' })}>{text.acts[possible]}</Button>
          </span>
        ) : null}
      </div>
      <Facts
        rows={[
          [text.role, roleOf(person)],
          [text.may, mayOf(person)],
          [text.email, person.email],
          [text.lastSeen, <When key="seen" at={person.lastSeenAt} shape="exact" />],
          [text.since, <When key="since" at={person.createdAt} shape="exact" />],
        ]}
      />
      {may && (search['act'] === 'status' || search['act'] === 'signOut') ? (
        <ReasonAct
          title={`${text.acts[act]}: ${person.name}`}
          hint={text.hints[act]}
          confirm={text.acts[act]}
          isDangerous={act === 'disable'}
          isGone={act === turn && act !== possible}
          isRunning={set.isRunning || end.isRunning}
          error={error}
          draft={draft}
          onSubmit={(reason) => void submit(reason)}
          onClose={close}
        />
      ) : null}
    </>
  );
}

function columnsOf(): Column<PersonRowFragment>[] {
  const text = words().people;
  return [
    { id: 'name', title: text.name, cell: ({ name }) => <strong>{name}</strong> },
    { id: 'status', title: text.status, width: 120, cell: ({ status }) => <Chip state={status} /> },
    { id: 'role', title: text.role, width: 180, cell: roleOf },
    { id: 'email', title: text.email, cell: ({ email }) => <span className="soft">{email ?? '–'}</span> },
    {
      id: 'seen',
      title: text.lastSeen,
      width: 150,
      isEnd: true,
      cell: ({ lastSeenAt }) => (
        <span className="soft">
          <When at={lastSeenAt} />
        </span>
      ),
    },
  ];
}

function PhoneRow(person: PersonRowFragment) {
  return (
    <>
      <Pair start={<strong>{person.name}</strong>} end={<Chip state={person.status} />} />
      <Pair
        start={<span className="soft">{roleOf(person)}</span>}
        end={
          <span className="faint">
            <When at={person.lastSeenAt} />
          </span>
        }
      />
    </>
  );
}
