// The merchant of an approved application: made with its number and its first terminal in one transaction, harmless to repeat (decision register 2.3-A, Numbers).
import { type Environment, systemCaller } from '../shared/callers/caller';
import { isCountryAlpha2 } from '../shared/countries';
import { DomainError } from '../shared/errors';
import { sha256 } from '../shared/ids';
import { isCurrency } from '../shared/money';
import { emptyDetails, type Merchant, merchantIdPattern } from './merchant';
import { broughtInto } from './merchant-details';
import { insertMerchant, type NewMerchantDeps } from './new-merchant.service';
import type { SavingDeps } from './saving.service';
import {
  captureDelayHoursDefault,
  isMerchantOrigin,
  originsMax,
  type Terminal,
  usualCurrencies,
} from './terminals/terminal';
import type { TerminalRepository } from './terminals/terminal.repository';

export interface ProvisioningDeps extends NewMerchantDeps, Pick<SavingDeps, 'clock'> {
  terminals: TerminalRepository;
  isSandbox: boolean;
}

export interface Provisioning {
  environment: Environment;
  accountId: string;
  /** The same application gets the same merchant, however often it asks. */
  applicationId: string;
  merchantId: string;
  name: string;
  orgNumber: string | null;
  vatNumber: string | null;
  /** ISO 3166-1 alpha-2. */
  country: string;
  /** ISO 4217, alphabetic: what it is paid out in, and the first currency of its terminal. */
  currency: string;
  /** Of its web shop; those that no terminal can have are left out. */
  origins: readonly string[];
}

export interface Provisioned {
  merchantNumber: number;
  terminalId: string;
}

/** Refuses with `merchantExists` when the id is somebody else's, with `invalidInput` what no merchant can be. */
export async function provisionMerchant(
  deps: ProvisioningDeps,
  wanted: Provisioning,
  requestId: string,
): Promise<Provisioned> {
  const { environment, merchantId, applicationId } = wanted;
  assertPossible(wanted);
  const terminalId = terminalIdOf(wanted);
  const present = await deps.merchants.findFacts(environment, merchantId);
  if (present) return provisionedBefore(present, wanted, terminalId);
  const now = deps.clock.now();
  const { accountId, country, currency } = wanted;
  const orgNumber = broughtInto('orgNumber', wanted.orgNumber);
  try {
    const { merchantNumber } = await insertMerchant(deps, {
      context: { caller: systemCaller(environment, 'onboarding'), requestId },
      merchant: {
        ...emptyDetails,
        environment,
        accountId,
        applicationId,
        merchantId,
        name: broughtInto('name', wanted.name) ?? orgNumber ?? merchantId,
        orgNumber,
        vatNumber: broughtInto('vatNumber', wanted.vatNumber),
        country,
        currency,
        status: 'ACTIVE',
        invoicing: 'ENABLED',
        agreementIds: [],
        createdAt: now,
        updatedAt: now,
        version: 1,
      },
      also: () => ({ inserts: [deps.terminals.insertOf(terminalOf(deps, wanted, terminalId))] }),
    });
    return { merchantNumber, terminalId };
  } catch (error) {
    // Another run of the same approval was faster, or somebody else took the id meanwhile.
    const taken = await deps.merchants.findFacts(environment, merchantId);
    if (!taken || !(error instanceof DomainError)) throw error;
    return provisionedBefore(taken, wanted, terminalId);
  }
}

function assertPossible({ merchantId, country, currency }: Provisioning): void {
  const refuse = (field: string) => {
    throw new DomainError('invalidInput', `${field} is not one that a merchant can have`, { field });
  };
  if (!merchantIdPattern.test(merchantId)) refuse('merchantId');
  if (!isCountryAlpha2(country)) refuse('country');
  if (!isCurrency(currency)) refuse('currency');
}

function provisionedBefore(
  { merchantNumber, applicationId, accountId }: Merchant,
  wanted: Provisioning,
  terminalId: string,
): Provisioned {
  if (applicationId !== wanted.applicationId || accountId !== wanted.accountId) throw new DomainError('merchantExists');
  return { merchantNumber, terminalId };
}

/** The same for the same application, so that a repetition finds what it made before. */
function terminalIdOf({ environment, accountId, applicationId }: Provisioning): string {
  const digest = Buffer.from(sha256(`${environment} ${accountId} ${applicationId}`), 'base64url').toString('hex');
  return `terminal-${digest.slice(0, 24)}`;
}

/** The alternative methods that the sandbox simulates need no contract. */
const sandboxMethods = ['CARDS', 'PAYPAL', 'MYBANK'] as const;

function terminalOf(
  { clock, isSandbox }: ProvisioningDeps,
  { environment, accountId, merchantId, currency, origins }: Provisioning,
  terminalId: string,
): Terminal {
  return {
    terminalId,
    environment,
    accountId,
    merchantId,
    label: 'Web shop',
    status: 'ACTIVE',
    captureType: 'EXPLICIT',
    captureDelayHours: captureDelayHoursDefault,
    origins: [...new Set(origins)].filter((origin) => isMerchantOrigin(origin, isSandbox)).slice(0, originsMax),
    methods: isSandbox ? [...sandboxMethods] : ['CARDS'],
    currencies: [...new Set([currency, ...usualCurrencies])],
    createdAt: clock.now(),
    version: 1,
  };
}
