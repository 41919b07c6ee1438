// The door to the pages that people see: payment pages and card fields, the simulated issuer and the demo shop (document 2, B; both families' payers).
export { createAcsServer } from './acs/server';
export { integrityOfSdk } from './assets';
export type { PageDeps, PageServer } from './page-server';
export { createPagesServer } from './pay/server';
export type { ShopMerchant } from './shop/merchant';
export { createShopServer, type ShopDeps } from './shop/server';
