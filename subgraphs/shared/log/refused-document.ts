// Which fields of a document MongoDB's validator refused, for the log: names and rules, never a value.

const documentValidationFailure = 121;

interface Detail {
  propertyName?: string;
  missingProperties?: string[];
  additionalProperties?: string[];
  operatorName?: string;
  details?: Detail[];
  schemaRulesNotSatisfied?: Detail[];
  propertiesNotSatisfied?: Detail[];
}

interface WriteRefusal {
  code?: unknown;
  errInfo?: { details?: Detail };
  /** Of a batch: each refused write. */
  writeErrors?: unknown;
}

/** `amountMinor (bsonType)`, `sort (additionalProperties)`; undefined where it is another error. */
export function refusedFields(error: Error): string[] | undefined {
  const { writeErrors } = error as WriteRefusal;
  const refusals = [error, ...(Array.isArray(writeErrors) ? writeErrors : [])] as WriteRefusal[];
  const details = refusals.flatMap(({ code, errInfo }) =>
    code === documentValidationFailure && errInfo?.details ? [errInfo.details] : [],
  );
  return details.length > 0 ? [...new Set(details.flatMap((detail) => namesIn(detail, '')))] : undefined;
}

function namesIn(detail: Detail, parent: string): string[] {
  const { propertyName, missingProperties, additionalProperties, operatorName = '' } = detail;
  const place = propertyName ? `${parent}${propertyName}` : parent;
  const named = [...(missingProperties ?? []), ...(additionalProperties ?? [])];
  const inner = [detail.details, detail.schemaRulesNotSatisfied, detail.propertiesNotSatisfied].flatMap(
    (each) => each ?? [],
  );
  if (named.length > 0) return named.map((name) => `${dotted(place)}${name} (${operatorName})`);
  if (inner.length > 0) return inner.flatMap((each) => namesIn(each, propertyName ? dotted(place) : parent));
  return place === '' ? [] : [`${place.replace(/\.$/, '')} (${operatorName})`];
}

const dotted = (place: string): string => (place === '' || place.endsWith('.') ? place : `${place}.`);
