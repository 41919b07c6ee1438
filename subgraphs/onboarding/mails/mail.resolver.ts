// The sandbox's mail outbox in the graph (docs/sandbox.md); production answers an empty list.
import { Arg, Int, Query, Resolver } from 'type-graphql';
import { Allow } from '../../shared/callers/allow';
import { DomainError } from '../../shared/errors';
import { listKeptMails, type MailServiceDeps } from './mail.service';
import { SandboxMailType } from './mail.type';

const listedMax = 200;

@Resolver(() => SandboxMailType)
export class MailResolver {
  constructor(private readonly deps: MailServiceDeps) {}

  @Allow('sandbox:control', 'pages')
  @Query(() => [SandboxMailType], { description: 'Newest first; only in the sandbox.' })
  async sandboxMails(
    @Arg('first', () => Int, { defaultValue: 50, description: 'How many mails at most; absent: the newest 50.' })
    first: number,
  ) {
    if (first < 1 || first > listedMax)
      throw new DomainError('invalidInput', `first is not 1 to ${listedMax}`, { field: 'first' });
    return listKeptMails(this.deps, first);
  }
}
