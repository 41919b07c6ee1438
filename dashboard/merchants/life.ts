// A merchant with all that its drawer shows.
import type { MerchantLifeQuery } from './queries';

export type ShownMerchant = NonNullable<MerchantLifeQuery['merchant']>;
