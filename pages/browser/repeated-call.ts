// A page's call to its own server. Each of them may be made twice, so one that met a passing fault is repeated before the payer is bothered.

/** Pauses before each repetition. */
const pausesMs = [500, 1_500, 4_000];
const answerMsMax = 12_000;
/** Too many calls, and whatever stands between us and the service, or the service itself, for the moment. */
const passingStatuses = new Set([429, 502, 503, 504]);

/** A refusal, or silence (`status` absent); `code` is the server's word, absent when it said nothing that can be read. */
class Refused extends Error {
  readonly isPassing: boolean;

  constructor(
    status: number | undefined,
    readonly code?: string,
  ) {
    super(status === undefined ? 'the server did not answer' : `the server answered ${status}`);
    this.isPassing = status === undefined || passingStatuses.has(status);
  }
}

/** Posts the body as JSON; throws Refused when the answer is no, or none comes. */
export async function callRepeatedly(path: string, body: object): Promise<Record<string, unknown>> {
  for (const pauseMs of pausesMs) {
    try {
      return await callOnce(path, body);
    } catch (error) {
      if (!(error instanceof Refused && error.isPassing)) throw error;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
  return callOnce(path, body);
}

/** Does it once more when it was refused with this code, for a reason that may be gone in a moment. */
export async function againAfter<Answer>(code: string, step: () => Promise<Answer>): Promise<Answer> {
  try {
    return await step();
  } catch (error) {
    if (codeOf(error) !== code) throw error;
    await new Promise((resolve) => setTimeout(resolve, pausesMs[0]));
    return step();
  }
}

export function codeOf(error: unknown): string {
  return (error instanceof Refused && error.code) || 'UNAVAILABLE';
}

async function callOnce(path: string, body: object): Promise<Record<string, unknown>> {
  let response: Response;
  let answer: Record<string, unknown>;
  try {
    response = await fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(answerMsMax),
    });
    answer = (await response.json()) as Record<string, unknown>;
  } catch {
    throw new Refused(undefined);
  }
  const { code } = answer;
  if (!response.ok) throw new Refused(response.status, typeof code === 'string' ? code : undefined);
  return answer;
}
