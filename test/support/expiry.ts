// When the cards and consents of the tests end: some years after the day of the run, so that no test fails by its age.
const year = new Date().getUTCFullYear() + 4;

/** As the tokenization interface writes it. */
export const accountExpiry = `12${year}`;
/** As a payer types it. */
export const typedExpiry = `12/${String(year).slice(-2)}`;
/** The last day of that month. */
export const lastDay = `${year}-12-31`;
