// What other domains must know about a triple of identifiers and a merchant at request time (tokenization interface, MTS-1611).
import type { Environment, TokenizationIdentifiers } from '../../shared/callers/caller';
import type { AgreementStatus, MerchantStatus, Scheme } from '../merchant';
import type { MerchantRepository } from '../merchant.repository';
import type { AgreementRepository } from './agreement.repository';

export interface AgreementFacts {
  agreementId: string;
  accountId: string;
  status: AgreementStatus;
  schemes: Scheme[];
  /** null: not enrolled under this agreement. */
  merchant: { status: MerchantStatus | 'DELETED' } | null;
}

export interface FactSources {
  agreements: AgreementRepository;
  merchants: MerchantRepository;
}

/** null: there is no agreement for the triple. */
export async function readAgreement(
  { agreements, merchants }: FactSources,
  {
    environment,
    identifiers,
    merchantId,
  }: { environment: Environment; identifiers: TokenizationIdentifiers; merchantId: string },
): Promise<AgreementFacts | null> {
  const [agreement, merchant] = await Promise.all([
    agreements.findByIdentifiers(environment, identifiers),
    merchants.findStatus(environment, merchantId),
  ]);
  if (!agreement) return null;
  const { agreementId, accountId, status, schemes } = agreement;
  const isEnrolled = merchant?.agreementIds.includes(agreementId) ?? false;
  return {
    agreementId,
    accountId,
    status,
    schemes,
    merchant: merchant && isEnrolled ? { status: merchant.deletion ? 'DELETED' : merchant.status } : null,
  };
}
