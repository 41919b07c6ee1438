// The basket's sum in the demo shop, kept in step with the counts while the payer changes them.

export function updateTotal(): void {
  const total = [...document.querySelectorAll<HTMLInputElement>('input[data-price]')].reduce(
    (sum, input) => sum + Number(input.dataset['price']) * Math.min(9, Math.max(0, Number(input.value) || 0)),
    0,
  );
  const text = new Intl.NumberFormat('en', { style: 'currency', currency: 'EUR' }).format(total / 100);
  const output = document.getElementById('total');
  if (output) output.textContent = text;
  const label = document.getElementById('pay-label');
  if (label) label.textContent = `Pay ${text}`;
}
