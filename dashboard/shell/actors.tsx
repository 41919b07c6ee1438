// Names of whoever did something, where the records keep only what they were known by.
import { useAsk } from '../graph/ask';
import { words } from '../strings/language';
import { ColleaguesByName, OwnPrograms } from './queries';
import { useMay, useViewer } from './viewer';

const most = 100;

/** Names of the first colleagues, and one's own, by what they are known by. */
export function useColleagues(): ReadonlyMap<string, string> {
  const may = useMay('people:read');
  const viewer = useViewer();
  const { data } = useAsk(ColleaguesByName, { first: most, after: null }, { every: 'once', isPaused: !may });
  const names = new Map(data?.people.edges.map(({ node }) => [`person:${node.personId}`, node.name]));
  return names.set(viewer.credentialId, viewer.name);
}

export function useActorName(): (credentialId: string | null) => string | null {
  const names = useColleagues();
  const programs = useOwnPrograms();
  const isStaff = useViewer().account === null;
  return (credentialId) =>
    credentialId === null ? null : (names.get(credentialId) ?? wordOf(credentialId, { isStaff, programs }));
}

/** Of the account of whoever belongs to one; null: all there are, for staff, and where they may not be read. */
function useOwnPrograms(): ReadonlySet<string> | null {
  const { account } = useViewer();
  const may = useMay('clients:read');
  const isAsked = account !== null && may;
  const { data } = useAsk(OwnPrograms, { first: most }, { every: 'once', isPaused: !isAsked });
  return isAsked && data ? new Set(data.clients.edges.map(({ node }) => node.clientId)) : null;
}

/** Ids of people say nothing, and ids of others' programs nothing to an account, which sees the names of its own people. */
function wordOf(
  credentialId: string,
  { isStaff, programs }: { isStaff: boolean; programs: ReadonlySet<string> | null },
): string {
  const { person, staff, platform, program } = words().actors;
  if (credentialId.startsWith('person:')) return isStaff ? person : staff;
  if (credentialId.startsWith('system:')) return platform;
  // Keys are known by the account's own records, not here: their ids begin with what they are for.
  const isKey = credentialId.includes('_') && !credentialId.startsWith('client_');
  return programs && !isKey && !programs.has(credentialId) ? program : credentialId;
}

export function Actor({ of }: { of: string }) {
  const name = useActorName()(of);
  const mayKnow = useViewer().account === null;
  return <span title={(mayKnow ? of : name) ?? undefined}>{name}</span>;
}
