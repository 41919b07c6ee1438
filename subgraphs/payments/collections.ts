// Names of collections that repositories of more than one room read.
export const checkoutSessionsCollection = 'checkout_sessions';
