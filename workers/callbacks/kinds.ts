// The total table of callback kinds: what each makes of an event. A kind without a builder does not compile.
import type { CallbackContent, CallbackKind } from '../../subgraphs/notifications';
import type { EventRecord } from '../../subgraphs/shared/store/outbox';
import { merchantNotification } from './merchant-notification';
import { notifyUpdate } from './notify-update';
import { onboardingAddresses, onboardingWebhook } from './onboarding-webhook';

/** Null: the event is no callback of that kind; several: each goes to an address of its own. A throw is a defect of the event; the worker records it and goes on. */
export type BuildCallback = (event: EventRecord) => CallbackContent | readonly CallbackContent[] | null;

export const callbackBuilders = {
  'notify-update': notifyUpdate,
  'merchant-notification': merchantNotification,
  'onboarding-webhook': onboardingWebhook,
} satisfies Record<CallbackKind, BuildCallback>;

/** Where an event would have gone that no body could be made of, of the kinds whose address comes with each event. */
export const givenAddresses: Partial<Record<CallbackKind, (event: EventRecord) => string[]>> = {
  'merchant-notification': ({ data: { notificationUrl } }) =>
    typeof notificationUrl === 'string' ? [notificationUrl] : [],
  'onboarding-webhook': onboardingAddresses,
};

/** What one kind makes of an event, as a list. */
export function contentsOf(event: EventRecord, kind: CallbackKind): readonly CallbackContent[] {
  const build: BuildCallback = callbackBuilders[kind];
  const built = build(event) ?? [];
  return 'body' in built ? [built] : built;
}
