// What reporting is told by other domains, as functions that the composition hands in (reporting interface).
import type { Environment } from '../shared/callers/caller';

export interface ReportedMerchant {
  merchantId: string;
  accountId: string;
  merchantNumber: number;
}

/** null: there is no such merchant in the environment. */
export type ReadReportedMerchant = (environment: Environment, merchantId: string) => Promise<ReportedMerchant | null>;

/** null: there is no such merchant in the environment. */
export type ReadMerchantByNumber = (
  environment: Environment,
  merchantNumber: number,
) => Promise<ReportedMerchant | null>;

/** Whether that merchant has a payment of that id. */
export type IsPaymentOf = (environment: Environment, merchantId: string, paymentId: string) => Promise<boolean>;

/** The ids of an account's merchants, oldest first; the first is the account's own. */
export type ReadTenantMerchant = (environment: Environment, accountId: string) => Promise<ReportedMerchant | null>;
