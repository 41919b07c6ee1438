// What every page is held to, whatever it shows: no accessibility fault that a machine can find, no sideways scroll, one heading, nobody else asked.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import type { Language } from '../../pages/language';
import { strings } from '../../pages/strings';
import { eventually } from '../support/stores';

/** WCAG 2.2 AA and the good practices that axe knows. */
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** The same release of axe as the builder's own, without the comments: half as much to read for each page. */
const axeSource = readFileSync(
  createRequire(require.resolve('@axe-core/playwright')).resolve('axe-core/axe.min.js'),
  'utf8',
);

/** Colours that are on their way from one to another are nobody's: what ends has ended, what begins with the next frame too, and what follows from that. */
const untilStill = `(async () => {
  const isEnding = ({ playState, effect }) => playState === 'running' && effect?.getComputedTiming().endTime < Infinity;
  for (;;) {
    for (let frames = 0; frames < 2; frames += 1) await new Promise(requestAnimationFrame);
    const ending = document.getAnimations().filter(isEnding);
    if (ending.length === 0) return;
    await Promise.allSettled(ending.map(({ finished }) => finished));
  }
})()`;

/** Faults as `rule: selector`; `frames` are looked at where the page has some. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  const axe = await axeOn(page);
  return faultsIn(await axe.withTags(rules).analyze());
}

/** What colours alone can make wrong: for the second look at a page, in other colours. */
export async function contrastFaults(page: Page): Promise<string[]> {
  const axe = await axeOn(page);
  return faultsIn(await axe.withRules(['color-contrast', 'link-in-text-block']).analyze());
}

/**
 * Only violations are asked for: what passes is most of the answer and nobody reads it. A page of one frame is looked at in place; frames of other
 * origins are gathered in a second page, which takes twice the time. The builder has a page read all of axe twice with each look; a page of one
 * frame reads it once, and keeps it.
 */
async function axeOn(page: Page): Promise<AxeBuilder> {
  await page.evaluate(untilStill);
  const isAlone = page.frames().length === 1;
  if (isAlone && !(await page.evaluate<boolean>("typeof window.axe === 'object'"))) await page.evaluate(axeSource);
  const builder = new AxeBuilder({ page, axeSource: isAlone ? 'undefined' : axeSource });
  return builder.options({ resultTypes: ['violations'] }).setLegacyMode(isAlone);
}

function faultsIn({ violations }: Awaited<ReturnType<AxeBuilder['analyze']>>): string[] {
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
}

export interface Measures {
  h1: string[];
  lang: string;
  title: string;
  scrollsSideways: boolean;
  /** Buttons, links, fields and selects below the size that a finger hits. */
  small: string[];
}

export function measure(page: Page): Promise<Measures> {
  return page.evaluate<Measures>(`(() => {
    const targets = [...document.querySelectorAll('button, a.button, input:not([type=radio], [type=checkbox]), .consent label, select')];
    const isShown = (element) => element.checkVisibility() && !element.closest('.autofill');
    return {
      h1: [...document.querySelectorAll('h1')].map((heading) => heading.textContent ?? ''),
      lang: document.documentElement.lang,
      title: document.title,
      scrollsSideways: document.documentElement.scrollWidth > document.documentElement.clientWidth,
      small: targets
        .filter((element) => isShown(element) && element.getBoundingClientRect().height < 43.5)
        .map((element) => element.outerHTML.slice(0, 80)),
    };
  })()`);
}

/** Bytes that go over the wire for a page with everything that it loads. */
export async function weigh(page: Page, address: string): Promise<number> {
  const wire = await page.context().newCDPSession(page);
  await wire.send('Network.enable');
  await wire.send('Network.setCacheDisabled', { cacheDisabled: true });
  await wire.send('Page.enable');
  const loading = new Set<string>();
  let bytes = 0;
  let isLoaded = false;
  wire.on('Page.loadEventFired', () => {
    isLoaded = true;
  });
  wire.on('Network.requestWillBeSent', ({ requestId }) => loading.add(requestId));
  wire.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    loading.delete(requestId);
    bytes += encodedDataLength;
  });
  await page.goto(address);
  // The browser tells of each load a moment after it.
  await eventually(() => isLoaded && loading.size === 0);
  return bytes;
}

/** Id, or text, of what has the focus. */
export function focused(page: Page): Promise<string> {
  return page.evaluate<string>("document.activeElement?.id || document.activeElement?.textContent || ''");
}

/** Texts that a payer cannot read whole: out of the window, or clipped by a box of their own. Fields scroll, so they are left out. */
export function cutTexts(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    const isCut = (element) => {
      if (getComputedStyle(element).clipPath !== 'none') return false;
      const { left, right } = element.getBoundingClientRect();
      const clips = getComputedStyle(element).overflowX !== 'visible' && element.scrollWidth > element.clientWidth + 1;
      return clips || left < -0.5 || right > innerWidth + 0.5;
    };
    return [...document.querySelectorAll('body *')]
      .filter((element) => element.checkVisibility() && !element.closest('.hidden, input, select, svg') && isCut(element))
      .map((element) => element.outerHTML.slice(0, 100));
  })()`);
}

/** Texts of our own that a page says in English although its language has words for them. */
export async function englishLeft<Said extends Language>(
  page: Page,
  language: Said,
  texts: Readonly<Record<'en' | Said, Readonly<Record<string, string>>>> = strings,
): Promise<string[]> {
  const said = await page.evaluate<string[]>(`(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const texts = [];
    while (walker.nextNode()) texts.push(walker.currentNode.textContent.trim());
    const labels = [...document.querySelectorAll('[aria-label]')].map((element) => element.getAttribute('aria-label'));
    return [document.title, ...texts, ...labels].filter(Boolean);
  })()`);
  const own = Object.values(texts[language]).map(patternOf);
  const english = Object.values(texts.en).map(patternOf);
  return said.filter(
    (text) => english.some((pattern) => pattern.test(text)) && !own.some((pattern) => pattern.test(text)),
  );
}

function patternOf(text: string): RegExp {
  const literal = text.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\w+\}/g, '.+');
  return new RegExp(`^${literal}$`);
}

/** Width in pixels of the outline around what has the focus. */
export function focusRing(page: Page): Promise<number> {
  return page.evaluate<number>(`(() => {
    const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement);
    return outlineStyle === 'none' ? 0 : Number.parseFloat(outlineWidth);
  })()`);
}
