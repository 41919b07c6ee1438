// A small reference model of one payment: what every call on it must come to, written down from the payment interface and the decision register and not from the code (2.2-A, 2.2-B, 2.6).

export type ModelCard = 'approved' | 'declined' | 'denied' | 'failed' | 'pending' | 'mute';

interface ModelCapture {
  amount: bigint;
  refunded: bigint;
  isUndone: boolean;
  day: string;
}

/** Amounts in minor units, times in milliseconds of the one clock. */
export interface Model {
  state: string;
  total: bigint;
  authorized: bigint;
  captured: bigint;
  refunded: bigint;
  captures: ModelCapture[];
  authorizedAt: number;
  expiresAt: number | null;
  hasCharge: boolean;
  /** The first charge while its outcome is open. */
  open: { amount: bigint; captureNow: boolean; knownAt: number } | null;
  operations: number;
}

export type Expected = { refusal: string } | { result: string };

const minute = 60_000;
const day = 24 * 60 * minute;
const refuse = (refusal: string): Expected => ({ refusal });
const done = (model: Model, result: string): Expected => {
  model.operations += 1;
  return { result };
};

export function newModel(total: bigint): Model {
  return {
    state: 'Created',
    total,
    authorized: 0n,
    captured: 0n,
    refunded: 0n,
    captures: [],
    authorizedAt: 0,
    expiresAt: null,
    hasCharge: false,
    open: null,
    operations: 0,
  };
}

/** Calendar day at +01:00. */
const dayOf = (now: number) => new Date(now + 60 * minute).toISOString().slice(0, 10);
const isOpen = ({ state }: Model) => state === 'Authorized' || state === 'PartiallyCaptured';
const isDead = ({ expiresAt }: Model, now: number) => expiresAt !== null && expiresAt <= now;
const hasMoney = ({ state }: Model) => ['PartiallyCaptured', 'Captured', 'PartiallyRefunded'].includes(state);

/** The state that follows from the amounts. */
function stand(model: Model): void {
  if (model.refunded > 0n) model.state = model.refunded === model.captured ? 'Refunded' : 'PartiallyRefunded';
  else if (model.captured > 0n) model.state = model.captured === model.authorized ? 'Captured' : 'PartiallyCaptured';
  else model.state = 'Authorized';
}

function book(model: Model, amount: bigint, now: number): void {
  model.captured += amount;
  model.captures.push({ amount, refunded: 0n, isUndone: false, day: dayOf(now) });
}

function authorize(model: Model, { amount, captureNow }: { amount: bigint; captureNow: boolean }, now: number): void {
  model.authorized += amount;
  model.authorizedAt = now;
  if (captureNow) {
    book(model, amount, now);
    model.operations += 1;
  } else model.expiresAt = now + 7 * day;
  stand(model);
}

export function charge(
  model: Model,
  { amount, card, captureNow }: { amount: bigint; card: ModelCard; captureNow: boolean },
  now: number,
): Expected {
  if (model.state === 'Expired') return refuse('authorizationExpired');
  if (model.hasCharge || model.state !== 'Created') return refuse('invalidState');
  if (amount === 0n) return refuse('amountInvalid');
  if (amount > model.total) return refuse('amountAboveAuthorized');
  model.hasCharge = true;
  if (card === 'approved') {
    authorize(model, { amount, captureNow }, now);
    return done(model, 'AUTHORIZED');
  }
  if (card === 'pending' || card === 'mute') {
    model.open = { amount, captureNow, knownAt: now + (card === 'pending' ? 3_000 : minute) };
    model.state = 'Unknown';
    return done(model, 'PENDING');
  }
  model.state = card === 'failed' ? 'Failed' : 'Declined';
  return done(model, { declined: 'DECLINED', denied: 'DENIED_BY_RISK', failed: 'FAILED' }[card]);
}

export function raise(model: Model, amount: bigint, now: number): Expected {
  if (model.state === 'Expired' || (isOpen(model) && isDead(model, now))) return refuse('authorizationExpired');
  if (!isOpen(model)) return refuse('invalidState');
  if (amount === 0n) return refuse('amountInvalid');
  model.authorized += amount;
  stand(model);
  return done(model, 'AUTHORIZED');
}

export function payerCancels(model: Model): Expected {
  if (model.state !== 'Created') return refuse('invalidState');
  model.state = 'Cancelled';
  return done(model, 'CANCELED');
}

/** `by` says whether the authorization was named, which makes the refusals those of family B. */
export function capture(model: Model, by: 'payment' | 'operation', asked: bigint | null, now: number): Expected {
  if (by === 'operation') {
    if (model.state === 'Declined' || model.state === 'Failed' || model.state === 'Unknown')
      return refuse('invalidState');
    if (model.state === 'Cancelled') return refuse('operationVoided');
    if (model.refunded > 0n) return refuse('operationRefunded');
    if (model.state === 'Captured') return refuse('operationCaptured');
  }
  if (model.state === 'Expired' || (isOpen(model) && isDead(model, now))) return refuse('authorizationExpired');
  if (!isOpen(model)) return refuse('invalidState');
  const left = model.authorized - model.captured;
  const amount = asked ?? left;
  if (amount === 0n) return refuse('amountInvalid');
  if (amount > left) return refuse('amountAboveAuthorized');
  book(model, amount, now);
  stand(model);
  return done(model, 'EXECUTED');
}

/** `of`: the place of a capture, the authorization, or the whole payment. */
export function refund(
  model: Model,
  of: number | 'authorization' | 'payment',
  asked: bigint | null,
  now: number,
): Expected {
  const one = typeof of === 'number' ? model.captures[of] : undefined;
  if (one?.isUndone) return refuse('alreadyVoided');
  if (of === 'authorization') {
    if (['Declined', 'Failed', 'Unknown', 'Expired'].includes(model.state)) return refuse('invalidState');
    if (model.state === 'Cancelled') return refuse('alreadyVoided');
    if (model.state === 'Authorized') {
      if (asked !== null && asked !== model.authorized) return refuse('amountAboveCaptured');
      return undo(model, 'operation', now);
    }
  }
  if (model.state === 'Refunded') return refuse('alreadyRefunded');
  if (!hasMoney(model)) return refuse('invalidState');
  const isOneFuller = one !== undefined && one.amount - one.refunded > model.captured - model.refunded;
  const left = one && !isOneFuller ? one.amount - one.refunded : model.captured - model.refunded;
  if (left === 0n) return refuse('alreadyRefunded');
  const amount = asked ?? left;
  if (amount === 0n) return refuse('amountInvalid');
  if (amount > left) return refuse('amountAboveCaptured');
  const from =
    one ?? model.captures.find(({ isUndone, amount: whole, refunded }) => !isUndone && whole - refunded >= amount);
  if (from) from.refunded += amount;
  model.refunded += amount;
  stand(model);
  return done(model, 'REFUNDED');
}

export function undo(model: Model, by: 'payment' | 'operation', now: number): Expected {
  if (by === 'operation' && ['Declined', 'Failed', 'Unknown'].includes(model.state)) return refuse('invalidState');
  if (by === 'operation' && model.state === 'Cancelled') return refuse('alreadyVoided');
  if (model.captured > 0n) return refuse('alreadyCaptured');
  if (model.state === 'Expired') return refuse('authorizationExpired');
  if (model.state !== 'Authorized') return refuse('invalidState');
  if (isDead(model, now)) return refuse('authorizationExpired');
  model.state = 'Cancelled';
  return done(model, 'VOIDED');
}

export function takeBack(model: Model, place: number, now: number): Expected {
  const one = model.captures[place];
  if (!one) throw new Error('there is no such capture in the model');
  if (one.isUndone) return refuse('alreadyVoided');
  if (one.refunded > 0n || model.captured - one.amount < model.refunded) return refuse('operationRefunded');
  if (one.day !== dayOf(now)) return refuse('cancelTooLate');
  one.isUndone = true;
  model.captured -= one.amount;
  stand(model);
  // A capture that was made at once left no date; it counts from the authorization then.
  if (model.state === 'Authorized') model.expiresAt ??= model.authorizedAt + 7 * day;
  return done(model, 'VOIDED');
}

/** What the janitor finds when it comes by. */
export function settle(model: Model, now: number): void {
  if (model.open && model.open.knownAt <= now) {
    const { open } = model;
    model.open = null;
    authorize(model, open, now);
  }
  if (model.state === 'Authorized' && isDead(model, now)) model.state = 'Expired';
}
