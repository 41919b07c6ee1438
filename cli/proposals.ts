// The second person at a shell: what waits to be confirmed, and the yes or no to it (docs/operations.md, Two persons).
import { type Command, Option } from 'commander';
import { ask, type RunCommand, type SetupSurroundings } from './setup';

const fields = 'proposalId status kind subjectType subjectId reason proposedBy expiresAt changes { field to }';
const statuses = ['PENDING', 'CONFIRMED', 'REJECTED', 'EXPIRED'] as const;

interface ProposalOptions {
  operator?: string;
  status?: string;
  reason?: string;
}

interface ShownProposal {
  proposalId: string;
  status: string;
  kind: string;
  subjectType: string;
  subjectId: string;
  proposedBy: string;
  expiresAt: string;
  changes: { field: string; to: string | null }[];
}

const operatorFlag = '--operator <file>';
const operatorMeaning = 'what operator:create printed (default: graph.operator of the credentials file)';

/** Adds `proposal list`, `proposal confirm` and `proposal reject`. */
export function addProposals(program: Command, run: RunCommand): void {
  const group = program.command('proposal').description('acts that need a second person: list, confirm, reject');
  group
    .command('list')
    .description('print proposals, newest first')
    .addOption(new Option('--status <status>', 'those of this status').choices([...statuses]).default('PENDING'))
    .option(operatorFlag, operatorMeaning)
    .action((options: ProposalOptions, command: Command) =>
      run(command, async (surroundings) => {
        const query = `query ($status: ProposalStatus) { proposals(status: $status, first: 100) { edges { node { ${fields} } } } }`;
        const variables = { status: options.status };
        const data = await askAsSecond(surroundings, options, { query, variables });
        const { edges } = data['proposals'] as { edges: { node: ShownProposal }[] };
        for (const { node } of edges) surroundings.terminal.print(lineOf(node), node);
      }),
    );
  for (const [word, description, args] of [
    ['confirm', 'do what somebody else proposed', ''],
    ['reject', 'end a proposal undone', ', reason: $reason'],
  ] as const) {
    const command = group.command(word).description(description).argument('<proposalId>', 'from proposal list');
    if (args) command.requiredOption('--reason <text>', 'why, for the audit');
    command.option(operatorFlag, operatorMeaning).action((id: string, options: ProposalOptions, given: Command) =>
      run(given, async (surroundings) => {
        const declared = args ? '($id: ID!, $reason: String!)' : '($id: ID!)';
        const query = `mutation ${declared} { ended: ${word}Proposal(proposalId: $id${args}) { proposal { ${fields} } } }`;
        const variables = { id, reason: args ? options.reason : undefined };
        const data = await askAsSecond(surroundings, options, { query, variables });
        const { proposal } = data['ended'] as { proposal: ShownProposal };
        surroundings.terminal.print(lineOf(proposal), proposal);
      }),
    );
  }
}

function askAsSecond(
  surroundings: SetupSurroundings,
  { operator }: ProposalOptions,
  request: Parameters<typeof ask>[1],
) {
  return ask({ ...surroundings, operator, staff: 'operator' }, request);
}

function lineOf({
  proposalId,
  status,
  kind,
  subjectType,
  subjectId,
  proposedBy,
  expiresAt,
  changes,
}: ShownProposal): string {
  const what = changes.map(({ field, to }) => `${field} ${to ?? 'none'}`).join(', ');
  return `${proposalId}  ${status}  ${kind} of ${subjectType} ${subjectId}: ${what} (by ${proposedBy}, until ${expiresAt})`;
}
