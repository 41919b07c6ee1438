// Whether a caller may follow the events of an owner: asked of the graph itself, once for all subscribers alike that come within a second.
import type { Caller } from '../../subgraphs/shared/callers/caller';
import { requestContext } from '../../subgraphs/shared/callers/context';
import { DomainError } from '../../subgraphs/shared/errors';
import { newId } from '../../subgraphs/shared/ids';
import type { Graph } from '../plan/execute';
import { scopeKey } from './subscriber-groups';
import type { OwnedField } from './subscription-field';

type Owning = Pick<OwnedField, 'ownerDocument'>;

const rememberedMs = 1_000;

/** False for an owner that is absent or belongs to somebody else; rejects when that cannot be told now. */
export type MaySubscribe = (caller: Caller, field: Owning, owner: string) => Promise<boolean>;

export function createMaySubscribe(graph: Graph): MaySubscribe {
  const answers = new Map<string, Promise<boolean>>();
  return (caller, field, owner) => {
    const key = JSON.stringify([scopeKey(caller), field.ownerDocument, owner]);
    const known = answers.get(key);
    if (known) return known;
    const answer = ask(graph, caller, field, owner);
    answers.set(key, answer);
    const forget = () => answers.delete(key);
    answer.then(() => setTimeout(forget, rememberedMs).unref(), forget);
    return answer;
  };
}

async function ask(graph: Graph, caller: Caller, { ownerDocument }: Owning, id: string): Promise<boolean> {
  const { data, errors } = await graph.executeDocument(
    { query: ownerDocument },
    { id },
    requestContext(caller, newId()),
  );
  const refused = errors?.[0]?.originalError;
  if (refused instanceof DomainError && refused.code !== 'notFound') throw refused;
  return Boolean(data?.['owner']);
}
