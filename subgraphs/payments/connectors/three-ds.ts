// What the domain asks of a 3-D Secure server: does this card need its holder, and what did the issuer say (EMV 3-D Secure; 2.2-C of the decision register).

/** REQUESTED: the shop asks for an exemption. CHALLENGE_REQUESTED is a wish, CHALLENGE_FORCED an order. */
export const authenticationWishes = ['NONE', 'REQUESTED', 'CHALLENGE_REQUESTED', 'CHALLENGE_FORCED'] as const;
export type AuthenticationWish = (typeof authenticationWishes)[number];

/** A card that was just typed, or one that the acquirer keeps for a contract: of that its number is not known. */
export interface CardToAuthenticate {
  number: string | null;
  bin: string;
  lastFour: string;
  /** MM/YY. */
  expiry: string;
}

export interface AuthenticationRequest {
  sessionId: string;
  accountId: string;
  merchantName: string;
  card: CardToAuthenticate;
  circuit: string;
  amountMinor: bigint;
  currency: string;
  wish: AuthenticationWish;
  language: string | null;
  /** Where the browser comes back to. */
  returnUrl: string;
}

/**
 * `frictionless`: authenticated without the holder. `exempted`: skipped as the shop wished. `none`: the card takes no part.
 * `isExemptionIgnored`: the issuer wants its holder although the shop asked not to.
 */
export type AuthenticationAnswer =
  | { outcome: 'frictionless' | 'exempted' | 'none' }
  | { outcome: 'challenge'; challengeId: string; url: string; isExemptionIgnored: boolean };

export const challengeOutcomes = ['PASSED', 'FAILED', 'CANCELLED', 'TIMED_OUT'] as const;
export type ChallengeOutcome = (typeof challengeOutcomes)[number];
export const challengeStatuses = ['OPEN', ...challengeOutcomes] as const;
export type ChallengeStatus = (typeof challengeStatuses)[number];

export interface Challenge {
  challengeId: string;
  accountId: string;
  sessionId: string;
  merchantName: string;
  amountMinor: bigint;
  currency: string;
  maskedCard: string;
  /** VISA, MC, AMEX. */
  scheme: string;
  language: string | null;
  status: ChallengeStatus;
  triesLeft: number;
  resends: number;
  /** On the one clock. */
  expiresAt: Date;
  returnUrl: string;
}

export interface ThreeDs {
  /** Whether the issuer of such a card looks at the payer's device first. */
  needsDeviceCheck(circuit: string | null): boolean;
  /** Rejects when it does not answer. */
  authenticate(request: AuthenticationRequest): Promise<AuthenticationAnswer>;
  /** Null: no such challenge. */
  ask(challengeId: string): Promise<Challenge | null>;
  /** What the holder does at the sandbox's issuer: the code, or PASS, FAIL, CANCEL, TIMEOUT or RESEND; a challenge that has its outcome keeps it. Null: none such, or no sandbox. */
  answer(challengeId: string, answer: string): Promise<Challenge | null>;
}
