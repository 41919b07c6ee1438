// The simulated issuer: the table of test cards says who must be challenged and who always fails (docs/sandbox.md, section 5).
import type { Clock } from '../../shared/clock';
import { newId } from '../../shared/ids';
import { testCardLike } from '../../shared/test-cards';
import type { AuthenticationAnswer, AuthenticationRequest, Challenge, ThreeDs } from '../connectors/three-ds';
import type { ChallengeRepository, HeldChallenge } from './challenge.repository';

/** The code that the simulated issuer sends. */
const challengeCode = '123456';
const challengeTriesMax = 3;
/** How long a challenge may stay unanswered, on the one clock. */
const challengeMsMax = 10 * 60_000;
const answersMax = 5;

export interface SandboxThreeDsDeps {
  challenges: ChallengeRepository;
  clock: Clock;
  /** Origin of the challenge page. */
  acsUrl: string;
}

export function createSandboxThreeDs({ challenges, clock, acsUrl }: SandboxThreeDsDeps): ThreeDs {
  async function challenge(request: AuthenticationRequest, alwaysFails: boolean): Promise<AuthenticationAnswer> {
    const { number, lastFour } = request.card;
    const challengeId = newId();
    const { sessionId, accountId, merchantName, amountMinor, currency, language, returnUrl, circuit } = request;
    await challenges.insert({
      challengeId,
      sessionId,
      accountId,
      merchantName,
      amountMinor,
      currency,
      language,
      returnUrl,
      alwaysFails,
      maskedCard: `${'*'.repeat((number?.length ?? 16) - 4)}${lastFour}`,
      scheme: circuit,
      status: 'OPEN',
      triesLeft: challengeTriesMax,
      resends: 0,
      expiresAt: new Date(clock.now().getTime() + challengeMsMax),
    });
    const isExemptionIgnored = request.wish === 'REQUESTED';
    return { outcome: 'challenge', challengeId, url: `${acsUrl}/challenge/${challengeId}`, isExemptionIgnored };
  }

  async function find(challengeId: string): Promise<{ challenge: HeldChallenge; version: number } | null> {
    const found = await challenges.find(challengeId);
    if (found?.challenge.status !== 'OPEN' || found.challenge.expiresAt > clock.now()) return found;
    return { ...found, challenge: { ...found.challenge, status: 'TIMED_OUT' } };
  }

  return {
    needsDeviceCheck: (circuit) => circuit !== null && circuit !== 'AMEX',
    async authenticate(request) {
      const outcome = testCardLike(request.card)?.payment ?? 'AUTHORIZED';
      if (outcome.startsWith('CHALLENGE_')) return challenge(request, outcome === 'CHALLENGE_FAILED');
      if (request.wish === 'CHALLENGE_FORCED') return challenge(request, false);
      return { outcome: request.wish === 'REQUESTED' ? 'exempted' : 'frictionless' };
    },
    async ask(challengeId) {
      const found = await find(challengeId);
      return found && shown(found.challenge);
    },
    async answer(challengeId, answer) {
      for (let attempt = 0; attempt < answersMax; attempt += 1) {
        const found = await find(challengeId);
        if (!found) return null;
        const change = decideAnswer(found.challenge, answer.trim());
        if (await challenges.change(challengeId, found.version, change))
          return shown({ ...found.challenge, ...change });
      }
      throw new Error('a challenge was answered by too many at once');
    },
  };
}

/** What the answer changes; nothing once the challenge has its outcome. */
function decideAnswer(
  { status, triesLeft, resends, alwaysFails }: HeldChallenge,
  answer: string,
): Partial<Pick<Challenge, 'status' | 'triesLeft' | 'resends'>> {
  if (status !== 'OPEN') return { status };
  switch (answer) {
    case 'CANCEL':
      return { status: 'CANCELLED' };
    case 'TIMEOUT':
      return { status: 'TIMED_OUT' };
    case 'FAIL':
      return { status: 'FAILED' };
    case 'RESEND':
      return { resends: resends + 1 };
    case 'PASS':
    case challengeCode:
      return { status: alwaysFails ? 'FAILED' : 'PASSED' };
    default:
      return triesLeft > 1 ? { triesLeft: triesLeft - 1 } : { triesLeft: triesLeft - 1, status: 'FAILED' };
  }
}

function shown({ alwaysFails: _hidden, ...challenge }: HeldChallenge): Challenge {
  return challenge;
}
