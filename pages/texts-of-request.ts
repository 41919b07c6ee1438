// In which language a page answers a request, and with which words.
import { decideLanguage, rememberedLanguage } from './language';
import type { PageRequest } from './page-route';
import { type Texts, textsOf } from './strings';

/** The language of a request, with the session's wish when there is one, and what the merchant's country speaks. */
export function textsFor(
  request: PageRequest | null,
  sessionLanguage?: string | null,
  countryLanguage?: string | null,
): Texts {
  return textsOf(
    decideLanguage({
      asked: request?.query.get('lang'),
      remembered: request && rememberedLanguage(request),
      session: sessionLanguage,
      browser: request?.header('accept-language'),
      country: countryLanguage,
    }),
  );
}
