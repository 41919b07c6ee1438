// No kind of envelope that cannot be opened is told from another by the time until it is refused, alone or among other calls (figure I6).
import { expectNone, proof, quantile } from '../faults/proof';
import { createRandom, type Random } from '../faults/random';
import { create, currentKey } from './calls';
import { isCompact, type Mutation, type MutationSources, mutationKinds, mutations } from './jwe-mutations';
import { type Compared, compareKinds, type Timed } from './rank-test';
import { newRecipient, openWorld, type World } from './world';

let world: World;
let sources: MutationSources;
beforeAll(async () => {
  world = await openWorld();
  const payload = { account: '4242424242424242', accountExpiry: '122030', cvv: '123' };
  sources = { key: await currentKey(world), stranger: newRecipient('stranger').recipient, payload };
});
afterAll(() => world.close());

/** Where the opening of an envelope fails: many kinds together, because more samples tell more. */
const places: readonly [place: string, kinds: RegExp][] = [
  ['content key', /^encrypted key (?!of another)|^wrong key/],
  ['unknown kid', /^kid (unknown|__proto__)|^header of another/],
  ['plaintext', /^plaintext/],
  ['length of iv or tag', /^(iv|tag) (short|of)/],
  ['header', /^(alg|enc|kid|zip|crit|p2c|header)\b(?! in other order)/],
  ['tag', /./],
];

/**
 * Kinds are apart when one comes later than the others this much more or less often than every second time, and chance alone hardly ever makes it so,
 * whatever number of kinds is compared. From 0.52 on, somebody outside who sends 10,000 envelopes, half of one kind and half of another, is right in
 * 19 of 20 cases (Noether: 13 / (3 * (share - 0.5) ** 2) envelopes); from 0.6 on with 433, and more the small size cannot tell.
 */
const shareApart = { full: 0.02, smoke: 0.1 };
const byChanceMax = 0.001 / (2 * (mutationKinds.length + places.length));
/** One call after the other; and four at a time, which share their visit to the key thread. */
const crowds = { alone: 1, 'among others': 4 };

proof('jwe-timing', { smoke: { samples: 1_000 }, full: { samples: 10_000 } }, async ({ size, isSmoke, random }) => {
  const shareMax = isSmoke ? shareApart.smoke : shareApart.full;
  const compared: (Compared & { crowd: string })[] = [];
  const figures: Record<string, number> = {};
  for (const [crowd, atOnce] of Object.entries(crowds)) {
    const samples = await timed(envelopes(size.samples, random.branch(crowd)), atOnce);
    const perPlace = compareKinds(samples.map(atPlace));
    for (const each of [...compareKinds(samples), ...perPlace]) compared.push({ crowd, ...each });
    figures[`samples ${crowd}`] = samples.length;
    figures[`median ms ${crowd}`] = rounded(
      quantile(
        samples.map(({ ms }) => ms * 10),
        0.5,
      ) / 10,
    );
    figures[`share of the farthest place ${crowd}`] = rounded(0.5 + Math.max(...perPlace.map(distance)));
    figures[`delay ms that would show ${crowd}`] = delayThatShows(samples.map(atPlace), shareMax);
  }
  const apart = compared.filter((each) => isApart(each, shareMax));
  expectNone('kinds of failure are told from the others by their time', apart);
  return { compared: compared.length, apart: apart.length, ...figures };
});

test.each([
  { delayMs: 0, told: [] },
  { delayMs: 0.1, told: ['late'] },
])(
  'of three kinds, one of them $delayMs ms later in a spread of 1 ms, the comparison tells $told',
  ({ delayMs, told }) => {
    const random = createRandom(1);
    const samples = ['one', 'other', 'late'].flatMap((kind) =>
      Array.from({ length: 1_000 }, () => ({ kind, ms: 10 + random.next() + (kind === 'late' ? delayMs : 0) })),
    );
    const later = compareKinds(samples).filter((each) => isApart(each, shareApart.full) && each.laterShare > 0.5);
    expect(later.map(({ kind }) => kind)).toEqual(told);
  },
);

/** That many of all kinds that are a matter of cryptography, in random order: what slows the machine down meanwhile meets them all alike. */
function envelopes(count: number, random: Random): Mutation[] {
  const rounds = mutations(sources, count * 2, random).filter(({ value }) => isCompact(value));
  return random.shuffled(rounds).slice(0, count);
}

async function timed(waiting: readonly Mutation[], atOnce: number): Promise<Timed[]> {
  const samples: Timed[] = [];
  for (let from = 0; from < waiting.length; from += atOnce) {
    const answers = waiting.slice(from, from + atOnce).map(async ({ kind, value }) => {
      const startedMs = performance.now();
      const { code } = await create(world, world.alpha, { encryptedData: value });
      return { kind, code, ms: performance.now() - startedMs };
    });
    for (const { code, ...sample } of await Promise.all(answers)) {
      expect(code).toBe('cryptographyFailed');
      samples.push(sample);
    }
  }
  return samples;
}

function atPlace({ kind, ms }: Timed): Timed {
  return { kind: places.find(([, kinds]) => kinds.test(kind))?.[0] ?? kind, ms };
}

function isApart(each: Compared, shareMax: number): boolean {
  return distance(each) > shareMax && each.byChance < byChanceMax;
}

function distance({ laterShare }: Compared): number {
  return Math.abs(laterShare - 0.5);
}

/** How much later wrong tags would have to be refused to be found: what the run is able to see on this machine. */
function delayThatShows(samples: readonly Timed[], shareMax: number): number {
  const delays = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50];
  const isSeen = (delay: number) => {
    const later = samples.map(({ kind, ms }) => ({ kind, ms: kind === 'tag' ? ms + delay : ms }));
    return compareKinds(later).some((each) => each.kind === 'tag' && isApart(each, shareMax));
  };
  return delays.find(isSeen) ?? Number.POSITIVE_INFINITY;
}

function rounded(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}
