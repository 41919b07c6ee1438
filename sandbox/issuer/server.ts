// The simulated issuer of the sandbox: the 3DS challenge and the visit to an alternative method, each a question that leads back whatever the answer.

import { type Asset, assetRoute, readAsset } from '../../pages/assets';
import type { Insert } from '../../pages/html';
import { languageCookie, languageOf } from '../../pages/language';
import { document } from '../../pages/layout';
import type { PageReply, PageRequest, PageRoute } from '../../pages/page-route';
import { createPageServer, type PageDeps, type PageServer } from '../../pages/page-server';
import { present, runPageOperation } from '../../pages/run-operation';
import { pageHeaders } from '../../pages/security-headers';
import type { Texts } from '../../pages/strings';
import { textsFor } from '../../pages/texts-of-request';
import type { Refusal } from '../../rest-facade/errors/errors';
import { withoutUndefined } from '../../subgraphs/shared/present-members';
import {
  type ChallengeView,
  challengeTitle,
  challengeView,
  issuerDown,
  type ShownChallenge,
  unknownChallenge,
} from './challenge-view';
import { methodView, type ShownVisit } from './method-view';

interface IssuerSite {
  deps: PageDeps;
  style: Asset;
  frame: Asset;
  script: Asset;
}

/** Builds the server; the caller listens. Only in the sandbox. Throws when the built scripts are not below `root`. */
export function createAcsServer(deps: PageDeps): PageServer {
  const asset = (file: string) => readAsset(deps.root, file);
  const site: IssuerSite = { deps, style: asset('pay.css'), frame: asset('acs.css'), script: asset('challenge.js') };
  return createPageServer(deps, {
    name: 'acs',
    routes: [assetRoute([site.style, site.frame, site.script]), ...challengeRoutes(site), ...methodRoutes(site)],
    refuse: (refusal, request) => refuse(site, refusal, request),
  });
}

const id = '([0-9a-zA-Z-]{1,64})';

function challengeRoutes(site: IssuerSite): PageRoute[] {
  const pattern = new RegExp(`^/challenge/${id}$`);
  const name = '/challenge/{challengeId}';
  const read = async ({ params, context }: PageRequest) =>
    present(
      await runPageOperation<ShownChallenge | null>(site.deps.execute, {
        context,
        operation: 'GetThreeDsChallenge',
        variables: { challengeId: params[0] },
      }),
    );
  return [
    {
      method: 'GET',
      pattern,
      name,
      serve: async (request) => drawChallenge(site, { request, challenge: await read(request), notice: null }),
    },
    {
      method: 'POST',
      pattern,
      name,
      serve: async (request) => answerChallenge(site, { request, challenge: await read(request) }),
    },
  ];
}

const spokenAnswers = new Set(['PASS', 'FAIL', 'CANCEL', 'TIMEOUT', 'RESEND']);

/** A code is an answer too; what it is worth is the issuer's to say. */
async function answerChallenge(
  site: IssuerSite,
  { request, challenge }: { request: PageRequest; challenge: ShownChallenge },
): Promise<PageReply> {
  if (challenge.status !== 'OPEN') return drawChallenge(site, { request, challenge, notice: null });
  const pressed = request.form['answer'] ?? 'CODE';
  const code = (request.form['code'] ?? '').replace(/\s/g, '');
  if (!spokenAnswers.has(pressed) && code === '') return drawChallenge(site, { request, challenge, notice: 'missing' });
  const answer = spokenAnswers.has(pressed) ? pressed : code;
  const answered = await runPageOperation<ShownChallenge>(site.deps.execute, {
    context: request.context,
    operation: 'AnswerChallenge',
    variables: { challengeId: challenge.challengeId, answer },
  });
  if (answered.status === 'PASSED') return { status: 303, headers: { location: answered.returnUrl } };
  if (answered.status !== 'OPEN') return { status: 303, headers: { location: `/challenge/${challenge.challengeId}` } };
  return drawChallenge(site, { request, challenge: answered, notice: answer === 'RESEND' ? 'resent' : 'wrong' });
}

function drawChallenge(
  site: IssuerSite,
  { request, challenge, notice }: { request: PageRequest; challenge: ShownChallenge; notice: ChallengeView['notice'] },
): PageReply {
  const texts = textsFor(request, challenge.language);
  const leftMs = Date.parse(challenge.expiresAt) - site.deps.clock.now().getTime();
  const isInApp = request.query.get('app') === '1';
  const status = notice === 'wrong' || notice === 'missing' ? 422 : 200;
  return draw(site, {
    texts,
    request,
    status,
    path: `/challenge/${challenge.challengeId}`,
    title: challengeTitle({ texts, challenge, isInApp }),
    body: challengeView({ texts, challenge, notice, isInApp, leftMs }),
    formTargets: [originOf(challenge.returnUrl)],
  });
}

function methodRoutes(site: IssuerSite): PageRoute[] {
  const pattern = new RegExp(`^/method/${id}$`);
  const name = '/method/{visitId}';
  const run = (request: PageRequest, operation: string, variables: Record<string, unknown>) =>
    runPageOperation<ShownVisit | null>(site.deps.execute, { context: request.context, operation, variables });
  return [
    {
      method: 'GET',
      pattern,
      name,
      serve: async (request) =>
        drawMethod(
          site,
          request,
          present(await run(request, 'GetAlternativeMethodVisit', { visitId: request.params[0] })),
        ),
    },
    {
      method: 'POST',
      pattern,
      name,
      serve: async (request) => {
        const answer = ['PASS', 'FAIL', 'CANCEL'].find((word) => word === request.form['answer']) ?? 'CANCEL';
        const visit = present(await run(request, 'AnswerAlternativeMethod', { visitId: request.params[0], answer }));
        return { status: 303, headers: { location: visit.returnUrl } };
      },
    },
  ];
}

function drawMethod(site: IssuerSite, request: PageRequest, visit: ShownVisit): PageReply {
  const texts = textsFor(request, visit.language);
  return draw(site, {
    texts,
    request,
    status: 200,
    path: `/method/${visit.visitId}`,
    title: visit.status === 'OPEN' ? texts.t('payTitle', { merchant: visit.merchantName }) : texts.t('methodEndTitle'),
    body: methodView(texts, visit),
    formTargets: [originOf(visit.returnUrl)],
  });
}

interface IssuerDrawing {
  texts: Texts;
  request: PageRequest;
  status: number;
  path: string;
  title: string;
  body: Insert;
  /** Where an answer may lead. */
  formTargets: string[];
}

function draw(site: IssuerSite, { texts, request, status, path, title, body, formTargets }: IssuerDrawing): PageReply {
  const chosen = languageOf(request.query.get('lang'));
  return {
    status,
    headers: {
      ...pageHeaders(formTargets),
      ...withoutUndefined({ 'set-cookie': chosen ? languageCookie(chosen) : undefined }),
    },
    body: document({
      texts,
      title,
      body,
      isTest: true,
      switchTo: path,
      styles: [site.style, site.frame],
      scripts: [site.script],
    }),
  };
}

/** What is not there leads back to the shop; what cannot be served now may be tried again. */
function refuse(site: IssuerSite, refusal: Refusal, request: PageRequest | null): PageReply {
  const texts = textsFor(request);
  const isGone = goneCodes.has(refusal.code);
  return {
    status: isGone ? 404 : refusal.code === 'rateLimited' ? 429 : 503,
    headers: {
      ...pageHeaders(),
      ...withoutUndefined({ 'retry-after': refusal.retryAfterSeconds ? String(refusal.retryAfterSeconds) : undefined }),
    },
    body: document({
      texts,
      title: texts.t(isGone ? 'acsUnknownTitle' : 'downTitle'),
      styles: [site.style, site.frame],
      isTest: true,
      body: isGone ? unknownChallenge(texts) : issuerDown(texts, request?.path ?? '/'),
    }),
  };
}

const goneCodes: ReadonlySet<string> = new Set([
  'notFound',
  'flowStateInvalid',
  'forbidden',
  'invalidInput',
  'notJson',
  'payloadTooLarge',
]);

function originOf(address: string): string {
  return URL.canParse(address) ? new URL(address).origin : "'self'";
}
