// How a frame looks and what it says: the shop's words, its theme by a closed list of tokens, each checked, so that it can colour a field and nothing else, and errors.
import type { FieldWords, Theme } from './payment-fields';

const color = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i;
const fonts: Record<string, string> = {
  system: 'system-ui, sans-serif',
  serif: 'Georgia, serif',
  mono: 'ui-monospace, monospace',
  rounded: 'ui-rounded, "Nunito", system-ui, sans-serif',
};
const colors: Partial<Record<keyof Theme, string>> = {
  colorText: '--text',
  colorSoft: '--soft',
  colorBackground: '--surface',
  colorBorder: '--line',
  colorAccent: '--accent',
  colorError: '--bad',
};

export function applyTheme(theme: Theme): void {
  const { style, dataset } = document.documentElement;
  for (const [token, property] of Object.entries(colors)) {
    const value = theme[token as keyof Theme];
    if (typeof value === 'string' && color.test(value)) style.setProperty(property, value);
    else style.removeProperty(property);
  }
  setPixels('--radius', theme.radius, 0, 32);
  setPixels('--size', theme.fontSize, 14, 22);
  const font = Object.hasOwn(fonts, String(theme.font)) ? String(theme.font) : 'system';
  style.setProperty('--font', fonts[font] ?? '');
  dataset['density'] = theme.density === 'compact' ? 'compact' : 'normal';
}

function setPixels(property: string, value: number | undefined, min: number, max: number): void {
  const { style } = document.documentElement;
  if (typeof value === 'number' && value >= min && value <= max) style.setProperty(property, `${value}px`);
  else style.removeProperty(property);
}

/** Words of a frame with one field; a combined frame keeps its own. */
export function applyWords({ label, hint, placeholder, isLabelHidden }: FieldWords): void {
  const inputs = document.querySelectorAll<HTMLInputElement>('#fields .field input');
  const [input] = inputs;
  if (!input || inputs.length > 1) return;
  const labelElement = document.querySelector<HTMLLabelElement>(`label[for="${input.id}"]`);
  if (label && labelElement) labelElement.textContent = short(label);
  labelElement?.classList.toggle('hidden', isLabelHidden === true);
  const hintElement = document.getElementById(`${input.name}-hint`);
  if (hint && hintElement) hintElement.textContent = short(hint);
  if (placeholder) input.placeholder = short(placeholder);
}

export function short(text: string): string {
  return String(text).slice(0, 200);
}

let growth: ResizeObserver | null = null;

/** Now, and at each change. A browser observes no size out of sight; unasked, the page would jump once the payer scrolls there. */
export function tellHeight(tell: (height: number) => void): void {
  const tellNow = () => tell(document.body.scrollHeight);
  tellNow();
  growth?.disconnect();
  growth = new ResizeObserver(tellNow);
  growth.observe(document.body);
}

/** What is wrong with a field, beside it; null when it may be right. */
export function show(input: HTMLInputElement, message: string | null): void {
  const error = document.getElementById(`${input.name}-error`);
  if (error) error.textContent = message ?? '';
  input.toggleAttribute('data-good', message === null && input.value !== '');
  const hint = document.getElementById(`${input.name}-hint`) ? `${input.name}-hint` : '';
  input.setAttribute('aria-describedby', [message ? `${input.name}-error` : '', hint].join(' ').trim());
  if (message) input.setAttribute('aria-invalid', 'true');
  else input.removeAttribute('aria-invalid');
}

export function status(message: string): void {
  const line = document.getElementById('status');
  if (line) line.textContent = message;
}
