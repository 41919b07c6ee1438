// Names of whoever did something, where the records keep only what they were known by.
import { useAsk } from '../graph/ask';
import { ColleaguesByName } from './queries';
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
  return (credentialId) => (credentialId === null ? null : (names.get(credentialId) ?? credentialId));
}

export function Actor({ of }: { of: string }) {
  const name = useActorName()(of);
  return <span title={of}>{name}</span>;
}
