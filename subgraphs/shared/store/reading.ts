// Reads while the database is away: one refusal that every surface turns into 503 with Retry-After.
import { databaseUnavailable, isDatabaseUnavailable } from './mongo';

/** The answer of a read; rejects with DomainError('unavailable') when the database cannot serve now. */
export async function reading<Result>(query: PromiseLike<Result>): Promise<Result> {
  try {
    return await query;
  } catch (error) {
    throw isDatabaseUnavailable(error) ? databaseUnavailable() : error;
  }
}
