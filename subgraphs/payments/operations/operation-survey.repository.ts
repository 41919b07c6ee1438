// A look at a merchant's operations now and then, on which the choice of an index rests (hosted checkout, GET operations).
import type { Collection, Document } from 'mongodb';
import type { Environment } from '../../shared/callers/caller';
import { findAll, reading } from '../../shared/store/reading';
import type { Survey } from './operation-facets';

/** How old a survey may be before it is renewed; it serves until then, and while it is renewed. */
const freshMs = 30_000;
const sampleMax = 4_000;
const profilesMax = 1_000;
/** Surveys kept; the least recently used ones go first. */
const keptMax = 500;

interface KeptSurvey {
  survey: Promise<Survey>;
  at: number;
  isRenewing: boolean;
}

interface Surveyed {
  environment: Environment;
  merchantId: string;
}

interface SurveyRow {
  profile: string;
  amountMinor: number;
}

/** Real time: a survey tells how operations are spread, not which there are. */
export function createOperationSurveys(records: Collection): (of: Surveyed) => Promise<Survey> {
  const kept = new Map<string, KeptSurvey>();
  const take = (of: Surveyed) => ({
    survey: takeSurvey(records, of),
    at: performance.now(),
    isRenewing: false,
  });

  return (of) => {
    const { merchantId } = of;
    const known = kept.get(merchantId) ?? take(of);
    kept.delete(merchantId);
    kept.set(merchantId, known);
    if (kept.size > keptMax) kept.delete(kept.keys().next().value as string);
    known.survey.catch(() => kept.get(merchantId) === known && kept.delete(merchantId));
    if (performance.now() - known.at > freshMs && !known.isRenewing) {
      known.isRenewing = true;
      const next = take(of);
      next.survey.then(
        () => kept.set(merchantId, next),
        // The old survey serves on, and the next call tries again.
        () => {
          known.isRenewing = false;
        },
      );
    }
    return known.survey;
  };
}

async function takeSurvey(records: Collection, { environment, merchantId }: Surveyed): Promise<Survey> {
  const [rows, found] = await reading(
    Promise.all([
      findAll<Document, SurveyRow>(
        records,
        { environment, merchantId },
        {
          projection: { _id: 0, profile: 1, amountMinor: 1 },
          sort: { time: -1, _id: -1 },
          hint: 'ofMerchantByTime',
          limit: sampleMax,
        },
      ),
      records
        .aggregate<{ _id: string }>(
          [{ $match: { environment, merchantId } }, { $group: { _id: '$profile' } }, { $limit: profilesMax + 1 }],
          // Steps from one profile to the next instead of reading every entry.
          { hint: 'ofMerchantByProfile' },
        )
        .toArray(),
    ]),
  );
  const sample = new Map<string, number[]>();
  for (const { profile, amountMinor } of rows) {
    const amounts = sample.get(profile);
    if (amounts) amounts.push(amountMinor);
    else sample.set(profile, [amountMinor]);
  }
  const profiles = found.length > profilesMax ? null : found.map(({ _id }) => _id);
  return { profiles, sample, sampleSize: rows.length };
}
