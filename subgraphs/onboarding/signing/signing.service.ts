// What the merchant does on the signing page: complete the form, sign, fail, give up; the token in the link is the only credential (onboarding interface, verificationLink; 2.3-B of the decision register).
import type { RequestContext } from '../../shared/callers/context';
import { DomainError } from '../../shared/errors';
import { emailAddress, fields, flag, freeText, refuseField } from '../../shared/field-reader';
import { sha256 } from '../../shared/ids';
import { withoutUndefined } from '../../shared/present-members';
import type { ApplicationFacts, OnboardingCase } from '../applications/application';
import { readBankAccount, readContactPerson } from '../applications/application-reader';
import { isLinkAlive, type Move } from '../applications/moves';
import { moveOnce, type OnboardingServiceDeps } from '../applications/saving.service';
import { decideStatus } from '../applications/transitions';

/** Null for a link that is unknown, too old, or followed by a newer one. Changes nothing: mail scanners open links too. */
export async function findByLink(deps: OnboardingServiceDeps, linkToken: string): Promise<OnboardingCase | null> {
  const found = await deps.applications.findByLink(deps.environment, sha256(linkToken));
  return found && isLinkAlive(found, deps.clock.now()) ? found : null;
}

const readForm = fields(
  { acceptedTerms: flag },
  { contactPerson: readContactPerson, invoiceEmail: emailAddress, bankAccount: readBankAccount },
);

/** The page on which something was decided. */
export interface ShownPage {
  linkToken: string;
  /** Of the application that it showed. */
  version: number;
}

/**
 * What the merchant adds to the application, which is then ready to be signed. Refuses with `invalidInput` when the terms are not accepted, with
 * `conflict` when another application was shown.
 */
export function completeForm(
  deps: OnboardingServiceDeps,
  context: RequestContext,
  shown: ShownPage,
  input: unknown,
): Promise<OnboardingCase> {
  const { acceptedTerms, ...added } = readForm(input, 'input');
  if (!acceptedTerms) refuseField('input.acceptedTerms', 'must be true');
  return moveShown(deps, context, shown, ({ facts }) => ({
    action: 'COMPLETE_FORM',
    change: { facts: withForm(facts, added) },
  }));
}

/** Refuses with `conflict` when another application was shown. */
export function sign(
  deps: OnboardingServiceDeps,
  context: RequestContext,
  shown: ShownPage,
  signatoryName: string,
): Promise<OnboardingCase> {
  const name = freeText()(signatoryName.trim(), 'signatoryName');
  if (name === '') refuseField('signatoryName', 'is required');
  const signature = { name, at: deps.clock.now() };
  return moveShown(deps, context, shown, () => ({ action: 'SIGN', change: { signature } }));
}

export function failSignature(
  deps: OnboardingServiceDeps,
  context: RequestContext,
  linkToken: string,
): Promise<OnboardingCase> {
  return moveByLink(deps, context, linkToken, () => ({ action: 'FAIL_SIGNATURE' }));
}

export function abandonByLink(
  deps: OnboardingServiceDeps,
  context: RequestContext,
  linkToken: string,
): Promise<OnboardingCase> {
  return moveByLink(deps, context, linkToken, () => ({ action: 'ABANDON', ending: 'BY_MERCHANT' }));
}

/** Only what was shown is signed or completed: the partner, or a colleague in another tab, may have changed it since. */
function moveShown(
  deps: OnboardingServiceDeps,
  context: RequestContext,
  { linkToken, version }: ShownPage,
  move: (read: OnboardingCase) => Move,
): Promise<OnboardingCase> {
  return moveByLink(deps, context, linkToken, (read) => {
    const wanted = move(read);
    const isPossible = decideStatus(read.status, wanted.action) !== null;
    if (isPossible && version !== read.version)
      throw new DomainError('conflict', 'The application was changed after the page was drawn.');
    return wanted;
  });
}

/** Without an arrow the application as it is: a second click changes nothing. Refuses with `notFound`. */
async function moveByLink(
  deps: OnboardingServiceDeps,
  context: RequestContext,
  linkToken: string,
  move: (read: OnboardingCase) => Move,
): Promise<OnboardingCase> {
  const load = async () => {
    const found = await findByLink(deps, linkToken);
    if (!found) throw new DomainError('notFound', 'The link is unknown, too old or replaced by a newer one.');
    return found;
  };
  return (await moveOnce(deps, context, { load, move })).onboarding;
}

/** What was filled in counts; what was left out stays as the partner sent it. */
function withForm(
  facts: ApplicationFacts,
  { contactPerson, invoiceEmail, bankAccount }: Omit<ReturnType<typeof readForm>, 'acceptedTerms'>,
): ApplicationFacts {
  const { company } = facts;
  return {
    ...facts,
    company: {
      ...company,
      ...withoutUndefined({
        invoiceEmail,
        contactPerson: contactPerson && { ...company.contactPerson, ...contactPerson },
      }),
    },
    ...withoutUndefined({ bankAccount: bankAccount && { ...facts.bankAccount, ...bankAccount } }),
  };
}
