// Counts as people write them.
import { locale } from '../strings/language';

export function printCount(count: number): string {
  return new Intl.NumberFormat(locale()).format(count);
}
