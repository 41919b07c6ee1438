// The list of callback kinds: a kind is its definition in a file of its own, and a line here.
import type { EventRecord } from '../../shared/store/unit-of-work';
import type { CallbackContent, CallbackDefinition } from './callback-definition';
import { merchantNotification } from './merchant-notification';
import { notifyUpdate } from './notify-update';
import { onboardingWebhook } from './onboarding-webhook';

export const callbackDefinitions = {
  'notify-update': notifyUpdate,
  'merchant-notification': merchantNotification,
  'onboarding-webhook': onboardingWebhook,
} satisfies Record<string, CallbackDefinition>;

export type CallbackKind = keyof typeof callbackDefinitions;
export const callbackKinds = Object.keys(callbackDefinitions) as CallbackKind[];

/** What callbacks of the kind are about; null for a kind that only another release knows. */
export function subjectOfKind(kind: unknown): CallbackDefinition['subject'] | null {
  const isKnown = typeof kind === 'string' && Object.hasOwn(callbackDefinitions, kind);
  return isKnown ? callbackDefinitions[kind as CallbackKind].subject : null;
}

/** Callbacks about an application name no merchant: the id that it holds may never be anybody's, and the application tells whose it became. */
export function namesMerchant(kind: unknown): boolean {
  return subjectOfKind(kind) !== 'application';
}

/** What one kind makes of an event, as a list. */
export function contentsOf(event: EventRecord, kind: CallbackKind): readonly CallbackContent[] {
  const { build }: CallbackDefinition = callbackDefinitions[kind];
  const built = build(event) ?? [];
  return 'body' in built ? [built] : built;
}
