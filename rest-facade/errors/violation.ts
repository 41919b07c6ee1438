// What a value breaks of its schema, in words: the fault that answers, which is the first in the order of the contract, and the others beside it.
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020';
import { type DomainErrorCode, isDomainErrorCode } from '../../subgraphs/shared/errors';
import { withoutUndefined } from '../../subgraphs/shared/present-members';
import { compactJweFault } from '../checks/compact-jwe';
import type { Schema } from '../checks/schema';

/** What was broken and where; never the value that was found. */
export interface Fault {
  field: string;
  rule: string;
  /** From `x-refusal` of the schema that was broken; absent where the file does not say. */
  code?: DomainErrorCode;
  /** In a family that tells a missing field from a wrong one. */
  isMissing?: boolean;
}

export interface Violation extends Fault {
  /** What else is wrong, one fault per field. */
  others?: readonly Fault[];
}

/** How the faults of one place of the request are read. */
export interface Reading {
  /** Stops at the first fault: what every request passes. */
  first(): ValidateFunction;
  /** Goes on to the last: what a refused request passes as well. */
  every(): ValidateFunction;
  tellsMissing?: boolean;
  spell?: (field: string) => string;
}

/** A refusal that lists more than these helps nobody. */
const faultsMax = 20;

export function violationOf(value: unknown, reading: Reading): Violation | null {
  const first = reading.first();
  if (first(value)) return null;
  const fault = faultOf(first.errors?.[0] as ErrorObject, reading);
  const others = otherFaults(value, fault, reading);
  return others.length > 0 ? { ...fault, others } : fault;
}

function otherFaults(value: unknown, first: Fault, reading: Reading): Fault[] {
  const every = reading.every();
  every(value);
  const faults = new Map<string, Fault>();
  for (const error of every.errors ?? []) {
    // The branches of a choice contradict each other; the choice itself says what is wrong.
    if (/\/(?:anyOf|oneOf)\/\d/.test(error.schemaPath)) continue;
    const fault = faultOf(error, reading);
    if (fault.field !== first.field && !faults.has(fault.field)) faults.set(fault.field, fault);
    if (faults.size === faultsMax - 1) break;
  }
  return [...faults.values()];
}

function faultOf(error: ErrorObject, { tellsMissing = false, spell = (field) => field }: Reading): Fault {
  const missing = error.keyword === 'required' ? [String(error.params['missingProperty'])] : [];
  const segments = [...error.instancePath.split('/').slice(1), ...missing];
  const code = refusalOf(error, missing[0]);
  const isMissing = tellsMissing && missing.length > 0;
  return { field: spell(segments.join('.')) || 'body', rule: ruleOf(error), ...withoutUndefined({ code }), isMissing };
}

/** A longer pattern explains nothing. */
const patternShownMax = 100;

/** What to do about it, in words. */
function ruleOf({ keyword, schema, parentSchema, message, data }: ErrorObject): string {
  if (keyword === 'required') return 'is required';
  const { 'x-rule': said, 'x-form': form, format } = parentSchema as Schema;
  if (keyword === 'pattern' && form === 'compact JWE') return compactJweFault(String(data));
  if (keyword === 'pattern' && said) return `must be ${said}`;
  if (keyword === 'pattern' && format === 'uuid') return 'must be a UUID';
  if (keyword === 'pattern' && String(schema).length > patternShownMax) return 'does not have the documented form';
  if (keyword === 'enum' && Array.isArray(schema)) return `must be one of ${listOf(schema)}`;
  if (keyword === 'type') return `must be ${[schema].flat().filter(isTold).map(kindOf).join(' or ')}`;
  return message ?? 'is not allowed';
}

/** null is the same as absent and needs no telling. */
const isTold = (kind: unknown): boolean => kind !== 'null';
const kindOf = (kind: unknown): string => `${/^[aeiou]/.test(String(kind)) ? 'an' : 'a'} ${kind}`;

const enumShownMax = 20;

/** The first values, and a word when there are more. */
function listOf(values: readonly unknown[]): string {
  const told = values.filter((value) => value !== null);
  return told.slice(0, enumShownMax).join(', ') + (told.length > enumShownMax ? ' and so on' : '');
}

/** What the broken schema, or that of a missing member, says about its refusal. */
function refusalOf({ parentSchema }: ErrorObject, missing: string | undefined): DomainErrorCode | undefined {
  const { properties, 'x-refusal': code } = parentSchema as Schema;
  const said = missing === undefined ? code : properties?.[missing]?.['x-refusal-missing'];
  return isDomainErrorCode(said) ? said : undefined;
}
