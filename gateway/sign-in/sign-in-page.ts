// The page that says why a sign-in did not come about, and how to try again: plain HTML, no script, its one style named by its hash.
import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { DomainError, DomainErrorCode } from '../../subgraphs/shared/errors';

const style = `
:root { color-scheme: light dark; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; font: 1rem/1.5 system-ui, sans-serif; color: #1c2330; background: #f3f5f9; }
main { box-sizing: border-box; width: 100%; max-width: 26rem; padding: 2rem 1.5rem; }
h1 { margin: 0 0 .5rem; font-size: 1.25rem; }
p { margin: 0 0 1.25rem; }
a { display: inline-block; padding: .625rem 1rem; border-radius: .5rem; color: #fff; background: #2f48d8; text-decoration: none; font-weight: 600; }
a:focus-visible { outline: 3px solid #8ea0ff; outline-offset: 2px; }
small { color: #5b6475; }
@media (prefers-color-scheme: dark) { body { color: #e6e9f0; background: #12151c; } small { color: #9aa3b5; } }
`;

const contentPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export interface Shown {
  status: number;
  title: string;
  text: string;
  /** Of the request, for whoever is asked for help. */
  requestId: string;
  headers?: Record<string, string | string[]>;
}

/** Words of ours only: nothing that came with the request stands in it. */
export function sendSignInPage(
  response: ServerResponse,
  { status, title, text, requestId, headers = {} }: Shown,
): void {
  const body = Buffer.from(`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><title>${title}</title><style>${style}</style></head>
<body><main><h1>${title}</h1><p>${text}</p><p><a href="/sign-in">Sign in</a></p><p><small>Request ${requestId}</small></p></main></body></html>
`);
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-length': body.length,
    'content-security-policy': contentPolicy,
    'x-request-id': requestId,
    ...plainHeaders,
    ...headers,
  });
  response.end(body);
}

/** On every answer of the sign-in. */
export const plainHeaders = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
} as const;

interface SignInWords {
  title: string;
  text: string;
}

/** By what the provider or our own checks call it. */
const faultWords: Readonly<Record<string, SignInWords>> = {
  not_begun_here: {
    title: 'This sign-in is over',
    text: 'It was begun in another browser, or more than ten minutes ago. Sign in again.',
  },
  access_denied: {
    title: 'You did not sign in',
    text: 'The identity provider says that you changed your mind, or may not come here.',
  },
  not_asked_anew: {
    title: 'That was no fresh sign-in',
    text: 'The identity provider did not ask who you are. Sign out there, and sign in again.',
  },
};

const refusalWords: Partial<Record<DomainErrorCode, SignInWords>> = {
  forbidden: {
    title: 'You have no access',
    text: 'The identity provider knows you, but none of your groups has a role here, or your access was ended. Ask an administrator.',
  },
  rateLimited: { title: 'Too many tries', text: 'Wait a moment, and sign in again.' },
  unavailable: {
    title: 'Not now',
    text: 'The identity provider or this platform cannot answer. Try again in a moment.',
  },
};

const otherwise: SignInWords = {
  title: 'The sign-in failed',
  text: 'What the identity provider answered could not be taken. Sign in again.',
};

export function wordsOf({ code }: DomainError, fault: string | null): SignInWords {
  return (fault === null ? refusalWords[code] : faultWords[fault]) ?? otherwise;
}
