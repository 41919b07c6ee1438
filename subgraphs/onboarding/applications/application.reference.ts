// Applications by their ids and by the merchants that they became: one query each per request, foreign ones look absent.
import type DataLoader from 'dataloader';
import type { RequestContext } from '../../shared/callers/context';
import type { ResolveReference } from '../../shared/graph/subgraph';
import { requestLoader } from '../../shared/store/loaders';
import type { OnboardingCase } from './application';
import type { ApplicationRepository } from './application.repository';
import { onboardingView } from './application-view';

export function applicationLoader(
  context: RequestContext,
  applications: ApplicationRepository,
): DataLoader<string, OnboardingCase | null> {
  return requestLoader(
    context,
    'OnboardingApplication',
    (ids) => applications.findMany(context.caller, ids),
    ({ applicationId }) => applicationId,
  );
}

/** The application that holds a merchantId. */
export function merchantApplicationLoader(
  context: RequestContext,
  applications: ApplicationRepository,
): DataLoader<string, OnboardingCase | null> {
  return requestLoader(
    context,
    'Merchant.onboardingApplication',
    (merchantIds) => applications.findByMerchants(context.caller, merchantIds),
    ({ merchantId }) => merchantId,
  );
}

export function onboardingReferences(
  applications: ApplicationRepository,
  operatorSalesRep: string,
): Record<'OnboardingApplication' | 'Merchant', ResolveReference> {
  return {
    OnboardingApplication: async ({ id }, context) => {
      const found = await applicationLoader(context, applications).load(String(id));
      return found && onboardingView(found, operatorSalesRep);
    },
    Merchant: merchantReference,
  };
}

/** Merchants belong to another subgraph: here they only carry their application. */
const merchantReference: ResolveReference = ({ merchantId }) => ({ merchantId });
