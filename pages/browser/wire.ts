// What frame and shop page say to each other by postMessage; anything else that arrives is ignored.
import type { FieldEvent, FieldWords, Theme } from './payment-fields';

export const channelName = 'payment-fields/1';

/** What the shop's page is drawn in where the field stands; the frame is drawn in the same. */
export type ColorScheme = 'light' | 'dark';

/** From the shop's page to a frame. */
export type ToFrame =
  | { channel: typeof channelName; type: 'configure'; theme: Theme; words: FieldWords; scheme: ColorScheme }
  | { channel: typeof channelName; type: 'focus' }
  /** Say what is missing or wrong, as if the payer had left the field; answered with `checked`. */
  | { channel: typeof channelName; type: 'check' }
  | { channel: typeof channelName; type: 'confirm' };

/** From a frame to the shop's page: its name in the payer's language, an event, its height, or the answers to `check` and `confirm`. */
export type FromFrame =
  | { channel: typeof channelName; type: 'title'; title: string }
  | { channel: typeof channelName; type: 'event'; event: FieldEvent }
  | { channel: typeof channelName; type: 'size'; height: number }
  /** Nothing is under way any more; settled when the server holds what the payer sees. */
  | { channel: typeof channelName; type: 'checked'; isSettled: boolean }
  | { channel: typeof channelName; type: 'confirmed'; state: string | null };

export function isMessage(data: unknown): data is { channel: string; type: string } {
  return typeof data === 'object' && data !== null && (data as { channel?: unknown }).channel === channelName;
}
