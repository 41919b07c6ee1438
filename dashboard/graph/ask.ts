// Asking the graph from a component: one hook for questions, one for acts, one for live events, and what refusals mean.
import { useEffect, useMemo, useRef, useState } from 'react';
import { createRequest, useMutation, useQuery } from 'urql';
import { client } from './client';
import { useOnceBack } from './once-back';
import { platformNow } from './platform-clock';
import { type AskError, isPassing, refusalCodeOf } from './refusal-code';
import type { TypedText } from './typed-text';

/** When each answer was first seen, by the platform's clock. */
const readAt = new WeakMap<object, number>();
/** With what an answer was refused, in part or whole: urql forgets it when a question is given up and asked again. */
const refusedWith = new WeakMap<object, AskError>();

export function useAsk<Answer extends object, Variables extends object>(
  document: TypedText<Answer, Variables>,
  variables: Variables,
  options: { isPaused?: boolean; every?: 'visit' | 'once' } = {},
) {
  const asked = JSON.stringify(variables);
  const request = useMemo(
    () => createRequest<Answer, Variables>(document.text, JSON.parse(asked) as Variables),
    [document, asked],
  );
  const [{ operation, fetching, stale, ...told }, again] = useQuery<Answer, Variables>({
    query: request.query,
    variables: request.variables,
    pause: options.isPaused ?? false,
    requestPolicy: options.every === 'once' ? 'cache-first' : 'cache-and-network',
    context: useMemo(() => ({ additionalTypenames: [...document.listed] }), [document]),
  });
  // What was told to another question stands until this one is answered, and for good where it is not asked: it is no answer to this.
  const isAnswer = operation?.key === request.key;
  const given = isAnswer ? told.data : undefined;
  if (given && told.error) refusedWith.set(given, told.error);
  const error = isAnswer ? (told.error ?? (given && refusedWith.get(given))) : undefined;
  const isRefusedForNow = Boolean(error && isPassing(error));
  // A thing that could not be read now is not one that is not there.
  const data = given && isRefusedForNow && Object.values(given).includes(null) ? undefined : given;
  useOnceBack(options.isPaused ? null : error, () => again({ requestPolicy: 'network-only' }));
  const kept = useRef<{ key: number; data: Answer } | null>(null);
  if (data) kept.current = { key: request.key, data };
  // What was read once stands, with all that is open over it, while the platform is out of reach or has no time.
  const standing = isRefusedForNow && kept.current?.key === request.key ? kept.current.data : undefined;
  if (data && !readAt.has(data)) readAt.set(data, platformNow().getTime());
  const shown = data ?? standing;
  return {
    data: shown,
    readAt: (shown && readAt.get(shown)) ?? 0,
    error,
    /** What is shown could not be read again, or not all of it. */
    isOld: Boolean(shown && isRefusedForNow),
    isLoading: fetching && !data && !standing,
    isStale: stale,
    again: () => again({ requestPolicy: 'network-only' }),
  };
}

export type ActOutcome<Answer> = { data: Answer; error: null } | { data: null; error: AskError };

export function useAct<Answer, Variables extends object>(document: TypedText<Answer, Variables>) {
  const [{ fetching }, run] = useMutation<Answer, Variables>(document.text);
  return {
    isRunning: fetching,
    async run(variables: Variables): Promise<ActOutcome<Answer>> {
      const { data, error } = await run(variables);
      if (error) return { data: null, error };
      return { data: data as Answer, error: null };
    },
  };
}

/** Follows one subscription for each set of variables, all over the one connection; tells why it ended. Of a merchant that there is not nothing is followed. */
export function useEvents<Answer, Variables extends object>(
  document: TypedText<Answer, Variables>,
  wanted: readonly Variables[],
  onEvent: (answer: Answer) => void,
): AskError | null {
  const [error, setError] = useState<AskError | null>(null);
  const hear = useRef(onEvent);
  hear.current = onEvent;
  const key = JSON.stringify(wanted);
  useEffect(() => {
    setError(null);
    const followed = (JSON.parse(key) as Variables[]).map((variables) => {
      const following = client.subscription<Answer>(document.text, variables).subscribe(({ data, error: refused }) => {
        if (refused && refusalCodeOf(refused) === 'notFound') following.unsubscribe();
        else if (refused) setError(refused);
        if (data) hear.current(data);
      });
      return following;
    });
    return () => {
      for (const { unsubscribe } of followed) unsubscribe();
    };
  }, [document, key]);
  return error;
}
