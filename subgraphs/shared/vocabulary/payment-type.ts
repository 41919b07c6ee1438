// What kind of payment it was, as quotes and reports tell them apart (onboarding interface, paymentType).

export const paymentTypes = ['CARD', 'INVOICE', 'A2A', 'INSTALLMENT', 'WALLET'] as const;
export type PaymentTypeWord = (typeof paymentTypes)[number];
