// How the command line ends: its exit codes, and the one error type that carries one of them.

/** Exit codes of `pay`, printed by `pay --help`; scripts may rely on them. */
export const exitCodes = {
  /** Done; for `doctor`: every check passed. */
  done: 0,
  /** A check of `doctor` failed, or the command itself is broken. */
  failed: 1,
  /** Unknown command or option, missing argument. */
  usage: 2,
  /** A file, key, JWE or JSON that was given cannot be used. */
  input: 3,
  /** The platform answered and said no. */
  refused: 4,
  /** The platform did not answer, or cannot serve now. */
  unreachable: 5,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Ends the command with one sentence on stderr; the message never carries a secret. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';

  constructor(
    readonly exitCode: ExitCode,
    message: string,
  ) {
    super(message);
  }
}
