// The closed list of refusals as an enum of the graph: what `extensions.code` of an error says, where an answer itself has such a code.
import { type DomainErrorCode, domainErrors } from '../errors';
import { graphEnum } from './graph-enum';

export const RefusalCodes = graphEnum(Object.keys(domainErrors) as DomainErrorCode[], {
  name: 'RefusalCode',
  description: 'Every way in which a call is refused, as `extensions.code` of its error has it.',
  values: domainErrors,
});

/** What was written down by another release may have a code that this one does not know. */
export function knownRefusal(code: string): DomainErrorCode {
  return Object.hasOwn(domainErrors, code) ? (code as DomainErrorCode) : 'generic';
}
