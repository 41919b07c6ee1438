// What the vault seals and hashes, and under which family of keys: a process is given the families that its work needs and opens nothing else.

/** `cards`: card data and what pays; `secrets`: what callbacks and mails are sent with; `credentials`: hashes of our callers' secrets; `results`: answers kept for repetitions that hold none of those. */
export const keyFamilies = ['cards', 'secrets', 'credentials', 'results'] as const;
export type KeyFamily = (typeof keyFamilies)[number];

/** Each sealed field; its name is authenticated with its value, so that one put in another's place does not open. */
export const sealedFields = {
  'cardEntry.CARD_NUMBER': 'cards',
  'cardEntry.EXPIRATION_DATE': 'cards',
  'cardEntry.SECURITY_CODE': 'cards',
  'cardEntry.CARDHOLDER_NAME': 'cards',
  'cardEntry.CARDHOLDER_EMAIL': 'cards',
  'virtualAccount.token': 'cards',
  'sandboxToken.token': 'cards',
  'decryptionKey.private': 'cards',
  'payment.method': 'cards',
  'contract.shown': 'cards',
  'result.cards': 'cards',
  'notification.securityToken': 'secrets',
  'callbackEndpoint.secret': 'secrets',
  'callback.authorization': 'secrets',
  'application.adminUser': 'secrets',
  'mail.link': 'secrets',
  'result.secrets': 'secrets',
  'result.credentials': 'credentials',
  'result.results': 'results',
} as const satisfies Record<string, KeyFamily>;
export type SealedField = keyof typeof sealedFields;

/** Each purpose of a keyed hash. */
export const hashPurposes = {
  card: 'cards',
  'card-transaction-cryptogram': 'cards',
  'sandbox-token-service-card': 'cards',
  'sandbox-token-service-token': 'cards',
  'sandbox-token-service-par': 'cards',
  'sandbox-token-service-redemption': 'cards',
  'sandbox-token-service-nonce': 'cards',
  'sandbox-token-service-cryptogram': 'cards',
  'client-secret': 'credentials',
  'api-key': 'credentials',
} as const satisfies Record<string, KeyFamily>;
export type HashPurpose = keyof typeof hashPurposes;
