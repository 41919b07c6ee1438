// Merchants: the accounts (tenants), their merchants, and the agreements that let a PSP act for them.
import type { Connection } from 'mongoose';
import type { RecordChange } from '../shared/callers/audit';
import type { Environment, TokenizationIdentifiers } from '../shared/callers/caller';
import type { Clock } from '../shared/clock';
import type { Config } from '../shared/config';
import { classesOf } from '../shared/graph/classes-of';
import type { SubgraphDefinition } from '../shared/graph/subgraph';
import type { Idempotent } from '../shared/idempotency/idempotency';
import { type Find, findTogether } from '../shared/search';
import type { InTransaction } from '../shared/store/unit-of-work';
import { createAccountRepository } from './accounts/account.repository';
import { AccountResolver } from './accounts/account.resolver';
import * as accountTypes from './accounts/account.type';
import { AdministrationResolver, NewAgreementResolver } from './administration.resolver';
import { createAdministrationService } from './administration.service';
import * as administrationTypes from './administration.type';
import { createAgreementRepository } from './agreements/agreement.repository';
import { type AgreementFacts, readAgreement } from './agreements/agreement-facts';
import { rememberFacts } from './fact-memory.service';
import type { Merchant } from './merchant';
import { merchantReferences } from './merchant.reference';
import { createMerchantRepository } from './merchant.repository';
import { AgreementResolver, MerchantResolver } from './merchant.resolver';
import { createMerchantService, type TenantSeed } from './merchant.service';
import * as types from './merchant.type';
import { type EndMerchant, endDeletedMerchants } from './merchant-end.service';
import { createMerchantNumberRepository } from './merchant-number.repository';
import { type Provisioned, type Provisioning, provisionMerchant } from './merchant-of-application.service';
import { createMerchantSearch } from './merchant-search.repository';
import { createTerminalRepository } from './terminals/terminal.repository';
import { MerchantTerminalsResolver, TerminalResolver } from './terminals/terminal.resolver';
import { createTerminalService, type TerminalFacts, type TerminalSeed } from './terminals/terminal.service';
import * as terminalTypes from './terminals/terminal.type';
import { createTerminalSearch } from './terminals/terminal-search.repository';

export type { TerminalSeed } from './terminals/terminal.service';

export interface MerchantsDeps {
  connection: Connection;
  inTransaction: InTransaction;
  idempotent: Idempotent;
  clock: Clock;
  config: Pick<Config, 'environment' | 'isSandbox'>;
  /** The access domain's audit record of a change, as a write. */
  audit: RecordChange;
}

export interface Merchants {
  subgraph: SubgraphDefinition;
  /** What the domain finds by a text, of what the caller may see. */
  find: Find;
  /** The facts of one identifier triple and one merchant; null: no such agreement. */
  readAgreement(
    environment: Environment,
    identifiers: TokenizationIdentifiers,
    merchantId: string,
  ): Promise<AgreementFacts | null>;
  /** Whether there is such a tenant. */
  isAccount(environment: Environment, accountId: string): Promise<boolean>;
  /** Makes a tenant with one merchant under one active agreement; safe to repeat. */
  seedTenant(seed: TenantSeed): Promise<void>;
  /** The facts of one terminal; null: there is none. */
  readTerminal(environment: Environment, terminalId: string): Promise<TerminalFacts | null>;
  /** One merchant, a deleted one too; null: there is none. */
  readMerchant(environment: Environment, merchantId: string): Promise<Merchant | null>;
  /** Both, for each payment that is built: remembered for a moment, and never as they were before a change that was answered. */
  remembered: Pick<Merchants, 'readTerminal' | 'readMerchant'>;
  /** The same by its number. */
  readMerchantByNumber(environment: Environment, merchantNumber: number): Promise<Merchant | null>;
  /** The merchant, number and first terminal of an approved application; the same application gets the same answer. Refuses with `merchantExists`. */
  provisionMerchant(wanted: Provisioning, requestId: string): Promise<Provisioned>;
  /** Makes a terminal; safe to repeat. */
  seedTerminal(seed: TerminalSeed): Promise<void>;
  /** Ends what deleted merchants have open; run every second. Returns how many are done for good. */
  endDeletedMerchants(end: EndMerchant): Promise<number>;
  ensureIndexes(): Promise<void>;
}

/** Wires the domain; nothing is read before the first request, so a connection that is not open will do for the contract. */
export function createMerchants(given: MerchantsDeps): Merchants {
  const { connection } = given;
  const { environment, isSandbox } = given.config;
  const reads = {
    accounts: createAccountRepository(connection),
    merchants: createMerchantRepository(connection),
    agreements: createAgreementRepository(connection),
    terminals: createTerminalRepository(connection),
  };
  const memory = rememberFacts({
    readTerminal: (from, terminalId) => terminals.readTerminal(from, terminalId),
    readMerchant: reads.merchants.findFacts,
  });
  const deps = { ...given, inTransaction: memory.knownEverywhere(given.inTransaction) };
  const making = { ...deps, ...reads, numbers: createMerchantNumberRepository(connection) };
  const service = createMerchantService({ ...making, environment });
  const terminals = createTerminalService({ ...deps, ...reads, environment, isSandbox });
  const subgraph: SubgraphDefinition = {
    name: 'merchants',
    resolvers: [
      new AccountResolver(reads, { ...making, environment }),
      new MerchantResolver(reads, service),
      new AgreementResolver(reads, service),
      new TerminalResolver(reads, terminals),
      new MerchantTerminalsResolver(reads),
      new AdministrationResolver(createAdministrationService(making)),
      new NewAgreementResolver({ ...making, environment }),
    ],
    types: classesOf(types, accountTypes, terminalTypes, administrationTypes),
    references: merchantReferences(reads),
  };
  return {
    subgraph,
    find: findTogether(createMerchantSearch(connection), createTerminalSearch(connection)),
    readAgreement: (from, identifiers, merchantId) =>
      readAgreement(reads, { environment: from, identifiers, merchantId }),
    isAccount: reads.accounts.exists,
    seedTenant: service.seedTenant,
    readTerminal: terminals.readTerminal,
    readMerchant: reads.merchants.findFacts,
    remembered: memory,
    readMerchantByNumber: reads.merchants.findByNumber,
    provisionMerchant: (wanted, requestId) => provisionMerchant({ ...making, isSandbox }, wanted, requestId),
    seedTerminal: terminals.seedTerminal,
    endDeletedMerchants: (end) =>
      endDeletedMerchants({ ...making, environment, inTransaction: given.inTransaction }, end),
    ensureIndexes: async () => {
      await Promise.all([...Object.values(reads), making.numbers].map((repository) => repository.ensureIndexes()));
    },
  };
}
