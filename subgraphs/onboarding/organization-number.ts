// Organisation numbers by the public format of each country (onboarding interface, company.organizationNumber). The format only: check digits are not
// guaranteed everywhere (Denmark gave its rule up), so only what is clearly no such number is refused.

export const onboardingCountries = ['DNK', 'SWE', 'NOR', 'GRL'] as const;
export type OnboardingCountry = (typeof onboardingCountries)[number];

/** ISO 3166-1 alpha-2 of each. */
export const alpha2: Readonly<Record<OnboardingCountry, string>> = { DNK: 'DK', SWE: 'SE', NOR: 'NO', GRL: 'GL' };

/** How many digits the number has; Sweden's may carry the century before it. */
export const organizationDigits: Readonly<Record<OnboardingCountry, readonly number[]>> = {
  DNK: [8],
  SWE: [10, 12],
  NOR: [9],
  GRL: [8],
};

/** People write it in groups, with the country before it, in Norway with MVA behind it. */
const written = /^(?:[A-Z]{2}[ -]?)?(\d(?:[ .-]?\d)*)(?: ?MVA)?$/i;

export function isOrganizationNumber(country: OnboardingCountry, text: string): boolean {
  const digits = written.exec(text.trim())?.[1]?.replace(/\D/g, '') ?? '';
  return organizationDigits[country].includes(digits.length);
}
