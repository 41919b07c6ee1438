// An application that was just made, as a plain value.
import type { OnboardingCase } from '../../subgraphs/onboarding/applications/application';
import { linkExpiry } from '../../subgraphs/onboarding/applications/moves';
import { sha256 } from '../../subgraphs/shared/ids';
import { start } from './world';

export const fresh: OnboardingCase = {
  applicationId: '1',
  environment: 'sandbox',
  accountId: 'alpha',
  merchantId: 'm',
  isLive: true,
  status: 'INITIATED',
  reason: null,
  webhooks: null,
  language: 'EN_US',
  link: null,
  resentAt: [],
  facts: { country: 'DNK', currency: 'DKK', company: { organizationNumber: '25313763' } },
  adminUserSealed: { keyVersion: 1, iv: '', ciphertext: '', tag: '' },
  signatureFailures: 0,
  signature: null,
  approval: null,
  merchantNumber: null,
  createdAt: start,
  updatedAt: start,
  touchedAt: start,
  version: 1,
  sequence: 1,
};

/** The same in production, behind a link of that time. */
export const linked = (link: string, now: Date): OnboardingCase => ({
  ...fresh,
  environment: 'production',
  link: { hash: sha256(link.split('/').at(-1) ?? ''), expiresAt: linkExpiry(now) },
});
