// Why an application process did not start, for its log: a port that cannot be had as one sentence, a defect with its stack.
import { variables } from '../subgraphs/shared/config';
import { portSentence } from './launcher/ports';

/** `environment` tells which variable named the port. */
export function startText(error: unknown, environment: Readonly<NodeJS.ProcessEnv>): string {
  if (!(error instanceof Error)) return String(error);
  const { syscall, port, address, code } = error as NodeJS.ErrnoException & { port?: number; address?: string };
  if (syscall !== 'listen' || port === undefined) return error.stack ?? error.message;
  return portSentence(address ?? 'HOST', portName(port, environment), port, code ?? 'unknown error');
}

function portName(port: number, environment: Readonly<NodeJS.ProcessEnv>): string {
  const names = Object.entries(variables)
    .filter(([name, rule]) => name.endsWith('_PORT') && rule.safeParse(environment[name]).data === port)
    .map(([name]) => name);
  return names.join(' or ') || 'its variable';
}
