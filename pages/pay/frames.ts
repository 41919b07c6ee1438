// The card-field frames: their documents, framed by the registered origin only, and the calls that their script makes (hosted checkout, fields).
import { DomainError } from '../../subgraphs/shared/errors';
import type { Asset } from '../assets';
import { decideLanguage } from '../language';
import type { PageReply, PageRequest, PageRoute } from '../page-route';
import { frameHeaders } from '../security-headers';
import { textsOf } from '../strings';
import { errorKey, inputNames } from './card-form';
import type { Checkout, LoadedCheckout } from './checkout-page';
import { actionFrame, combinedFieldId, deviceFrame, endedFrame, type FrameView, fieldFrame } from './frame-view';

export interface FrameDeps {
  checkout: Checkout;
  assets: { style: Asset; script: Asset };
}

const session = '([0-9a-fA-F-]{36})';
const field = '([A-Za-z_]{1,32})';
const deviceCheckFieldId = 'GDI';
/** Longest value of any card field. */
const valueLengthMax = 320;

export function frameRoutes(deps: FrameDeps): PageRoute[] {
  const at = (tail: string) => new RegExp(`^/frames/${session}/${tail}$`);
  return [
    {
      method: 'GET',
      pattern: at(field),
      name: '/frames/{sessionId}/{fieldId}',
      serve: (request) => show(deps, request),
    },
    {
      method: 'POST',
      pattern: at('device-check'),
      name: '/frames/{sessionId}/device-check',
      serve: (request) => deviceCheck(deps, request),
    },
    {
      method: 'POST',
      pattern: at('confirm'),
      name: '/frames/{sessionId}/confirm',
      serve: (request) => confirm(deps, request),
    },
    {
      method: 'POST',
      pattern: at(`${field}/choose`),
      name: '/frames/{sessionId}/{method}/choose',
      serve: (request) => choose(deps, request),
    },
    {
      method: 'POST',
      pattern: at(field),
      name: '/frames/{sessionId}/{fieldId}',
      serve: (request) => enter(deps, request),
    },
  ];
}

async function show({ checkout, assets }: FrameDeps, request: PageRequest): Promise<PageReply> {
  const [sessionId = '', fieldId = ''] = request.params;
  const page = await checkout.read(request.context, sessionId);
  if (page.kind !== 'BUILD' || !page.merchantOrigin) throw new DomainError('notFound');
  const browser = request.header('accept-language');
  const { language: session, countryLanguage: country } = page;
  const texts = textsOf(decideLanguage({ asked: request.query.get('lang'), session, browser, country }));
  const draw = drawingOf(page, fieldId);
  if (!draw) throw new DomainError('notFound');
  const asked = request.query.get('scheme');
  const scheme = asked === 'light' || asked === 'dark' ? asked : null;
  const body = draw({ texts, page, fieldId, scheme, assets });
  return { status: 200, headers: frameHeaders(page.merchantOrigin), body };
}

function drawingOf(
  { state, methods }: LoadedCheckout,
  fieldId: string,
): ((view: FrameView) => NonNullable<PageReply['body']>) | null {
  const isMethod = methods.some(({ method }) => method === fieldId);
  const isField = fieldId === combinedFieldId || inputNames[fieldId] !== undefined;
  if (!isMethod && !isField && fieldId !== deviceCheckFieldId) return null;
  if (state === 'PAYMENT_COMPLETE') return endedFrame;
  if (isField) return fieldFrame;
  return isMethod ? actionFrame : deviceFrame;
}

/** `{"value"}` of one field; answers whether it is good, and which of our texts says why not. */
async function enter({ checkout }: FrameDeps, request: PageRequest): Promise<PageReply> {
  const [sessionId = '', fieldId = ''] = request.params;
  const input = inputNames[fieldId];
  const value = request.form['value'];
  if (!input) throw new DomainError('notFound');
  if (value === undefined || value.length > valueLengthMax)
    throw new DomainError('invalidInput', undefined, { field: 'value' });
  const answer = await checkout.enterField(request.context, { sessionId, fieldId, value });
  const text = answer.valid ? null : errorKey(input, answer.error ?? '');
  return { status: 200, body: { ...answer, text } };
}

async function deviceCheck({ checkout }: FrameDeps, request: PageRequest): Promise<PageReply> {
  const [sessionId = ''] = request.params;
  const { state } = await checkout.passDeviceCheck(request.context, sessionId, request.form['passed'] === 'true');
  return { status: 200, body: { state } };
}

/** Flow version 3: the shop's own button was pressed. */
async function confirm({ checkout }: FrameDeps, request: PageRequest): Promise<PageReply> {
  const [sessionId = ''] = request.params;
  const { state } = await checkout.confirm(request.context, sessionId);
  return { status: 200, body: { state } };
}

async function choose({ checkout }: FrameDeps, request: PageRequest): Promise<PageReply> {
  const [sessionId = '', method = ''] = request.params;
  const { state, redirectUrl } = await checkout.choose(request.context, sessionId, method);
  return { status: 200, body: { state, url: redirectUrl } };
}
