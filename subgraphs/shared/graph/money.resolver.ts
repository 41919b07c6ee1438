// Amounts as people read them.
import { Arg, FieldResolver, Resolver, Root } from 'type-graphql';
import { DomainError } from '../errors';
import { formatMoney } from '../money';
import { MoneyType } from './money.type';

@Resolver(() => MoneyType)
export class MoneyResolver {
  @FieldResolver(() => String, { description: 'For people, in the language and with the digits of the currency.' })
  formatted(
    @Root() { minor, currency }: MoneyType,
    @Arg('locale', () => String, {
      defaultValue: 'en',
      description: 'A BCP 47 language tag such as `da` or `de-AT`.',
    })
    locale: string,
  ): string {
    if (!isLocale(locale)) throw new DomainError('invalidInput', 'locale is no language tag', { field: 'locale' });
    return formatMoney(BigInt(minor), currency, locale);
  }
}

function isLocale(locale: string): boolean {
  try {
    return locale.length <= 35 && Intl.getCanonicalLocales(locale).length === 1;
  } catch {
    return false;
  }
}
