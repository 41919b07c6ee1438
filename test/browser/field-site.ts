// A merchant's page with one card field against the shared program, opened and closed around the tests of a file.
import type { BrowserContext } from 'playwright-core';
import { sharedWorld, type World } from '../support/world';
import { type FieldPage, type FieldWish, type MerchantSite, openMerchantSite } from './merchant-site';
import { openBrowser } from './page-world';

export interface FieldSite {
  world: World;
  site: MerchantSite;
  browser: BrowserContext;
  /** Opens the page, with the card number's field unless the wish says otherwise, and closes it whatever happens. */
  withFields(run: (fields: FieldPage) => Promise<void>, wish?: FieldWish): Promise<void>;
}

/** Declares what comes before and after all tests of the file. */
export function openFieldSite(): FieldSite {
  const opened = {} as FieldSite;
  beforeAll(async () => {
    opened.world = await sharedWorld();
    opened.site = await openMerchantSite(opened.world);
    opened.browser = await openBrowser({ reducedMotion: 'reduce' });
  });
  afterAll(async () => {
    await opened.browser?.close();
    await opened.site?.stop();
    await opened.world?.stop();
  });
  opened.withFields = async (run, wish = {}) => {
    const fields = await opened.site.open(opened.browser, { fields: ['CARD_NUMBER'], ...wish });
    try {
      await run(fields);
    } finally {
      await fields.page.close();
    }
  };
  return opened;
}
