// fast-check as every property test uses it: the same draws in each run, so that a red run can be repeated; PROPERTY_SEED chooses others ("random" for new ones).
import fc from 'fast-check';

const chosen = process.env['PROPERTY_SEED'] ?? '20261121';

/** What draws begin from; null for new ones in each run. */
const propertySeed: number | null = chosen === 'random' ? null : Number(chosen);

if (propertySeed !== null) fc.configureGlobal({ seed: propertySeed });

export default fc;
