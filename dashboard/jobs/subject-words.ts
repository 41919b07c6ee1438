// What a row of a job is about, in two short lines: its name as people know it, and what tells it from others.
import { aboutWord, targetOf } from '../callbacks/about';
import { stateWord } from '../kit/chip';
import { printMoney } from '../kit/money';
import type { JobSubjectFragment } from './queries';

interface SubjectWords {
  name: string;
  detail: string;
  /** Where it goes: shortened in the middle where there is too little room. */
  target: string | null;
}

export function subjectWords(subject: JobSubjectFragment): SubjectWords {
  switch (subject.__typename) {
    case 'Payment': {
      const { paymentId, orderId, amount, currency, merchant } = subject;
      return { name: orderId ?? paymentId, detail: `${printMoney(amount, currency)} · ${merchant.name}`, target: null };
    }
    case 'Callback':
      return {
        name: aboutWord(subject),
        detail: stateWord(subject.kind),
        target: targetOf(subject)?.replace(/^https?:\/\//, '') ?? null,
      };
    case 'OnboardingApplication':
      return { name: subject.name, detail: `${subject.merchantId} · ${subject.id}`, target: null };
    case 'Merchant':
      return { name: subject.name, detail: `${subject.merchantNumber} · ${subject.merchantId}`, target: null };
  }
}
