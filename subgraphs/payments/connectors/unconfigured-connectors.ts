// What a production installation has until its provider's connectors are handed in: every call is refused, and nothing is ever sent.
import { DomainError } from '../../shared/errors';
import type { Acquirer } from './acquirer';
import type { AlternativeMethod } from './alternative-method';

const refuse = (what: string) => () => Promise.reject(new DomainError('unavailable', `No ${what} is configured.`));
const noAcquirer = refuse('acquirer');
const noMethods = refuse('alternative payment method');

export const unconfiguredAcquirer: Acquirer = { register: noAcquirer, send: noAcquirer, ask: noAcquirer };

export const unconfiguredMethods: AlternativeMethod = {
  start: noMethods,
  ask: noMethods,
  withdraw: noMethods,
  register: noMethods,
  debit: noMethods,
  askDebit: noMethods,
  answer: noMethods,
  refund: noMethods,
};
