// Enumerations of an OpenAPI file that an installation chooses (`x-configured`), and names of fields with a chosen word: the file has the defaults, the running contract the chosen words (2.5 of the decision register).

/** The variables of the configuration behind them; without them the file holds as written. */
export interface ConfiguredEnumerations {
  PROVIDER_NAME: string;
  MOBILE_WALLET_NAME: string;
  APP_WALLET_NAME: string;
  BANK_REDIRECT_NAME: string;
  PAY_PAGE_METHODS: readonly string[];
  ONBOARDING_METHOD_CODES: readonly string[];
  ONBOARDING_METHOD_PROVIDERS: readonly string[];
  ONBOARDING_FEE_CODES: readonly string[];
  ONBOARDING_REFERENCE_SYSTEMS: readonly string[];
}

type EnumerationWords = readonly (string | null)[];

/** The whole enumeration from the chosen words and the enumeration as written. */
const enumerations: Readonly<
  Record<string, (chosen: ConfiguredEnumerations, written: EnumerationWords) => EnumerationWords>
> = {
  paymentVariants: ({ PROVIDER_NAME }, written) =>
    replaced(written, { ProviderHostedEcom: `${PROVIDER_NAME}HostedEcom` }),
  methodVariants: ({ MOBILE_WALLET_NAME, APP_WALLET_NAME, BANK_REDIRECT_NAME }, written) =>
    replaced(written, {
      MobileWallet: MOBILE_WALLET_NAME,
      AppWallet: APP_WALLET_NAME,
      BankRedirect: BANK_REDIRECT_NAME,
    }),
  payPageMethods: ({ PAY_PAGE_METHODS }) => [...PAY_PAGE_METHODS, null],
  productCodes: ({ ONBOARDING_METHOD_CODES }) => ['CARD', 'INVOICE', 'INSTALLMENT', ...ONBOARDING_METHOD_CODES],
  methodProviders: ({ ONBOARDING_METHOD_PROVIDERS }) => ONBOARDING_METHOD_PROVIDERS,
  feeActions: ({ ONBOARDING_FEE_CODES }) => ['CHARGE', 'REFUND', 'DA', ...ONBOARDING_FEE_CODES],
  referenceSystems: ({ ONBOARDING_REFERENCE_SYSTEMS }) => [...ONBOARDING_REFERENCE_SYSTEMS, null],
};

/** Names of fields that carry a chosen word. */
const fieldNames: Readonly<Record<string, (chosen: ConfiguredEnumerations) => string>> = {
  salesRepProvider: ({ PROVIDER_NAME }) => `salesRep${PROVIDER_NAME}`,
};

/** A copy of the document with the chosen words in every node that says `x-configured`, and in the names of fields. */
export function withConfiguredEnumerations<Node>(node: Node, chosen: ConfiguredEnumerations): Node {
  if (Array.isArray(node)) return node.map((item) => withConfiguredEnumerations(item, chosen)) as Node;
  if (typeof node !== 'object' || node === null) return node;
  const copy = Object.fromEntries(
    Object.entries(node).map(([name, inner]) => [
      fieldNames[name]?.(chosen) ?? name,
      withConfiguredEnumerations(inner, chosen),
    ]),
  );
  const configure = enumerations[String(copy['x-configured'])];
  return (configure ? { ...copy, enum: configure(chosen, copy['enum'] as EnumerationWords) } : copy) as Node;
}

function replaced(written: EnumerationWords, words: Readonly<Record<string, string>>): EnumerationWords {
  return written.map((word) => (word === null ? null : (words[word] ?? word)));
}
