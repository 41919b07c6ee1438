// The looks that the demo shop gives to its card fields, as tokens.
import type { Theme } from './payment-fields';

export function lookOf(name: string): Theme {
  return name === 'shop' ? ownLook() : (looks[name] ?? {});
}

/** The shop's own colours, as its style sheet has them for the payer's light or dark setting. */
function ownLook(): Theme {
  const style = getComputedStyle(document.documentElement);
  const color = (name: string) => style.getPropertyValue(name).trim();
  return {
    colorText: color('--text'),
    colorSoft: color('--soft'),
    colorBackground: color('--surface'),
    colorBorder: color('--soft'),
    colorAccent: color('--accent'),
    colorError: color('--bad'),
    radius: 12,
  };
}

const looks: Record<string, Theme> = {
  plain: {},
  paper: {
    colorText: '#2b2118',
    colorSoft: '#6b5a48',
    colorBackground: '#fffaf0',
    colorBorder: '#8d7a63',
    colorAccent: '#8a4b12',
    colorError: '#a3211b',
    radius: 4,
    font: 'serif',
    fontSize: 17,
  },
  night: {
    colorText: '#eef1ff',
    colorSoft: '#aeb7d6',
    colorBackground: '#10162b',
    colorBorder: '#7f8bb5',
    colorAccent: '#9fb0ff',
    colorError: '#ff9a92',
    radius: 14,
  },
  mint: {
    colorText: '#0d2b22',
    colorSoft: '#3f6457',
    colorBackground: '#f0fbf6',
    colorBorder: '#4d8471',
    colorAccent: '#0a6b4f',
    colorError: '#a11d19',
    radius: 24,
    font: 'rounded',
  },
  contrast: {
    colorText: '#000000',
    colorSoft: '#000000',
    colorBackground: '#ffffff',
    colorBorder: '#000000',
    colorAccent: '#0000c8',
    colorError: '#b00000',
    radius: 0,
    fontSize: 18,
    density: 'normal',
  },
};
