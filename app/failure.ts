// What stops a start and the user can put right: one clear sentence, no stack trace.

/** The message is one sentence: what is wrong, why, and what to set. It is shown as it is. */
export class StartFailure extends Error {
  override readonly name = 'StartFailure';
}

/** A sentence for anything that was thrown: our own as it is, the unexpected with where to read more. */
export function failureSentence(error: unknown, logFolder: string): string {
  if (error instanceof StartFailure) return error.message;
  const text = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
  return `Something unexpected went wrong: ${text}; ${logFolder} has the logs.`;
}
