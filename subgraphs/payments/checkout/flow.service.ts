// What a payer does before paying: opens the page, chooses, types the card, passes the device check (2.2-C of the decision register).
import type { RequestContext } from '../../shared/callers/context';
import { DomainError } from '../../shared/errors';
import type { InsertWrite, UnitOfWork, UpdateWrite } from '../../shared/store/unit-of-work';
import type { CardEntry } from '../sessions/card-entry';
import {
  type CardFieldErrorCode,
  cardEntryMsMax,
  decidePart,
  emptyEntry,
  enteredCircuitOf,
  securityCodeLengthOf,
} from '../sessions/card-entry';
import {
  type CardFieldId,
  type CheckoutSession,
  cardFieldIds,
  decideFlow,
  deviceCheckFailuresMax,
} from '../sessions/checkout-session';
import type { SessionChange } from '../sessions/checkout-session.repository';
import {
  type CheckoutDeps,
  changeSession,
  isPaying,
  requireSession,
  type SessionStep,
} from '../sessions/checkout-session.service';
import { isCardAllowed, pageRulesOf } from '../sessions/page-rules';
import { settled } from '../sessions/session-ending.service';
import type { Visit } from '../sessions/visit.repository';
import { cardDataOf, openCard, requiredFields } from './entered-card.service';
import { endByFailedCheck } from './finalize.service';
import { chosen, firstStep } from './method-choice.service';

export interface CardToEnter {
  number: string;
  expiry: string;
  cvv: string;
  holder?: string | null;
  email?: string | null;
}

export interface FieldEntry {
  valid: boolean;
  error: CardFieldErrorCode | null;
  brand: string | null;
  state: CheckoutSession['state'];
  securityCodeLength: number | null;
}

/** The payer has arrived at our page: the first state with something to do. A page opened before stays as it is, and the payer has more time. */
export async function openPage(
  deps: CheckoutDeps,
  context: RequestContext,
  sessionId: string,
): Promise<CheckoutSession> {
  const session = await settled(deps, context, await requireSession(deps, context, sessionId));
  if (session.state === 'PAYMENT_COMPLETE' || isPaying(session)) return session;
  return changeSession(deps, context, { sessionId, known: session }, async (present) => {
    if (present.state === 'PAYMENT_COMPLETE') return null;
    if (present.state !== 'PAYMENT_INITIALIZATION') return { change: {} };
    const payment = await deps.money.findPayment(context.caller, present.paymentId);
    if (!payment) throw new Error('a session without its payment');
    const step = await firstStep(deps, present);
    const updates = isOpen(payment.state) ? deps.money.setState(payment, 'PAGE_OPENED') : [];
    return { ...step, alongside: { updates } };
  });
}

const isOpen = (state: string): boolean => ['Created', 'PendingCustomer', 'PendingAuthentication'].includes(state);

/** CARDS or an alternative method. Refuses with `invalidData` what is not offered, `flowStateInvalid`. */
export async function chooseMethod(
  deps: CheckoutDeps,
  context: RequestContext,
  sessionId: string,
  method: string,
): Promise<CheckoutSession> {
  const known = await settled(deps, context, await requireSession(deps, context, sessionId));
  return changeSession(deps, context, { sessionId, known }, (session) => {
    const isChosen = session.method === method && session.state !== 'PAYMENT_INITIALIZATION';
    return isChosen && session.state !== 'PAYMENT_METHOD_SELECTION' ? null : chosen(deps, session, method);
  });
}

/** One part of the card, sealed at once when it is good and forgotten when it is not. Refuses with `flowStateInvalid`. */
export async function enterField(
  deps: CheckoutDeps,
  context: RequestContext,
  sessionId: string,
  { fieldId, value }: { fieldId: string; value: string },
): Promise<FieldEntry> {
  const field = cardFieldIds.find((known) => known === fieldId);
  if (!field) throw new DomainError('invalidData', 'there is no such field', { field: 'fieldId' });
  const known = await settled(deps, context, await requireSession(deps, context, sessionId));
  let judged: { error: CardFieldErrorCode | null; circuit: string | null } = { error: null, circuit: null };
  const session = await changeSession(deps, context, { sessionId, known }, async (present) => {
    const entry = await entryOf(deps, present);
    const parts = await judge(deps, present, { entry, typed: { [field]: value } });
    judged = {
      error: parts.errors[0]?.code ?? null,
      circuit: field === 'CARD_NUMBER' ? enteredCircuitOf(value.replace(/[\s-]/g, '')) : parts.entry.circuit,
    };
    return entryStep(deps, present, { before: entry, after: parts.entry });
  });
  const { error, circuit } = judged;
  return {
    valid: error === null,
    error,
    brand: circuit,
    state: session.state,
    securityCodeLength: securityCodeLengthOf(circuit),
  };
}

export interface FieldError {
  field: CardFieldId;
  code: CardFieldErrorCode;
}

/** The whole card at once, on a visit that was just read; nothing is kept when a part is refused. Refuses with `flowStateInvalid`. */
export async function takeCard(
  deps: CheckoutDeps,
  context: RequestContext,
  read: SeenCard,
  { number, expiry, cvv, holder, email }: CardToEnter,
): Promise<{ session: CheckoutSession; errors: FieldError[] }> {
  const { sessionId } = read.session;
  const known = await settled(deps, context, read.session);
  let errors: FieldError[] = [];
  const session = await changeSession(deps, context, { sessionId, known }, async (present) => {
    const entry = await entryOf(deps, present, read);
    const typed = {
      CARD_NUMBER: number,
      EXPIRATION_DATE: expiry,
      SECURITY_CODE: cvv,
      CARDHOLDER_NAME: holder ?? '',
      CARDHOLDER_EMAIL: email ?? '',
    };
    const judged = await judge(deps, present, { entry, typed });
    errors = judged.errors;
    return errors.length > 0 ? null : entryStep(deps, present, { before: entry, after: judged.entry });
  });
  return { session, errors };
}

/** Version 3: the shop's own button; the device check comes next. Refuses with `flowStateInvalid` before the card is complete. */
export async function confirm(
  deps: CheckoutDeps,
  context: RequestContext,
  sessionId: string,
): Promise<CheckoutSession> {
  const known = await settled(deps, context, await requireSession(deps, context, sessionId));
  return changeSession(deps, context, { sessionId, known }, async (session) => {
    if (session.state === 'READY_FOR_PAYMENT' || session.state === 'GDI_VERIFICATION') return null;
    const entry = await entryOf(deps, session);
    const change = await completion(deps, { ...session, flowVersion: '1' }, entry);
    if (change.state === undefined || session.state !== 'CARD_DATA_COLLECTION')
      throw new DomainError('flowStateInvalid', 'the card is not complete');
    return { change };
  });
}

/** What came of the device check, on a visit that was just read; the third failure ends the session with THREEDS_FAILED. Refuses with `flowStateInvalid`. */
export async function reportDeviceCheck(
  deps: CheckoutDeps,
  context: RequestContext,
  read: SeenCard,
  isPassed: boolean,
): Promise<CheckoutSession> {
  const { sessionId } = read.session;
  const known = await settled(deps, context, read.session);
  const session = await changeSession(deps, context, { sessionId, known }, async (present) => {
    if (present.state === 'READY_FOR_PAYMENT' && isPassed) return null;
    decideFlow(present.state, 'passCheck');
    const deviceCheck = { isPassed, failures: present.deviceCheck.failures + (isPassed ? 0 : 1) };
    if (!isPassed) return { change: { deviceCheck } };
    const change = await completion(deps, { ...present, deviceCheck }, await entryOf(deps, present, read));
    // Parts that outlived their minutes are typed again.
    const typeAgain = { state: decideFlow(present.state, 'editCard'), entered: [] };
    const moved = change.state === undefined ? typeAgain : change;
    return { change: { deviceCheck, ...moved } };
  });
  const isOver = session.state === 'GDI_VERIFICATION' && session.deviceCheck.failures >= deviceCheckFailuresMax;
  return isOver ? endByFailedCheck(deps, context, sessionId) : session;
}

interface HeldEntry extends CardEntry {
  /** False when the database has dropped it meanwhile. */
  isStored: boolean;
}

/** A session, and what was read of its card together with it. */
type SeenCard = Pick<Visit, 'session'> & Partial<Pick<Visit, 'held'>>;

/** `seen` counts as long as the session is the one that it was read with. */
async function entryOf(deps: CheckoutDeps, session: CheckoutSession, seen?: SeenCard): Promise<HeldEntry> {
  const { sessionId, state, instrument } = session;
  if (instrument) throw new DomainError('flowStateInvalid', 'a card that was stored before is charged');
  if (!['CARD_DATA_COLLECTION', 'GDI_VERIFICATION', 'READY_FOR_PAYMENT'].includes(state))
    throw new DomainError('flowStateInvalid', `no card is asked for in the flow state ${state}`);
  const held = seen?.session === session ? seen.held : undefined;
  const found = held === undefined ? await deps.cards.find({ sessionId }, deps.clock.now()) : held;
  return found ? { ...found, isStored: true } : { ...emptyEntry(sessionId, deps.clock.now()), isStored: false };
}

type Typed = Partial<Record<CardFieldId, string>>;

async function judge(
  deps: CheckoutDeps,
  session: CheckoutSession,
  { entry, typed }: { entry: HeldEntry; typed: Typed },
): Promise<{ entry: HeldEntry; errors: FieldError[] }> {
  const circuits = session.methods.find(({ method }) => method === 'CARDS')?.circuits ?? [];
  const rules = pageRulesOf(session.pageConfiguration);
  const now = deps.clock.now();
  const after = { ...entry, parts: { ...entry.parts } };
  const errors: FieldError[] = [];
  for (const field of cardFieldIds) {
    const text = typed[field];
    if (text === undefined) continue;
    const { value, error } = decidePart(field, text, { circuit: after.circuit, circuits, now });
    const circuit = field === 'CARD_NUMBER' && value ? enteredCircuitOf(value) : null;
    const isRejected = circuit !== null && !isCardAllowed(rules, { circuit, bin: value ?? '' });
    const code = error ?? (isRejected ? 'rejectedCard' : null);
    if (code) errors.push({ field, code });
    if (field === 'CARD_NUMBER') after.circuit = code ? null : circuit;
    if (field === 'SECURITY_CODE') after.securityCodeLength = code || !value ? null : value.length;
    if (code || !value) delete after.parts[field];
    else after.parts[field] = await deps.vault.seal({ owner: session.accountId, field: `cardEntry.${field}` }, value);
  }
  const length = securityCodeLengthOf(after.circuit);
  if (length !== null && after.securityCodeLength !== null && after.securityCodeLength !== length) {
    delete after.parts.SECURITY_CODE;
    after.securityCodeLength = null;
  }
  return { entry: after, errors };
}

/** The step that keeps the parts; a session that was ready is collecting again, and ready again when all is there. */
async function entryStep(
  deps: CheckoutDeps,
  session: CheckoutSession,
  { before, after }: { before: HeldEntry; after: HeldEntry },
): Promise<SessionStep> {
  const { isStored, version: _version, sessionId, ...content } = after;
  const expiresAt = new Date(deps.clock.now().getTime() + cardEntryMsMax);
  const isCollecting = session.state === 'CARD_DATA_COLLECTION';
  const isSameNumber = before.parts.CARD_NUMBER === after.parts.CARD_NUMBER;
  const collecting = {
    ...session,
    state: isCollecting ? session.state : decideFlow(session.state, 'editCard'),
    deviceCheck: isSameNumber ? session.deviceCheck : { ...session.deviceCheck, isPassed: false },
  };
  const change: SessionChange = {
    state: collecting.state,
    deviceCheck: collecting.deviceCheck,
    cardData: null,
    entered: cardFieldIds.filter((field) => after.parts[field]),
    ...(await completion(deps, collecting, after)),
  };
  const updates: UpdateWrite[] = isStored ? [deps.cards.updateOf(before, { ...content, expiresAt })] : [];
  const inserts: InsertWrite[] = isStored
    ? []
    : [deps.cards.insertOf({ sessionId, ...content, expiresAt, version: 1 })];
  const alongside: UnitOfWork = { inserts, updates };
  return { change, alongside };
}

/** Where a card that is complete leads; nothing while a part is missing, or while version 3 waits for the shop's button. */
async function completion(
  deps: CheckoutDeps,
  session: CheckoutSession,
  entry: CardEntry,
): Promise<Pick<SessionChange, 'state' | 'cardData'>> {
  if (requiredFields.some((field) => !entry.parts[field])) return {};
  const isOwnPage = session.kind === 'HOSTED';
  if (session.state === 'CARD_DATA_COLLECTION') {
    if (!isOwnPage && session.flowVersion === '3') return {};
    const isChecked = isOwnPage || session.deviceCheck.isPassed || !deps.threeDs.needsDeviceCheck(entry.circuit);
    if (!isChecked) return { state: decideFlow(session.state, 'requireCheck') };
  }
  const card = await openCard(deps, session, entry);
  if (!card) return {};
  const trigger = session.state === 'GDI_VERIFICATION' ? 'passCheck' : 'completeCard';
  return { state: decideFlow(session.state, trigger), cardData: cardDataOf(card) };
}
