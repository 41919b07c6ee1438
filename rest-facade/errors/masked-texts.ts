// Says in the sandbox which texts of a request were taken with a card number masked (decision register, Texts); the request itself is served.
import { maskCardNumbers } from '../../subgraphs/shared/card-number';

/** Members that hold what people write; identifiers and what stands for a card are none of them. */
const freeTexts = new Set([
  'description',
  'customField',
  'customField\u00c2',
  'reason',
  'checkoutText',
  'reconciliationReference',
  'title',
  'name',
  'firstName',
  'lastName',
  'companyName',
  'contactFirstName',
  'contactLastName',
  'cardHolderName',
  'address1',
  'address2',
  'city',
  'street',
  'additionalInfo',
  'province',
  'companyAddress',
  'label',
  'value',
  'salesCode',
  'salesRepPartner',
  'referenceValue',
  'introductionType',
  'createdBy',
  'updatedBy',
  'userId',
]);

/** Dotted names of the texts in which a card number is masked before they are kept. */
export function maskedTextsOf(body: unknown, path = ''): string[] {
  if (typeof body !== 'object' || body === null) return [];
  return Object.entries(body).flatMap(([name, value]) => {
    const inner = path ? `${path}.${name}` : name;
    if (typeof value !== 'string') return maskedTextsOf(value, inner);
    return freeTexts.has(name) && maskCardNumbers(value) !== value ? [inner] : [];
  });
}
