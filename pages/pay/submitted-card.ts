// A card that was typed into the hosted page: looked at here first, then handed to the graph part by part sealed; nothing of it is kept or printed back.
import { brandOf, faultOf, type InputName, partLengthMax } from '../card-value';
import type { PageRequest } from '../page-route';
import { errorKey, inputNames, type ShownFieldError } from './card-form';
import type { Checkout, LoadedCheckout } from './checkout-page';

const inputs: readonly InputName[] = ['number', 'expiry', 'cvv', 'holder', 'email'];

type Form = Readonly<Record<string, string>>;

/** What can be seen to be wrong without asking anybody; a brand that the page does not offer is told here too. */
export function mistakesIn(form: Form, { methods }: Pick<LoadedCheckout, 'methods'>, now: Date): ShownFieldError[] {
  const brand = brandOf(form['number'] ?? '');
  const cvvDigits = brand?.securityCodeDigits ?? 3;
  const offer = methods.find(({ method }) => method === 'CARDS');
  const isOffered = !offer || (brand !== undefined && offer.circuits.includes(brand.circuit));
  return inputs.flatMap((field) => {
    const text = field === 'expiry' ? tidyExpiry(form[field] ?? '') : (form[field] ?? '');
    const fault = faultOf(field, text, { cvvDigits, now });
    const key = fault ?? (field === 'number' && !isOffered ? 'numberRefused' : null);
    return key ? [{ field, key, values: { digits: String(cvvDigits) } }] : [];
  });
}

/** Hands the typed card over, unless one is there already and nothing new was typed; answers what is wrong with it. */
export async function submitCard(
  { checkout, clock }: { checkout: Checkout; clock: { now(): Date } },
  { page, request }: { page: LoadedCheckout; request: PageRequest },
): Promise<ShownFieldError[]> {
  const { form, context } = request;
  const isOpen = page.state === 'CARD_DATA_COLLECTION' || page.state === 'GDI_VERIFICATION';
  const isAnother = page.state === 'READY_FOR_PAYMENT' && form['number'] !== undefined;
  if (!isOpen && !isAnother) return [];
  const mistakes = mistakesIn(form, page, clock.now());
  if (mistakes.length > 0) return mistakes;
  const typed = (name: InputName) => (form[name] ?? '').trim();
  const { state, errors } = await checkout.enterCard(context, page.sessionId, {
    number: typed('number').replace(/[ -]/g, ''),
    expiry: tidyExpiry(typed('expiry')),
    cvv: typed('cvv'),
    holder: typed('holder'),
    email: typed('email') || null,
  });
  const cvvDigits = brandOf(typed('number'))?.securityCodeDigits ?? 3;
  if (errors.length > 0) return errors.map(({ field, code }) => errorOf({ field, code, cvvDigits }));
  if (state === 'GDI_VERIFICATION') await checkout.passDeviceCheck(context, page.sessionId, true);
  return [];
}

function errorOf({ field, code, cvvDigits }: { field: string; code: string; cvvDigits: number }): ShownFieldError {
  const input = inputNames[field] ?? field;
  return { field: input, key: errorKey(input, code), values: { digits: String(cvvDigits) } };
}

/** Autofill writes MM/YYYY in places, people write MMYY. */
function tidyExpiry(text: string): string {
  if (text.length > partLengthMax) return text;
  const match = /^(\d{1,2})[/.-]?(?:20)?(\d{2})$/.exec(text.replace(/\s/g, ''));
  return match ? `${(match[1] ?? '').padStart(2, '0')}/${match[2]}` : text;
}
