// How a region writes the hour: 09:05 where the day has 24 of them, 9:05 AM where it has twice 12.

export function hourDigits(locale: string): 'numeric' | '2-digit' {
  const { hourCycle } = new Intl.DateTimeFormat(locale, { hour: 'numeric' }).resolvedOptions();
  return hourCycle === 'h23' ? '2-digit' : 'numeric';
}
