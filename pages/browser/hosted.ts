// The hosted page's comforts: grouping of digits, errors at once, one payment per double click, a word before the visit ends. The page works without it.
import { type InputName, shownBrand } from '../card-value';
import { format } from './card-input';
import { cardInputs, forgive, hintAtCode, judge, refuseToSend } from './hosted-errors';

const form = document.querySelector<HTMLFormElement>('#pay');
const button = document.querySelector<HTMLButtonElement>('#pay-button');
const status = document.getElementById('status');

function listen(input: HTMLInputElement): void {
  const name = input.name as InputName;
  input.addEventListener('input', () => {
    format(name, input);
    forgive(input);
    if (name !== 'number') return;
    const output = document.getElementById('brand');
    if (output) output.textContent = shownBrand(input.value);
    hintAtCode();
  });
  input.addEventListener('change', () => judge(input));
}

let isPaying = false;

function paying(event: SubmitEvent): void {
  if (isPaying || refuseToSend()) {
    event.preventDefault();
    return;
  }
  isPaying = true;
  form?.setAttribute('aria-busy', 'true');
  button?.classList.add('busy');
  button?.setAttribute('aria-disabled', 'true');
  if (status) status.textContent = form?.dataset['paying'] ?? '';
}

/** The browser kept the page as it was when the payer left it: the form can be used again. */
function restored({ persisted }: PageTransitionEvent): void {
  if (persisted) location.reload();
}

/** Minutes before the end at which the payer is asked. */
const askBeforeMs = 3 * 60_000;

function watchIdle(): void {
  const notice = document.getElementById('idle');
  const line = document.getElementById('idle-text');
  const leftMs = Number(notice?.dataset['leftMs'] ?? 0);
  if (!notice || !line || leftMs <= 0) return;
  const words = notice.dataset['text'] ?? '';
  const ask = () => {
    line.textContent = words.replace('{minutes}', String(Math.round(Math.min(leftMs, askBeforeMs) / 60_000)));
    notice.hidden = false;
  };
  setTimeout(ask, Math.max(0, leftMs - askBeforeMs));
  setTimeout(() => location.reload(), leftMs + 1_000);
}

function start(): void {
  document.documentElement.classList.add('scripted');
  for (const input of cardInputs) listen(input);
  form?.addEventListener('submit', paying);
  addEventListener('pageshow', restored);
  document.getElementById('errors')?.focus();
  const print = document.getElementById('print');
  if (print) {
    print.hidden = false;
    print.addEventListener('click', () => window.print());
  }
  document.getElementById('lang')?.addEventListener('change', (event) => {
    (event.target as HTMLSelectElement).form?.requestSubmit();
  });
  watchIdle();
}

start();
