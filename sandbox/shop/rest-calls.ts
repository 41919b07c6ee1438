// The shop's server as a client of the documented REST paths: it keeps its key and the security token to itself and shows every exchange with those blanked.
import { newId } from '../../subgraphs/shared/ids';

/** One call as the shop's page shows it. */
export interface Exchange {
  title: string;
  method: string;
  path: string;
  headers: Record<string, string>;
  body: unknown;
  status: number;
  answer: unknown;
}

export interface RestCall {
  title: string;
  /** Origin of the platform. */
  base: string;
  method: 'GET' | 'POST';
  path: string;
  headers: Record<string, string>;
  body?: unknown;
  /** Sent as a form instead of JSON. */
  isForm?: boolean;
}

const timeoutMs = 12_000;
/** What a page may never learn. */
const secretNames = /^(x-api-key|authorization|x-sandbox-key|securitytoken|access_token|client_secret)$/i;

/** Makes the call; an answer that is no 2xx is an answer too. Rejects when there is none. */
export async function callRest({ title, base, method, path, headers, body, isForm }: RestCall): Promise<Exchange> {
  const type = { 'Content-Type': isForm ? 'application/x-www-form-urlencoded' : 'application/json' };
  const sent = () => (isForm ? new URLSearchParams(body as Record<string, string>) : JSON.stringify(body));
  const response = await fetch(`${base}${path}`, {
    method,
    headers: body === undefined ? headers : { ...headers, ...type },
    body: body === undefined ? undefined : sent(),
    signal: AbortSignal.timeout(timeoutMs),
  });
  const text = await response.text();
  return { title, method, path, headers, body: body ?? null, status: response.status, answer: readAnswer(text) };
}

/** Headers of hosted checkout: the terminal's key, and a new correlation id for each call. */
export function checkoutHeaders(apiKey: string): Record<string, string> {
  return { 'X-API-KEY': apiKey, 'Correlation-Id': newId() };
}

/** The exchange without secrets, fit for a page. */
export function shown(exchange: Exchange): Exchange {
  return blanked(exchange) as Exchange;
}

function blanked(value: unknown, name = ''): unknown {
  if (typeof value === 'string') return secretNames.test(name) ? `${value.slice(0, 9)}…` : value;
  if (Array.isArray(value)) return value.map((each) => blanked(each));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, blanked(member, key)]));
}

function readAnswer(text: string): unknown {
  if (text === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    return text.slice(0, 500);
  }
}
