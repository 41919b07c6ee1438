// An instrument at rest: a part of payments, sessions, contracts and calls (payment interface; 2.2-A of the decision register).
import { maybeText, openObject, orNull, storedPart, storedText, there } from '../../shared/store/stored-schema';
import { paymentMethods } from '../../shared/vocabulary/operation';
import type { Instrument } from './instrument';

export const instrumentPart = storedPart<Instrument>({
  reference: storedText,
  method: there(String, { enum: paymentMethods }),
  circuit: storedText,
  info: storedText,
  card: orNull(
    storedPart<NonNullable<Instrument['card']>>({ bin: storedText, lastFour: storedText, expiry: storedText }),
  ),
  additionalData: there(openObject),
  threeDs: storedText,
  endToEndId: maybeText,
});
