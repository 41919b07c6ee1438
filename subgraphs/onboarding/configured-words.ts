// Words that the document redacts and an installation chooses (2.5 and 2.6 of the decision register): the operator's name and four lists.

export interface ConfiguredWords {
  /** `salesRep<PROVIDER>`, the name of the field. */
  operatorSalesRep: string;
  productCodes: readonly string[];
  methodProviders: readonly string[];
  /** Actions that a fee is taken for. */
  feeActions: readonly string[];
  /** Values of referenceDetails.system. */
  referenceSystems: readonly string[];
}

/** The variables of the configuration that hold them. */
export interface WordSettings {
  PROVIDER_NAME: string;
  ONBOARDING_METHOD_CODES: readonly string[];
  ONBOARDING_METHOD_PROVIDERS: readonly string[];
  ONBOARDING_FEE_CODES: readonly string[];
  ONBOARDING_REFERENCE_SYSTEMS: readonly string[];
}

export function readWords(settings: WordSettings): ConfiguredWords {
  return {
    operatorSalesRep: `salesRep${settings.PROVIDER_NAME}`,
    productCodes: ['CARD', 'INVOICE', 'INSTALLMENT', ...settings.ONBOARDING_METHOD_CODES],
    methodProviders: settings.ONBOARDING_METHOD_PROVIDERS,
    feeActions: ['CHARGE', 'REFUND', 'DA', ...settings.ONBOARDING_FEE_CODES],
    referenceSystems: settings.ONBOARDING_REFERENCE_SYSTEMS,
  };
}
