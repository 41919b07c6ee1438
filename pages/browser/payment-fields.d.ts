// Types of `window.PaymentFields`, the script that mounts card fields in a shop's own page; served as /sdk.d.ts beside /sdk.js.

/** The answer of `orders/build` (payment interface, Field set), as the shop's server handed it to its page. */
export interface FieldSet {
  sessionId: string;
  state: string;
  /** Integrity value of the script; compared with the one on the script tag. */
  sriHash?: string | null;
  fields: { class: string; id: string; src: string; type: string }[];
  url?: string | null;
}

/** The field ids of the build answer, and `COMBINED`: one frame with all card fields. */
export type FieldId =
  | 'CARD_NUMBER'
  | 'EXPIRATION_DATE'
  | 'SECURITY_CODE'
  | 'CARDHOLDER_NAME'
  | 'CARDHOLDER_EMAIL'
  | 'COMBINED'
  | (string & {});

/** Looks, as tokens; whatever is left out follows the payer's light or dark setting. Colours as #rgb or #rrggbb. */
export interface Theme {
  colorText?: string;
  colorSoft?: string;
  colorBackground?: string;
  colorBorder?: string;
  colorAccent?: string;
  colorError?: string;
  /** Pixels, 0 to 32. */
  radius?: number;
  /** Pixels, 14 to 22. */
  fontSize?: number;
  font?: 'system' | 'serif' | 'mono' | 'rounded';
  density?: 'compact' | 'normal';
}

/** Words of one field in the shop's own voice; what is left out is said in the session's language. */
export interface FieldWords {
  label?: string;
  /** The label stays for screen readers and is not shown, because the page shows its own. */
  isLabelHidden?: boolean;
  hint?: string;
  placeholder?: string;
  /** Said instead of our text when the value is not good. */
  error?: string;
  /** Name of the frame for screen readers; the field's label in the session's language when absent. */
  title?: string;
}

export interface FieldEvent {
  /** `ready`: the field can be used. `state`: the flow moved on; `url` is where the browser must go, if anywhere. `submit`: Enter was pressed. */
  type: 'ready' | 'focus' | 'blur' | 'change' | 'valid' | 'error' | 'brand' | 'state' | 'submit';
  fieldId: FieldId | null;
  /** `error`: INVALID (the value), INCOMPLETE (confirmed too early), FRAME_BLOCKED, WRONG_ORIGIN, INTEGRITY_MISMATCH, SESSION_ENDED, UNAVAILABLE. */
  code?: string;
  message?: string;
  isEmpty?: boolean;
  isValid?: boolean;
  brand?: string | null;
  state?: string;
  url?: string | null;
}

export interface MountOptions {
  fieldSet: FieldSet;
  /** The origin that the shop built the order with; the script refuses to run anywhere else. */
  merchantOrigin?: string;
  /** Where each field goes: an element or a selector. */
  containers: Partial<Record<FieldId, Element | string>>;
  theme?: Theme;
  labels?: Partial<Record<FieldId, FieldWords>>;
  onEvent?(event: FieldEvent): void;
  /** After which a frame that did not report is taken as blocked; 10,000 when absent. One that comes later can be used all the same. */
  frameTimeoutMs?: number;
  /** After which a `confirm` without an answer is rejected; 60,000 when absent. */
  confirmTimeoutMs?: number;
}

export interface MountedFields {
  /** Each field that is empty or wrong says so, for a pay button that was pressed too early. */
  check(): void;
  focus(fieldId: FieldId): void;
  /**
   * Flow version 3: the payer pressed the shop's own button; resolves with the flow state that follows. Rejects when the card is not
   * complete or the session is over (an `error` event says which), when no answer comes in time, and when the fields are unmounted;
   * after a missing answer ask `state` on your server, or confirm again: it changes nothing twice.
   */
  confirm(): Promise<string>;
  setTheme(theme: Theme): void;
  unmount(): void;
}

export interface PaymentFieldsSdk {
  readonly version: string;
  mount(options: MountOptions): MountedFields;
  /** `confirm` of the fields that were mounted last. */
  confirm(): Promise<string>;
}

declare global {
  interface Window {
    PaymentFields: PaymentFieldsSdk;
  }
}
