// The door to what only a sandbox has: the simulated issuer and the demo shop.

export { createIdentity } from './identity/identity';
export { sandboxPeople } from './identity/people';
export { createAcsServer } from './issuer/server';
export { createShopServer } from './shop/server';
