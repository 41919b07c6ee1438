// Names that the document redacts and an installation chooses (2.5 of the decision register): the provider, three wallets, the methods of the page.

export interface ConfiguredNames {
  /** `<PROVIDER>` in the discriminator `<PROVIDER>HostedEcom`. */
  provider: string;
  mobileWallet: string;
  appWallet: string;
  bankRedirect: string;
  /** Values of paymentMethod in the page's configuration. */
  payPageMethods: readonly string[];
}

/** The variables of the configuration that hold them. */
export interface NameSettings {
  PROVIDER_NAME: string;
  MOBILE_WALLET_NAME: string;
  APP_WALLET_NAME: string;
  BANK_REDIRECT_NAME: string;
  PAY_PAGE_METHODS: readonly string[];
}

export function readNames(settings: NameSettings): ConfiguredNames {
  return {
    provider: settings.PROVIDER_NAME,
    mobileWallet: settings.MOBILE_WALLET_NAME,
    appWallet: settings.APP_WALLET_NAME,
    bankRedirect: settings.BANK_REDIRECT_NAME,
    payPageMethods: settings.PAY_PAGE_METHODS,
  };
}
