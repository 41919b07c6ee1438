// How a payment in the demo shop's own page ended, in words for the payer, with what can be done next.

const goodResults = ['AUTHORIZED', 'EXECUTED', 'PENDING'];
const texts: Record<string, string> = {
  AUTHORIZED: 'Thank you, your payment went through.',
  EXECUTED: 'Thank you, your payment went through.',
  PENDING: 'Your payment is on its way; we will tell you.',
  DECLINED: 'Your bank declined the payment. Please try another card.',
  DENIED_BY_RISK: 'The payment was declined. Please try another card.',
  CANCELED: 'You cancelled the payment. Nothing was charged.',
};

export interface Result {
  /** operationResult of the payment interface. */
  result: string;
  /** Address of the order's page. */
  order: string;
  /** The payer wants to pay the same order with another card. */
  onAgain(): void;
}

export function showResult({ result, order, onAgain }: Result): void {
  const place = document.getElementById('result');
  if (!place) return;
  const isGood = goodResults.includes(result);
  const line = document.createElement('p');
  line.textContent = texts[result] ?? 'The payment did not go through. Please try again.';
  const chip = document.createElement('span');
  chip.className = 'result-chip';
  chip.textContent = result;
  const link = document.createElement('a');
  link.className = isGood ? 'primary' : 'secondary';
  link.href = order;
  link.textContent = 'See the order';
  const again = document.createElement('button');
  again.type = 'button';
  again.id = 'again';
  again.className = 'primary';
  again.textContent = result === 'CANCELED' ? 'Pay after all' : 'Try another card';
  again.addEventListener('click', onAgain);
  place.replaceChildren(line, chip, ...(isGood ? [] : [again]), link);
  place.hidden = false;
  place.focus();
}
