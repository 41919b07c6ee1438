// The documented paths of the onboarding interface: create, update and retrieve an onboarding application; beside them the resending of its link.
import { DomainError } from '../../subgraphs/shared/errors';
import { defineRoute, type Route } from '../route-record';
import { bodiless, partner, written } from './numbered-families';

/** Where the family lives; an application is below it. */
const onboardingPath = '/partner/v1/onboarding';

const writing = { ...partner, ...written, method: 'POST' } as const satisfies Partial<Route>;

interface Created {
  createOnboarding: { verificationLink: string; application: { id: string; merchantId: string } };
}

const create = defineRoute<{ application: object; adminUser: object }, Created>({
  ...writing,
  path: onboardingPath,
  action: {
    operation: 'CreateOnboarding',
    variables: ({ body: { application, adminUser } }) => ({ input: { application, adminUser } }),
    reply: ({ createOnboarding: { verificationLink, application } }) => ({
      status: 200,
      headers: { 'cache-control': 'no-store' },
      body: { id: Number(application.id), verificationLink, merchantId: application.merchantId },
    }),
  },
});

const update = defineRoute<{ application: object }>({
  ...writing,
  path: `${onboardingPath}/{id}`,
  action: {
    operation: 'UpdateOnboarding',
    variables: ({ params, body: { application } }) => ({ id: params['id'], application }),
    reply: () => ({ status: 200, body: {} }),
  },
});

interface ReadDocument {
  document: Record<string, unknown>;
  status: string;
  createdAt: string | Date;
  updatedAt: string | Date;
}

const read = defineRoute<null, { onboardingApplication: ReadDocument | null }>({
  ...partner,
  ...bodiless,
  method: 'GET',
  path: `${onboardingPath}/{id}`,
  action: {
    operation: 'GetOnboarding',
    variables: ({ params }) => ({ id: params['id'] }),
    reply: ({ onboardingApplication: found }) => {
      if (!found) throw new DomainError('notFound');
      const { document, status, createdAt, updatedAt } = found;
      return {
        status: 200,
        body: { application: document, status, createdOn: printUtc(createdAt), updatedOn: printUtc(updatedAt) },
      };
    },
  },
});

/** Without a body of its own; one that comes is not looked at. */
const resend = defineRoute<null, { resendOnboardingActivation: { verificationLink: string } }>({
  ...writing,
  ...bodiless,
  path: `${onboardingPath}/{id}/resend-activation`,
  action: {
    operation: 'ResendOnboardingActivation',
    variables: ({ params }) => ({ id: params['id'] }),
    reply: ({ resendOnboardingActivation: { verificationLink } }) => ({
      status: 200,
      headers: { 'cache-control': 'no-store' },
      body: { verificationLink },
    }),
  },
});

/** Times of the administration interface are UTC (T7 of the decision register); the graph in this process gives dates. */
function printUtc(time: string | Date): string {
  return new Date(time).toISOString();
}

export const partnerRoutes: readonly Route[] = [create, update, read, resend];
