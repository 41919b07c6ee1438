// What our server gave a frame along, its inputs, and whom the frame speaks to: the one shop's page around it, and our server.
import type { InputName } from '../card-value';
import type { FieldEvent } from './payment-fields';
import { callRepeatedly } from './repeated-call';
import { channelName, type FromFrame } from './wire';

const fieldIds: Record<InputName, string> = {
  number: 'CARD_NUMBER',
  expiry: 'EXPIRATION_DATE',
  cvv: 'SECURITY_CODE',
  holder: 'CARDHOLDER_NAME',
  email: 'CARDHOLDER_EMAIL',
};
const { session = '', field = '', merchantOrigin = '', state = '', version = '1', ...data } = document.body.dataset;

export const given = {
  session,
  field,
  merchantOrigin,
  state,
  version,
  /** Parts of the card, by field id, that the server held when the frame was drawn. */
  entered: (data['entered'] ?? '').split(' ').filter(Boolean),
  /** Fields that the shop's page shows together with this one. */
  together: new URLSearchParams(location.search).get('with')?.split(',') ?? [],
};
/** Texts of ours by key, in the payer's language. */
export const say = JSON.parse(data['texts'] ?? '{}') as Record<string, string>;
export const inputs = [...document.querySelectorAll<HTMLInputElement>('#fields .field input')];

export function nameOf(input: HTMLInputElement): InputName {
  return input.name as InputName;
}

export function fieldIdOf(input: HTMLInputElement): string {
  return fieldIds[nameOf(input)];
}

export function post(message: FromFrame): void {
  if (window.parent !== window) window.parent.postMessage(message, merchantOrigin);
}

export function tellPage(event: Omit<FieldEvent, 'fieldId'> & { fieldId?: string }): void {
  post({ channel: channelName, type: 'event', event: { fieldId: field, ...event } });
}

export function call(path: string, body: object): Promise<Record<string, unknown>> {
  return callRepeatedly(`/frames/${session}/${path}`, body);
}
