// The door to the pages that payers and signatories see: payment pages, card fields and the signing page.
export type { PageDeps, PageServer } from './page-server';
export { createPagesServer } from './pay/server';
