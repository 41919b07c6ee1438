// The door to what only a sandbox has: the simulated issuer and the demo shop.
export { createAcsServer } from './issuer/server';
export type { ShopMerchant } from './shop/merchant';
export { createShopServer, type ShopDeps } from './shop/server';
