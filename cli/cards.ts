// `pay cards`: the sandbox's test cards, as the platform itself lists them.
import { callJson } from './call';
import type { Credentials } from './credentials';
import { CommandFailure, exitCodes } from './failure';
import { type CommandLine, columns } from './terminal';

/** Fetches and prints the table; its columns are whatever fields the platform gives each card. */
export async function printCards(credentials: Credentials, terminal: CommandLine): Promise<void> {
  const url = `${credentials.urls.rest}/sandbox/cards`;
  const answer = await callJson(url, { headers: { 'x-sandbox-key': credentials.sandboxKey } });
  const cards = Array.isArray(answer) ? answer : (answer as { cards?: unknown }).cards;
  if (!Array.isArray(cards) || cards.length === 0) {
    throw new CommandFailure(exitCodes.unreachable, `${url} lists no cards.`);
  }
  const names = [...new Set(cards.flatMap((card: object) => Object.keys(card)))];
  const rows = cards.map((card: Record<string, unknown>) => names.map((name) => String(card[name] ?? '')));
  terminal.print(columns([names, ...rows]), cards);
}
