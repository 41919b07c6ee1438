// The pages on the payment pages' port: hosted payment page, card-field frames, their script, the way back from a challenge (payment interface, B); the
// signing page of an onboarding application (onboarding interface) and the sandbox's mail outbox.
import type { Refusal } from '../../rest-facade/errors/errors';
import { assetReply, assetRoute, readAsset } from '../assets';
import { document } from '../layout';
import type { PageReply, PageRequest, PageRoute } from '../page-route';
import { createPageServer, type PageDeps, type PageServer } from '../page-server';
import { pageHeaders } from '../security-headers';
import { mailRoute } from '../sign/mails';
import { isOfSigning, refuseSigning, signingRoutes } from '../sign/signing';
import { createSigning } from '../sign/signing-page';
import { textsFor } from '../texts-of-request';
import { createCheckout } from './checkout-page';
import { downView, unknownView } from './end-view';
import { frameRoutes } from './frames';
import { hostedRoutes } from './hosted';

/** Builds the server; the caller listens. Throws when the built scripts are not below `root`. */
export function createPagesServer(deps: PageDeps): PageServer {
  const asset = (file: string) => readAsset(deps.root, file);
  const assets = {
    payStyle: asset('pay.css'),
    frameStyle: asset('frame.css'),
    signStyle: asset('sign.css'),
    hosted: asset('hosted.js'),
    frame: asset('frame.js'),
  };
  const checkout = createCheckout(deps.execute);
  const pageAssets = { style: assets.payStyle, script: assets.hosted };
  const styles = [assets.payStyle, assets.signStyle];
  const { isSandbox } = deps.config;
  const signing = { signing: createSigning(deps.execute), styles, isSandbox, refusalOf: deps.refusalOf };
  return createPageServer(deps, {
    name: 'pay',
    routes: [
      ...sdkRoutes(deps.root),
      assetRoute(Object.values(assets)),
      ...hostedRoutes({ checkout, assets: pageAssets, clock: deps.clock, refusalOf: deps.refusalOf }),
      ...frameRoutes({ checkout, assets: { style: assets.frameStyle, script: assets.frame } }),
      ...signingRoutes(signing),
      ...(isSandbox ? [mailRoute({ execute: deps.execute, styles, sandboxKey: deps.config.SANDBOX_KEY })] : []),
    ],
    refuse: (refusal, request) =>
      isOfSigning(request)
        ? refuseSigning(signing, refusal, statusOf(refusal), request)
        : refuse(refusal, request, pageAssets),
  });
}

/** Kept and asked about each time (304): build names the integrity value of this release, which what a browser has of the former one fails. */
const askedAnew = 'public, no-cache';

/** The field script under its fixed address, and its types for the merchant's editor. */
function sdkRoutes(root: string): PageRoute[] {
  const served = [
    { path: '/sdk.js', asset: readAsset(root, 'sdk.js') },
    { path: '/sdk.d.ts', asset: readAsset(root, 'payment-fields.d.ts') },
  ];
  return served.map(({ path, asset }) => ({
    method: 'GET',
    pattern: new RegExp(`^${path.replace(/\./g, '\\.')}$`),
    name: path,
    isUnlimited: true,
    serve: (request) => assetReply(request, asset, askedAnew),
  }));
}

/** A call of a frame's script gets a word, a payer gets a page. */
function refuse(
  refusal: Refusal,
  request: PageRequest | null,
  assets: { style: ReturnType<typeof readAsset> },
): PageReply {
  const { code, retryAfterSeconds } = refusal;
  const status = statusOf(refusal);
  const headers: Record<string, string> = retryAfterSeconds ? { 'retry-after': String(retryAfterSeconds) } : {};
  if (request?.header('content-type').startsWith('application/json')) return { status, headers, body: { code } };
  const texts = textsFor(request);
  const isGone = status === 404 || status === 403;
  const sessionId = request?.params[0];
  const again = sessionId ? `/pay/${sessionId}` : '/';
  return {
    status,
    headers: { ...pageHeaders(), ...headers },
    body: document({
      texts,
      title: texts.t(isGone ? 'unknownTitle' : 'downTitle'),
      styles: [assets.style],
      body: isGone ? unknownView(texts) : downView(texts, again),
    }),
  };
}

function statusOf({ code }: Refusal): number {
  return statuses[code] ?? (code === 'internal' || code === 'generic' ? 500 : 409);
}

const statuses: Readonly<Record<string, number>> = {
  notFound: 404,
  forbidden: 403,
  unauthenticated: 404,
  rateLimited: 429,
  payloadTooLarge: 413,
  invalidInput: 400,
  notJson: 400,
  unavailable: 503,
  outcomeUnknown: 503,
  conflict: 503,
  duplicateInFlight: 503,
};
