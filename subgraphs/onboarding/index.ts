// Onboarding: applications of partners for new merchants, their signing, and the approval that makes the merchant (onboarding interface).
import type { Connection } from 'mongoose';
import type { RecordChange } from '../shared/callers/audit';
import type { CarryOut, Propose } from '../shared/callers/proposal';
import type { Clock } from '../shared/clock';
import type { Config } from '../shared/config';
import type { Vault } from '../shared/crypto/vault';
import { ActionReasonType } from '../shared/graph/action.type';
import { classesOf } from '../shared/graph/classes-of';
import { TotalCountType } from '../shared/graph/page.type';
import { ProposalStub, ProposedType } from '../shared/graph/proposal.type';
import type { SubgraphDefinition } from '../shared/graph/subgraph';
import type { Idempotent } from '../shared/idempotency/idempotency';
import { newId } from '../shared/ids';
import type { Find } from '../shared/search';
import type { InTransaction } from '../shared/store/unit-of-work';
import { abandonIdle } from './applications/abandonment.service';
import { onboardingReferences } from './applications/application.reference';
import { createApplicationRepository } from './applications/application.repository';
import { MerchantOnboardingResolver, OnboardingResolver } from './applications/application.resolver';
import * as types from './applications/application.type';
import { OnboardingActionsResolver } from './applications/application-action.resolver';
import * as actionTypes from './applications/application-action.type';
import { createApplicationReader, type JudgeWebhookAddress } from './applications/application-reader';
import { createApplicationSearch } from './applications/application-search.repository';
import { type ApprovalInput, approveOnboarding, resumeApprovals } from './applications/approval.service';
import type { OnboardingServiceDeps } from './applications/saving.service';
import * as countTypes from './applications/status-count.type';
import { readWords, type WordSettings } from './configured-words';
import type { SendMail } from './mails/mail';
import { createMailRepository } from './mails/mail.repository';
import { MailResolver } from './mails/mail.resolver';
import { type MailRound, mailInsert, sendMails } from './mails/mail.service';
import * as mailTypes from './mails/mail.type';
import type { IsMerchantIdTaken, MailInsert, ProvisionMerchant } from './ports';
import { SigningResolver } from './signing/signing.resolver';
import * as signingTypes from './signing/signing.type';

export type { MailMessage, MailOutcome, SendMail } from './mails/mail';
export type { ApprovedMerchant, MailDraft } from './ports';

export interface OnboardingDeps {
  connection: Connection;
  inTransaction: InTransaction;
  idempotent: Idempotent;
  clock: Clock;
  vault: Vault;
  config: Pick<Config, 'environment' | 'isSandbox' | 'PAY_URL'> & WordSettings;
  /** The access domain's audit record of a staff action, as a write. */
  audit: RecordChange;
  propose: Propose;
  /** The notifications domain's judgement of an address that shall be called. */
  judgeAddress: JudgeWebhookAddress;
  /** The merchants domain's answers. */
  isMerchantIdTaken: IsMerchantIdTaken;
  provisionMerchant: ProvisionMerchant;
  /** How a mail is written; into this domain's own collection unless told otherwise. */
  mailInsert?: MailInsert;
}

export interface Onboarding {
  subgraph: SubgraphDefinition;
  /** What the domain finds by a text, of what the caller may see. */
  find: Find;
  /** What approvals come to that a second person confirmed. */
  carryOutApproval: CarryOut;
  /** The janitor of approvals: those whose process died go on; run every second. Returns how many it finished. */
  resumeApprovals(): Promise<number>;
  /** The janitor of forgotten applications; run every few seconds. Returns how many it abandoned. */
  abandonIdle(): Promise<number>;
  /** One round over the mails that are due; run every second where a mail server is configured. */
  sendMails(send: SendMail, stopping: AbortSignal): Promise<MailRound>;
  ensureIndexes(): Promise<void>;
}

/** Wires the domain; nothing is read before the first request, so a connection that is not open will do for the contract. */
export function createOnboarding(deps: OnboardingDeps): Onboarding {
  const { environment, isSandbox, PAY_URL } = deps.config;
  const words = readWords(deps.config);
  const applications = createApplicationRepository(deps.connection);
  const mails = { ...deps, environment, isSandbox, applications, mails: createMailRepository(deps.connection) };
  const services: OnboardingServiceDeps = {
    ...deps,
    environment,
    isSandbox,
    payUrl: PAY_URL,
    applications,
    mailInsert: deps.mailInsert ?? ((draft) => mailInsert(mails, newId(), draft)),
    readApplication: createApplicationReader({ words, judgeAddress: deps.judgeAddress }),
  };
  const subgraph: SubgraphDefinition = {
    name: 'onboarding',
    resolvers: [
      new OnboardingResolver(services, words.operatorSalesRep),
      new OnboardingActionsResolver(deps.clock),
      new MerchantOnboardingResolver(applications, words.operatorSalesRep),
      new SigningResolver(services),
      new MailResolver(mails),
    ],
    types: [
      ...classesOf(types, actionTypes, countTypes, signingTypes, mailTypes),
      ActionReasonType,
      TotalCountType,
      ProposalStub,
      ProposedType,
    ],
    references: onboardingReferences(applications, words.operatorSalesRep),
    unmasked: {
      OnboardingApplication: {
        subjectType: 'application',
        key: 'id',
        fields: ['company', 'bankAccount', 'document', 'signedBy', 'webhooks'],
      },
    },
  };
  return {
    subgraph,
    find: createApplicationSearch(deps.connection),
    async carryOutApproval(context, input, conclude) {
      await approveOnboarding(services, context, input as unknown as ApprovalInput, conclude(null));
    },
    resumeApprovals: () => resumeApprovals(services),
    abandonIdle: () => abandonIdle(services),
    sendMails: (send, stopping) => sendMails(mails, send, stopping),
    async ensureIndexes() {
      await Promise.all([applications.ensureIndexes(), mails.mails.ensureIndexes()]);
    },
  };
}
