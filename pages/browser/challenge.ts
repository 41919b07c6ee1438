// The issuer page's comforts: time that is left, when a new code may be sent, one answer per double click. The page works without it.
export {};

const form = document.querySelector<HTMLFormElement>('#answer');
const resend = document.querySelector<HTMLButtonElement>('#resend');
const wait = document.getElementById('resend-wait');
const leftMs = Number(document.body.querySelector<HTMLElement>('[data-left-ms]')?.dataset['leftMs'] ?? 0);
/** A new code is not asked for in a row. */
const resendAfterSeconds = 20;

let isSent = false;
form?.addEventListener('submit', (event) => {
  if (isSent) event.preventDefault();
  isSent = true;
});
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) location.reload();
});

if (leftMs > 0) setTimeout(() => location.reload(), leftMs + 500);

/** Said when it changes for the payer, not each second. */
function countDown(seconds: number): void {
  if (!resend || !wait) return;
  resend.disabled = seconds > 0;
  wait.textContent = seconds > 0 ? (wait.dataset['text'] ?? '').replace('{seconds}', String(seconds)) : '';
  if (seconds > 0) setTimeout(() => countDown(seconds - 5), 5_000);
}
countDown(resendAfterSeconds);

document.documentElement.classList.add('scripted');
// A wrong code is mended at once; otherwise the payer hears first where this is.
(document.querySelector<HTMLElement>('[aria-invalid]') ?? document.getElementById('title'))?.focus();
document.getElementById('lang')?.addEventListener('change', (event) => {
  (event.target as HTMLSelectElement).form?.requestSubmit();
});
