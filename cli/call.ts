// One HTTP call of the command line: bounded in time, and every way it can fail said in one sentence.
import { CommandFailure, exitCodes } from './failure';

const timeoutMs = 10_000;
const excerptLengthMax = 200;

export interface Call {
  method?: 'GET' | 'POST' | 'PUT';
  headers?: Record<string, string>;
  body?: string;
}

/** Calls and returns the parsed JSON of a 2xx answer; refuses as `refused` (4xx) or `unreachable` (no answer, 5xx). */
export async function callJson(url: string, call: Call = {}): Promise<unknown> {
  const response = await send(url, call);
  const text = await response.text();
  const body = parse(text);
  if (response.ok && body !== undefined) return body;
  if (response.ok) throw new CommandFailure(exitCodes.unreachable, `${url} answered something that is not JSON.`);
  const exitCode = response.status >= 500 ? exitCodes.unreachable : exitCodes.refused;
  throw new CommandFailure(exitCode, `${url} answered ${response.status}${reasonIn(body)}.`);
}

/** Calls and returns the status alone; refuses when nothing answers. */
export async function callStatus(url: string, call: Call = {}): Promise<number> {
  const response = await send(url, call);
  await response.body?.cancel();
  return response.status;
}

/** Calls and returns whatever is answered; the body only if it is JSON. */
export async function callAny(url: string): Promise<{ status: number; body: unknown }> {
  const response = await send(url, {});
  return { status: response.status, body: parse(await response.text()) };
}

/** Runs one GraphQL document and returns its data; refuses with the codes of its errors. */
export async function callGraph(
  url: string,
  accessToken: string,
  document: { query: string; variables: Record<string, unknown> },
): Promise<Record<string, unknown>> {
  const headers = { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' };
  const answer = (await callJson(url, { method: 'POST', headers, body: JSON.stringify(document) })) as {
    data?: Record<string, unknown> | null;
    errors?: { message: string; extensions?: { code?: string } }[];
  };
  if (answer.errors?.length || !answer.data) {
    const reasons = (answer.errors ?? []).map((error) => `${error.extensions?.code ?? 'error'}: ${error.message}`);
    throw new CommandFailure(exitCodes.refused, `The graph refused: ${reasons.join('; ') || 'no data'}`);
  }
  return answer.data;
}

async function send(url: string, call: Call): Promise<Response> {
  try {
    return await fetch(url, { ...call, redirect: 'error', signal: AbortSignal.timeout(timeoutMs) });
  } catch (error) {
    throw new CommandFailure(exitCodes.unreachable, `${url} does not answer (${networkReason(error)}).`);
  }
}

function networkReason(error: unknown): string {
  const { name, cause } = error as Error & { cause?: NodeJS.ErrnoException };
  if (name === 'TimeoutError') return `nothing within ${timeoutMs / 1000} s`;
  return cause?.code ?? cause?.message ?? name;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The words of the documented error bodies; nothing else of an answer is shown. */
function reasonIn(body: unknown): string {
  if (typeof body !== 'object' || body === null) return '';
  const { error, error_description, errorCode, message } = body as Record<string, unknown>;
  const words = [error, error_description, errorCode, message].filter((word) => typeof word === 'string');
  return words.length === 0 ? '' : ` (${words.join(', ').slice(0, excerptLengthMax)})`;
}
