// A whole application and its admin user, read into values that cannot be wrong (onboarding interface, Onboarding application; 2.5 and 2.6 of the decision register).
import { electronicFormatIBAN, isValidBIC, isValidIBAN } from 'ibantools';
import {
  emailAddress,
  type FieldReader,
  fields,
  flag,
  freeText,
  list,
  oneOf,
  refuseField,
  text,
  webAddress,
} from '../../shared/field-reader';
import { withoutUndefined } from '../../shared/present-members';
import type { ConfiguredWords } from '../configured-words';
import { isOrganizationNumber, onboardingCountries, organizationDigits } from '../organization-number';
import {
  type AdminUser,
  type ApplicationFacts,
  type BankAccount,
  isMasked,
  type PortalLanguage,
  portalLanguages,
  type SentApplication,
  type WebhookDefinition,
} from './application';
import { quoteReader, readCurrency } from './quote';
import { onboardingEventNames } from './transitions';

/** As the merchants domain has it. */
const merchantIdPattern = /^[A-Za-z0-9._-]{1,35}$/;
const webhookAddressCharactersMax = 256;
const introductionCharactersMax = 64;
const webhooksMax = 50;
const listItemsMax = 100;

/** What is wrong with an address that we shall call; null: nothing. */
export type JudgeWebhookAddress = (address: string) => string | null;

export interface ReaderSettings {
  words: ConfiguredWords;
  judgeAddress: JudgeWebhookAddress;
}

/** A reader of applications. Refuses with `fieldMissing`, `invalidInput` or the code of the rule: country, currency, organisation number, bank account, webhook. */
export function createApplicationReader({ words, judgeAddress }: ReaderSettings): (sent: unknown) => SentApplication {
  const read = fields(
    {
      country: oneOf(onboardingCountries, 'countryNotOffered'),
      currency: readCurrency,
      company: companyReader(words),
    },
    {
      productCodes: list(oneOf(words.productCodes), listItemsMax),
      salesCode: freeText(),
      webshop: fields({}, { url: webAddress, name: freeText() }),
      bankAccount: readBankAccount,
      salesRepPartner: freeText(),
      quote: quoteReader(words),
      amlCustomerIntroductionType: fields({ introductionType: readIntroduction }),
      notifications: fields({ webhooks: list(webhookReader(judgeAddress), webhooksMax) }),
      merchantId: text(35, merchantIdPattern, '1 to 35 letters, digits, dots, hyphens and underscores'),
    },
  );
  const readOperatorSalesRep = fields({}, { [words.operatorSalesRep]: freeText() });
  return (sent) => {
    const { notifications, merchantId, ...facts } = read(sent, 'application');
    const salesRepOperator = readOperatorSalesRep(sent, 'application')[words.operatorSalesRep];
    if (!isOrganizationNumber(facts.country, facts.company.organizationNumber)) {
      const digits = organizationDigits[facts.country].join(' or ');
      const rule = `must be a number of ${digits} digits in ${facts.country}`;
      refuseField('application.company.organizationNumber', rule, 'organizationNumberInvalid');
    }
    return {
      facts: { ...facts, ...withoutUndefined({ salesRepOperator }) } as ApplicationFacts,
      webhooks: notifications?.webhooks ?? null,
      merchantId: merchantId ?? null,
    };
  };
}

const readAdmin = fields(
  { email: emailAddress },
  { firstName: freeText(), lastName: freeText(), language: oneOf(portalLanguages), sendActivationEmail: flag },
);

/** English and no mail when nothing is said. Refuses with `fieldMissing` or `invalidInput`. */
export function readAdminUser(sent: unknown): AdminUser {
  const { language = 'EN_US' as PortalLanguage, sendActivationEmail = false, ...rest } = readAdmin(sent, 'adminUser');
  return { ...rest, language, sendActivationEmail };
}

/** Digits as people write them; a plus or zeros before a calling code cannot be told from a national number, and are not asked for. */
const phone = text(40, /^\+?(?:[ ()./-]*\d){4,18}[ ()./-]*$/, 'a telephone number with its calling code');

export const readContactPerson = fields(
  {},
  { firstName: freeText(), lastName: freeText(), phone, email: emailAddress },
);

function companyReader(words: ConfiguredWords) {
  const reference = fields(
    {},
    { system: oneOf(words.referenceSystems), referenceKey: oneOf(['DUNS_NO']), referenceValue: freeText() },
  );
  return fields(
    { organizationNumber: text(40) },
    {
      vatNumber: text(40),
      invoiceEmail: emailAddress,
      contactPerson: readContactPerson,
      companyName: freeText(),
      companyAddress: freeText(),
      zipCode: text(20),
      city: freeText(),
      referenceDetails: list(reference, listItemsMax),
    },
  );
}

/** Either part may be absent; refuses with `bankAccountInvalid` what fails the check digits, length or country of an IBAN, or the form of a BIC. */
export const readBankAccount: FieldReader<BankAccount> = fields(
  {},
  {
    iban: (value, field) => {
      const iban = typeof value === 'string' ? electronicFormatIBAN(value) : null;
      if (iban !== null && isValidIBAN(iban)) return iban;
      return refuseField(field, 'must be an IBAN with right check digits', 'bankAccountInvalid');
    },
    swift: (value, field) => {
      const bic = typeof value === 'string' ? value.trim().toUpperCase() : '';
      if (isValidBIC(bic)) return bic;
      return refuseField(field, 'must be a BIC of 8 or 11 characters', 'bankAccountInvalid');
    },
  },
);

const readIntroduction: FieldReader<string> = (value, field) => {
  const read = freeText(introductionCharactersMax)(value, field);
  return read.length > 0 ? read : refuseField(field, `must have 1 to ${introductionCharactersMax} characters`);
};

function webhookReader(judgeAddress: JudgeWebhookAddress): FieldReader<WebhookDefinition> {
  const refuse = (field: string, rule: string): never => refuseField(field, rule, 'webhookInvalid');
  return fields({
    eventName: oneOf(onboardingEventNames, 'webhookInvalid'),
    url: (value, field) => {
      if (typeof value !== 'string') return refuse(field, 'must be a string');
      if (value.length > webhookAddressCharactersMax)
        return refuse(field, `must have at most ${webhookAddressCharactersMax} characters`);
      const fault = judgeAddress(value);
      return fault === null ? value : refuse(field, `is refused: ${fault}`);
    },
    authorization: (value, field) => {
      const isFit = typeof value === 'string' && (/^[A-Za-z0-9]{8,32}$/.test(value) || isMasked(value));
      return isFit ? value : refuse(field, 'must be 8 to 32 letters and digits');
    },
  });
}
