// Pictures of the pages for the documents, drawn anew by `PICTURES=1 npm test -- test/browser`: nothing is judged by them.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

const folder = join(__dirname, '../../docs/screenshots');

/** True where somebody asked for pictures: drawing one costs as much as loading its page. */
export const arePicturesDrawn = process.env['PICTURES'] === '1';

export async function picture(page: Page, name: string, { fullPage = true } = {}): Promise<void> {
  if (!arePicturesDrawn) return;
  mkdirSync(folder, { recursive: true });
  await page.evaluate(painted);
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage });
}

/** A page that was told of another colour scheme a moment ago is painted anew piece by piece. */
const painted = `new Promise((done) => {
  let frames = 60;
  const next = () => (frames-- > 0 ? requestAnimationFrame(next) : done());
  next();
})`;
