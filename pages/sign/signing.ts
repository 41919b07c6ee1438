// The signing page's journey: opening it changes nothing, every change is a posted form, and all of it works without a script (onboarding interface, verificationLink).
import type { RefusalOf } from '../../rest-facade/errors/errors';
import { type Refusal, readRefusal } from '../../rest-facade/errors/errors';
import { withoutUndefined } from '../../subgraphs/shared/present-members';
import type { Asset } from '../assets';
import type { Markup } from '../html';
import { languageCookie } from '../language';
import { document } from '../layout';
import type { PageReply, PageRequest, PageRoute } from '../page-route';
import { scriptlessHeaders } from '../security-headers';
import { companyOf } from './review';
import { completedForm, errorOf, isShown, type SigningError } from './signing-form';
import type { Signing, SigningPage } from './signing-page';
import { chosenLanguage, type SigningTexts, signingTexts } from './signing-strings';
import { brokenLinkView, signingDownView, signingFoot, signingTitle, signingView } from './signing-view';

export interface SigningDeps {
  signing: Signing;
  styles: readonly Asset[];
  isSandbox: boolean;
  refusalOf: RefusalOf;
}

/** Whatever stands there is looked up, so that a cut or mangled link is answered in the words of this page. */
const link = '([^/]*)';
const below = '/onboarding';

export function signingRoutes(deps: SigningDeps): PageRoute[] {
  const post = (tail: string, change: FormChange): PageRoute => ({
    method: 'POST',
    pattern: new RegExp(`^${below}/${link}/${tail}/?$`),
    name: `${below}/{linkToken}/${tail}`,
    serve: (request) => act(deps, request, change),
  });
  return [
    {
      method: 'GET',
      pattern: new RegExp(`^${below}/${link}/?$`),
      name: `${below}/{linkToken}`,
      serve: (request) => show(deps, request),
    },
    post('complete', complete),
    post('sign', sign),
    ...(deps.isSandbox ? [post('fail', ({ signing }, { context }, token) => signing.fail(context, token))] : []),
    post('abandon', ({ signing }, { context }, token) => signing.abandon(context, token)),
  ];
}

/** What a form does; a list says what is wrong before anything is asked of the graph, null that it was drawn of what stands no more. */
type FormChange = (
  deps: SigningDeps,
  request: PageRequest,
  token: string,
  page: SigningPage,
) => Promise<SigningPage | readonly SigningError[] | null>;

const complete: FormChange = async ({ signing }, { context, form }, linkToken, page) => {
  if (page.canComplete && !isShown(form, page)) return null;
  const input = completedForm(form, page);
  const shown = { linkToken, version: page.version };
  return input.acceptedTerms ? signing.complete(context, shown, input) : [{ field: 'terms', key: 'termsMissing' }];
};

const sign: FormChange = async ({ signing }, { context, form }, linkToken, page) => {
  if (page.canSign && !isShown(form, page)) return null;
  const shown = { linkToken, version: page.version };
  const name = (form['signatory'] ?? '').trim();
  return name === '' ? [{ field: 'signatory', key: 'signatoryMissing' }] : signing.sign(context, shown, name);
};

async function show(deps: SigningDeps, request: PageRequest): Promise<PageReply> {
  const page = await read(deps, request);
  return page ? draw(deps, { page, request, status: 200 }) : brokenLink(deps, request);
}

async function act(deps: SigningDeps, request: PageRequest, change: FormChange): Promise<PageReply> {
  const [token = ''] = request.params;
  const page = await read(deps, request);
  if (!page) return brokenLink(deps, request);
  try {
    const outcome = await change(deps, request, token, page);
    if (outcome === null) return draw(deps, { page, request, status: 409 });
    if (!('status' in outcome)) return draw(deps, { page, request, errors: outcome, status: 422 });
  } catch (error) {
    const refusal = readRefusal(error, deps.refusalOf);
    if (refusal.code === 'conflict') return drawAnew(deps, request);
    const mistake = errorOf(refusal.field);
    if (!mistake) throw error;
    return draw(deps, { page, request, errors: [mistake], status: 422 });
  }
  return { status: 303, headers: { location: pathOf(token) } };
}

/** It changed between the look and the act. */
async function drawAnew(deps: SigningDeps, request: PageRequest): Promise<PageReply> {
  const page = await read(deps, request);
  return page ? draw(deps, { page, request, status: 409 }) : brokenLink(deps, request);
}

/** Null also for what cannot be a token: nobody is asked about it. */
async function read({ signing }: SigningDeps, { context, params }: PageRequest): Promise<SigningPage | null> {
  const [token = ''] = params;
  return /^[\w-]{16,128}$/.test(token) ? signing.read(context, token) : null;
}

interface SigningDrawing {
  page: SigningPage;
  request: PageRequest;
  errors?: readonly SigningError[];
  /** 409: the form was drawn of what stands no more. */
  status: 200 | 409 | 422;
}

function draw(deps: SigningDeps, { page, request, errors = [], status }: SigningDrawing): PageReply {
  const texts = signingTexts(request, page.language);
  const path = pathOf(request.params[0] ?? '');
  const typed = errors.length > 0 ? request.form : null;
  const view = { texts, page, errors, typed, path, isOutdated: status === 409, isSandbox: deps.isSandbox };
  const prefix = errors.length > 0 ? `${texts.s('errorTitle')}: ` : '';
  const title = `${prefix}${signingTitle(view)} – ${companyOf(page)}`;
  return reply(deps, { status, texts, title, body: signingView(view), path, request });
}

function brokenLink(deps: SigningDeps, request: PageRequest | null): PageReply {
  const texts = signingTexts(request);
  return reply(deps, {
    status: 404,
    texts,
    title: texts.s('unknownTitle'),
    body: brokenLinkView(texts),
    path: null,
    request,
  });
}

interface SigningAnswer {
  status: number;
  texts: SigningTexts;
  title: string;
  body: Markup;
  /** Where the language switch leads; null: there is none. */
  path: string | null;
  request: PageRequest | null;
}

function reply(
  { styles, isSandbox }: SigningDeps,
  { status, texts, title, body, path, request }: SigningAnswer,
): PageReply {
  const chosen = request && chosenLanguage(request);
  return {
    status,
    headers: {
      ...scriptlessHeaders(),
      ...withoutUndefined({ 'set-cookie': chosen ? languageCookie(chosen) : undefined }),
    },
    body: document({ texts, title, styles, isTest: isSandbox && path !== null, foot: signingFoot(texts, path), body }),
  };
}

/** Only what a link can carry goes into an address. */
function pathOf(token: string): string {
  return `${below}/${encodeURIComponent(token)}`;
}

export function isOfSigning(request: PageRequest | null): boolean {
  return request?.path === below || request?.path.startsWith(`${below}/`) === true;
}

/** A refusal for whoever holds a link, or believes to. */
export function refuseSigning(
  deps: SigningDeps,
  refusal: Refusal,
  status: number,
  request: PageRequest | null,
): PageReply {
  if (status === 404 || status === 403) return { ...brokenLink(deps, request), status };
  const texts = signingTexts(request);
  const { retryAfterSeconds } = refusal;
  const again = pathOf(request?.params[0] ?? '');
  const answer = {
    status,
    texts,
    title: texts.s('downTitle'),
    body: signingDownView(texts, again),
    path: null,
    request,
  };
  const drawn = reply(deps, answer);
  return {
    ...drawn,
    headers: {
      ...drawn.headers,
      ...withoutUndefined({ 'retry-after': retryAfterSeconds ? String(retryAfterSeconds) : undefined }),
    },
  };
}
