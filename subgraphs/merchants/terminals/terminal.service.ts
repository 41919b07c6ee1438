// What staff do with terminals (create, status, origins, methods, currencies, way to capture), each change audited; and what other domains must know of one.
import type { Environment } from '../../shared/callers/caller';
import type { RequestContext } from '../../shared/callers/context';
import { reasonChange } from '../../shared/callers/reason';
import { DomainError } from '../../shared/errors';
import { decideAgain } from '../../shared/store/decide-again';
import type { MerchantStatus } from '../merchant';
import type { MerchantRepository } from '../merchant.repository';
import { type SavingDeps, saveMerchant } from '../saving.service';
import {
  decideCaptureDelay,
  decideCurrencies,
  decideMethods,
  decideOrigins,
  decideTerminalId,
  methodCircuits,
  readTerminalLabel,
  type Terminal,
  type TerminalCapture,
  type TerminalMethodName,
  usualCurrencies,
} from './terminal';
import type { TerminalRepository } from './terminal.repository';

export interface TerminalServiceDeps extends SavingDeps {
  environment: Environment;
  isSandbox: boolean;
  merchants: MerchantRepository;
  terminals: TerminalRepository;
}

export interface NewTerminal {
  merchantId: string;
  terminalId: string;
  label: string;
  captureType: TerminalCapture;
  captureDelayHours?: number | null | undefined;
  origins: readonly string[];
  methods: readonly string[];
  /** The usual ones when nothing is said. */
  currencies?: readonly string[] | null | undefined;
}

export interface CaptureChoice {
  captureType: TerminalCapture;
  captureDelayHours?: number | null | undefined;
}

interface WantedTerminalStatus {
  terminalId: string;
  status: MerchantStatus;
  /** Null: not told. */
  reason: string | null;
}

export interface TerminalSeed extends Pick<Terminal, 'accountId' | 'merchantId' | 'terminalId' | 'label'> {
  captureType: TerminalCapture;
  origins: string[];
  methods: TerminalMethodName[];
}

/** What other domains must know of a terminal. */
export interface TerminalFacts
  extends Pick<
    Terminal,
    'terminalId' | 'accountId' | 'merchantId' | 'captureType' | 'captureDelayHours' | 'origins' | 'currencies'
  > {
  /** INACTIVE too when its merchant is. */
  status: MerchantStatus;
  methods: { method: string; circuits: string[] }[];
}

/** Terminals that one merchant may have. */
const terminalsPerMerchantMax = 200;

export type TerminalService = ReturnType<typeof createTerminalService>;

export function createTerminalService(deps: TerminalServiceDeps) {
  const { isSandbox } = deps;
  return {
    /** Refuses with `invalidInput`, `notFound` (the merchant) or `conflict` (the terminalId is taken, or the merchant has too many). */
    createTerminal: (context: RequestContext, input: NewTerminal) => createTerminal(deps, context, input),
    setTerminalOrigins: (context: RequestContext, terminalId: string, origins: readonly string[]) =>
      change(deps, context, {
        terminalId,
        field: 'setTerminalOrigins',
        decide: () => ({ origins: decideOrigins(origins, isSandbox) }),
      }),
    setTerminalMethods: (context: RequestContext, terminalId: string, methods: readonly string[]) =>
      change(deps, context, {
        terminalId,
        field: 'setTerminalMethods',
        decide: () => ({ methods: decideMethods(methods) }),
      }),
    setTerminalCurrencies: (context: RequestContext, terminalId: string, currencies: readonly string[]) =>
      change(deps, context, {
        terminalId,
        field: 'setTerminalCurrencies',
        decide: () => ({ currencies: decideCurrencies(currencies) }),
      }),
    /** Inactive: no new orders; what was authorized before can still be captured, refunded and voided. */
    setTerminalStatus: (context: RequestContext, { terminalId, status, reason }: WantedTerminalStatus) =>
      change(deps, context, { terminalId, field: 'setTerminalStatus', reason, decide: () => ({ status }) }),
    setTerminalCaptureType: (context: RequestContext, terminalId: string, choice: CaptureChoice) =>
      change(deps, context, {
        terminalId,
        field: 'setTerminalCaptureType',
        decide: (terminal) => ({
          captureType: choice.captureType,
          captureDelayHours: decideCaptureDelay(choice.captureDelayHours ?? terminal.captureDelayHours),
        }),
      }),
    readTerminal: (environment: Environment, terminalId: string) => readTerminal(deps, environment, terminalId),
    seedTerminal: (seed: TerminalSeed) => seedTerminal(deps, seed),
  };
}

async function createTerminal(
  deps: TerminalServiceDeps,
  context: RequestContext,
  input: NewTerminal,
): Promise<Terminal> {
  const { environment, isSandbox, clock } = deps;
  const chosen = {
    terminalId: decideTerminalId(input.terminalId),
    label: readTerminalLabel(input.label, 'label'),
    captureType: input.captureType,
    captureDelayHours: decideCaptureDelay(input.captureDelayHours),
    origins: decideOrigins(input.origins, isSandbox),
    methods: decideMethods(input.methods),
    currencies: decideCurrencies(input.currencies ?? usualCurrencies),
  };
  const [[merchant], present] = await Promise.all([
    deps.merchants.findMany(context.caller, [input.merchantId]),
    deps.terminals.countOf(environment, input.merchantId),
  ]);
  if (!merchant || merchant.deletion)
    throw new DomainError('notFound', 'There is no such merchant.', { field: 'merchantId' });
  if (present >= terminalsPerMerchantMax) throw new DomainError('conflict', 'The merchant has too many terminals.');
  const { accountId, merchantId } = merchant;
  const terminal: Terminal = {
    environment,
    accountId,
    merchantId,
    status: 'ACTIVE',
    ...chosen,
    createdAt: clock.now(),
    version: 1,
  };
  const changes = [{ field: 'merchantId', from: null, to: merchantId }];
  const record = deps.audit(context, { action: 'terminal.created', ...subjectOf(terminal), changes });
  return saveMerchant(deps, context, {
    field: 'createTerminal',
    result: terminal,
    unit: { inserts: [deps.terminals.insertOf(terminal), record] },
  });
}

interface TerminalChange {
  terminalId: string;
  field: string;
  reason?: string | null;
  decide(terminal: Terminal): Partial<Terminal>;
}

/** Refuses with `invalidInput` or `notFound`. */
function change(
  deps: TerminalServiceDeps,
  context: RequestContext,
  { terminalId, field, reason = null, decide }: TerminalChange,
): Promise<Terminal> {
  return decideAgain(async () => {
    const [terminal] = await deps.terminals.findMany(context.caller, [terminalId]);
    if (!terminal) throw new DomainError('notFound');
    const changed = decide(terminal);
    const changes = Object.entries(changed).map(([name, value]) => ({
      field: name,
      from: String(terminal[name as keyof Terminal]),
      to: String(value),
    }));
    const record = deps.audit(context, {
      action: 'terminal.changed',
      ...subjectOf(terminal),
      changes: [...changes, ...reasonChange(reason)],
    });
    return saveMerchant(deps, context, {
      field,
      result: { ...terminal, ...changed, version: terminal.version + 1 },
      unit: { updates: [deps.terminals.updateOf(terminal, changed)], inserts: [record] },
    });
  });
}

async function readTerminal(
  { terminals, merchants }: TerminalServiceDeps,
  environment: Environment,
  terminalId: string,
): Promise<TerminalFacts | null> {
  const terminal = await terminals.findFacts(environment, terminalId);
  if (!terminal) return null;
  const merchant = await merchants.findStatus(environment, terminal.merchantId);
  const { accountId, merchantId, captureType, captureDelayHours, origins, currencies } = terminal;
  return {
    terminalId,
    accountId,
    merchantId,
    captureType,
    captureDelayHours,
    origins,
    currencies,
    status: merchant?.status === 'ACTIVE' ? terminal.status : 'INACTIVE',
    methods: terminal.methods.map((method) => ({ method, circuits: [...methodCircuits[method]] })),
  };
}

function seedTerminal({ environment, clock, terminals }: TerminalServiceDeps, seed: TerminalSeed): Promise<void> {
  return terminals.seed({
    ...seed,
    environment,
    status: 'ACTIVE',
    createdAt: clock.now(),
    version: 1,
    captureDelayHours: decideCaptureDelay(null),
    currencies: usualCurrencies,
  });
}

function subjectOf({ terminalId, accountId, merchantId }: Terminal) {
  return { subjectType: 'terminal', subjectId: terminalId, accountId, merchantId };
}
