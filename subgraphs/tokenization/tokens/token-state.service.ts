// Update token state (tokenization interface, PUT /virtual-accounts/{virtualAccountId}/tokenState), and what issuer and network do to an account.
import type { TokenizationIdentifiers } from '../../shared/callers/caller';
import type { RequestContext } from '../../shared/callers/context';
import { DomainError } from '../../shared/errors';
import { isUuid } from '../../shared/ids';
import { withoutUndefined } from '../../shared/present-members';
import { decideAgain } from '../../shared/store/decide-again';
import type { UnitOfWork } from '../../shared/store/unit-of-work';
import { checkIdentifiers, checkTokenStateData, checkTokenStateFormat } from '../field-rules';
import type { CardUpdate, SimulatedTokenService } from '../token-service/token-service';
import { checkOwnership, decideAgreementForDeletion } from './agreement';
import { type LifecycleTrigger, lifecycle } from './lifecycle';
import { type CardFacts, decideLifecycle, type LifecycleChange, mask, type VirtualAccount } from './virtual-account';
import { virtualAccountEvent } from './virtual-account.events';
import type { HeldAccount } from './virtual-account.repository';
import { cardHashOf, type VirtualAccountDeps } from './virtual-account.service';

export interface UpdateTokenState {
  identifiers: TokenizationIdentifiers;
  virtualAccountId: string;
  /** Only DELETE is supported. */
  tokenState: string;
  /** 1023 to 1027. */
  reasonCode: string;
}

/**
 * Deletes the account for its caller; deleting a deleted one is the same success without a second event.
 * Refuses in the fixed order: invalidInput, forbidden, invalidInput, notFound, agreementInactive, invalidData.
 */
export function updateTokenState(
  deps: VirtualAccountDeps,
  context: RequestContext,
  request: UpdateTokenState,
): Promise<VirtualAccount> {
  const { identifiers, virtualAccountId, tokenState, reasonCode } = request;
  return deps.idempotent<VirtualAccount>(context, 'updateTokenState', async (complete) => {
    checkIdentifiers(identifiers);
    checkOwnership(context.caller, identifiers);
    checkTokenStateFormat(tokenState, reasonCode);
    return decideAgain(async () => {
      const read = await requireOwnAccount(deps, context, { virtualAccountId, acquirerId: identifiers.acquirerId });
      const { environment, accountId } = context.caller;
      const facts = await deps.readAgreement(environment, identifiers, read.account.merchantId);
      decideAgreementForDeletion(facts, accountId);
      checkTokenStateData(tokenState, reasonCode);
      const change: LifecycleChange = { trigger: 'DELETE', by: 'caller', reasonCode, at: deps.clock.now() };
      const { next, unit } = decideUnit(deps, context, { read, change });
      const updates = [...(unit.updates ?? []), ...complete(next)];
      if (updates.length > 0) await deps.inTransaction({ ...unit, updates });
      return next;
    });
  });
}

/** The account when it is the caller's own; foreign, absent and malformed look the same. */
export async function requireOwnAccount(
  { accounts }: Pick<VirtualAccountDeps, 'accounts'>,
  { caller }: RequestContext,
  { virtualAccountId, acquirerId }: { virtualAccountId: string; acquirerId?: string },
): Promise<HeldAccount> {
  const found = isUuid(virtualAccountId) ? await accounts.find(caller, virtualAccountId) : null;
  const isOwn = found !== null && (acquirerId === undefined || found.account.acquirerId === acquirerId);
  if (!isOwn) throw new DomainError('notFound', 'There is no such virtual account.');
  return found;
}

/**
 * Plays issuer and network in the sandbox: first at the token service, then on the account. A trigger without an arrow from the present
 * state changes nothing. Refuses with `notFound`.
 */
export async function applyIssuerEvent(
  deps: VirtualAccountDeps & { simulator: SimulatedTokenService },
  context: RequestContext,
  { virtualAccountId, trigger }: { virtualAccountId: string; trigger: LifecycleTrigger },
): Promise<VirtualAccount> {
  const first = await requireOwnAccount(deps, context, { virtualAccountId });
  if (!lifecycle[first.account.state][trigger]) return first.account;
  const told = await plays[trigger](deps.simulator, first);
  const cardHash = told.account ? { cardHash: await cardHashOf(deps.vault, told.account) } : {};
  return decideAgain(async () => {
    const read = await requireOwnAccount(deps, context, { virtualAccountId });
    const change: LifecycleChange = { trigger, by: 'issuer', card: cardFacts(told), at: deps.clock.now() };
    const { next, unit } = decideUnit(deps, context, { read, change, holding: cardHash });
    if (unit.updates) await deps.inTransaction(unit);
    return next;
  });
}

interface Decision {
  read: HeldAccount;
  change: LifecycleChange;
  holding?: { cardHash?: string };
}

/** The decision as one unit of work; empty when nothing changes. A deletion also asks for the release of the token. */
function decideUnit(
  { accounts, intents }: VirtualAccountDeps,
  context: RequestContext,
  { read, change, holding }: Decision,
): { next: VirtualAccount; unit: UnitOfWork } {
  const decision = decideLifecycle(read.account, change);
  if (!decision) return { next: read.account, unit: {} };
  const { next, event } = decision;
  const unit: UnitOfWork = {
    updates: [accounts.updateOf(read.account, next, holding)],
    events: [virtualAccountEvent(context, next, event)],
  };
  if (next.state === 'DELETED') unit.inserts = [intents.releaseOf(read.holding.provisioningId, next)];
  return { next, unit };
}

type Play = (simulator: SimulatedTokenService, held: HeldAccount) => Promise<CardUpdate>;

const nothingNew: CardUpdate = {};

/** What each trigger is at the token service. */
const plays: Readonly<Record<LifecycleTrigger, Play>> = {
  SUSPEND: async (simulator, { holding }) => {
    await simulator.suspend(holding.tokenReference);
    return nothingNew;
  },
  RESUME: async (simulator, { holding }) => {
    await simulator.resume(holding.tokenReference);
    return nothingNew;
  },
  DELETE: async (simulator, { holding }) => {
    await simulator.discard(holding.tokenReference);
    return nothingNew;
  },
  REPLACE_CARD: (simulator, { holding }) => simulator.replaceCard(holding.tokenReference),
  EXTEND_EXPIRY: (simulator, { account, holding }) =>
    simulator.extendExpiry(holding.tokenReference, account.accountExpiry),
  ASSIGN_PAR: (simulator, { holding }) => simulator.assignPar(holding.tokenReference),
};

function cardFacts({ account, accountExpiry, tokenExpiry, par }: CardUpdate): Partial<CardFacts> {
  return withoutUndefined({
    accountMasked: account ? mask(account) : undefined,
    accountExpiry: accountExpiry || undefined,
    tokenExpiry: tokenExpiry || undefined,
    par: par || undefined,
  });
}
