// Markup from templates that escape by themselves: whatever is put into `html` is text unless it is markup made by `html`.

/** A piece of finished markup; only `html` and `raw` make one. */
export class Markup {
  constructor(readonly text: string) {}
}

export type Insert = Markup | string | number | bigint | false | null | undefined | readonly Insert[];

/** Joins markup and escaped text: html`<p>${name}</p>`; nothing for null, undefined and false. */
export function html(parts: TemplateStringsArray, ...inserts: Insert[]): Markup {
  let text = parts[0] ?? '';
  inserts.forEach((insert, index) => {
    text += printed(insert) + (parts[index + 1] ?? '');
  });
  return new Markup(text);
}

/** Text of our own that is markup already, such as a picture. */
export function raw(text: string): Markup {
  return new Markup(text);
}

/** Attributes by name; true prints the bare name, false, null and undefined print nothing. */
export function attributes(values: Record<string, string | number | boolean | null | undefined>): Markup {
  const printedOnes = Object.entries(values).flatMap(([name, value]) => {
    if (value === undefined || value === null || value === false) return [];
    return value === true ? [name] : [`${name}="${escapeText(String(value))}"`];
  });
  return new Markup(printedOnes.join(' '));
}

function escapeText(text: string): string {
  return text.replace(/[&<>"'`]/g, (character) => `&#${character.charCodeAt(0)};`);
}

function printed(insert: Insert): string {
  if (insert === null || insert === undefined || insert === false) return '';
  if (insert instanceof Markup) return insert.text;
  if (Array.isArray(insert)) return insert.map((each) => printed(each as Insert)).join('');
  return escapeText(String(insert));
}
