// The merchant that the demo shop is: its addresses and credentials, as any merchant's server has them.

/** What a merchant knows: where the platform is, and its own credentials. */
export interface ShopMerchant {
  restUrl: string;
  authUrl: string;
  payUrl: string;
  /** The shop's own origin: its merchantUrl. */
  shopUrl: string;
  /** API keys of its two terminals. */
  implicitApiKey: string;
  explicitApiKey: string;
  /** Its OAuth client of the payment service. */
  payments: { clientId: string; clientSecret: string };
  /** Shows the notifications that the built-in receiver got. */
  sandboxKey: string;
}
