// Clients in the graph: queries for whoever may read it, mutations for staff, keys also for the client that they belong to.
import { Arg, Args, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql';
import { Allow, AllowFresh } from '../../shared/callers/allow';
import type { RequestContext } from '../../shared/callers/context';
import { reasonArgument, reasonOfAct } from '../../shared/callers/reason';
import { PageArgs } from '../../shared/graph/page.type';
import type { Idempotent } from '../../shared/idempotency/idempotency';
import { idAt, readSlice, timeAt } from '../../shared/lists/list-order';
import { connection } from '../../shared/lists/page';
import { withoutAbsent } from '../../shared/present-members';
import { requestLoader } from '../../shared/store/loaders';
import type { AuditRecord } from '../audit/audit';
import { auditLoader } from '../audit/audit.reference';
import type { AuditRepository } from '../audit/audit.repository';
import { AuditFilterInput } from '../audit/audit.type';
import { assertAuditFilter } from '../audit/audit-filter';
import { ProposedProposalType } from '../proposals/proposal.type';
import type { Client } from './client';
import type { ClientRepository } from './client.repository';
import type { ClientService, ClientWithSecret } from './client.service';
import {
  AuditRecordConnectionType,
  AuditRecordType,
  ClientConnectionType,
  ClientType,
  ClientWithSecretType,
  CreateClientInput,
  RateLimitType,
  RecipientJwkInput,
} from './client.type';
import type { RateLimitView } from './limits';

export interface ClientResolverDeps {
  idempotent: Idempotent;
  service: ClientService;
  clients: ClientRepository;
  auditRecords: AuditRepository;
  limitsOf(client: Client): RateLimitView[];
}

@Resolver(() => ClientType)
export class ClientResolver {
  constructor(private readonly deps: ClientResolverDeps) {}

  @Allow('clients:read')
  @Query(() => ClientType, {
    nullable: true,
    description: 'One API client; null when it does not exist or the caller may not see it.',
  })
  client(
    @Arg('clientId', () => ID, { description: 'Id of the client that is wanted.' }) clientId: string,
    @Ctx() context: RequestContext,
  ): Promise<Client | null> {
    return clientLoader(this.deps.clients, context).load(clientId);
  }

  @Allow('clients:read')
  @Query(() => ClientConnectionType, { description: 'The API clients that the caller may see, by clientId.' })
  async clients(@Args(() => PageArgs) asked: PageArgs, @Ctx() context: RequestContext) {
    const slice = readSlice(asked, idAt);
    return connection(await this.deps.clients.list(context.caller, slice), slice, ({ clientId }) => [clientId]);
  }

  @Allow('audit:read')
  @Query(() => AuditRecordType, {
    nullable: true,
    description: 'One record of the audit; null when it does not exist or the caller may not see it.',
  })
  auditRecord(
    @Arg('auditId', () => ID, { description: 'Id of the record that is wanted.' }) auditId: string,
    @Ctx() context: RequestContext,
  ): Promise<AuditRecord | null> {
    return auditLoader(this.deps.auditRecords, context).load(auditId);
  }

  @Allow('audit:read')
  @Query(() => AuditRecordConnectionType, {
    description: 'Who did what, newest first: changes, logins, refusals and looks at unmasked data.',
  })
  async auditRecords(
    @Arg('subjectId', () => ID, { nullable: true, description: 'Records about this thing only; absent: about all.' })
    subjectId: string | null,
    @Arg('filter', () => AuditFilterInput, { nullable: true, description: 'Which records are wanted; absent: all.' })
    filter: AuditFilterInput | null,
    @Args(() => PageArgs) asked: PageArgs,
    @Ctx() context: RequestContext,
  ) {
    const slice = readSlice(asked, timeAt);
    assertAuditFilter(filter ?? {});
    const own = { ...filter, ...withoutAbsent({ subjectId: subjectId || null }) };
    const page = await this.deps.auditRecords.list(context.caller, own, slice);
    return connection(page, slice, ({ at, auditId }) => [at.getTime(), auditId]);
  }

  @FieldResolver(() => [RateLimitType], { description: 'How many calls it may make.' })
  limits(@Root() client: Client): RateLimitView[] {
    return this.deps.limitsOf(client);
  }

  @AllowFresh('clients:write')
  @Mutation(() => ClientWithSecretType, { description: 'Makes an API client, and shows its secret this once.' })
  createClient(
    @Arg('input', () => CreateClientInput, { description: 'Everything that the call is about, in one object.' })
    input: CreateClientInput,
    @Ctx() context: RequestContext,
  ): Promise<ClientWithSecret> {
    const { family, label, accountId = null, scopes = null, identifiers, merchantId = null } = input;
    const wanted = { family, label, accountId, scopes, identifiers: identifiers ?? [], merchantId };
    return this.deps.idempotent<ClientWithSecret>(context, 'createClient', (complete) =>
      this.deps.service.create(context, wanted, complete),
    );
  }

  @AllowFresh('clients:write')
  @Mutation(() => ClientWithSecretType, { description: 'The secret before works for another 24 hours.' })
  rotateClientSecret(
    @Arg('clientId', () => ID, { description: 'Id of the API client that is acted on.' }) clientId: string,
    @Ctx() context: RequestContext,
    @Arg('reason', () => String, reasonArgument) reason?: string | null,
  ): Promise<ClientWithSecret> {
    const why = reasonOfAct(context, reason);
    return this.deps.idempotent<ClientWithSecret>(context, 'rotateClientSecret', (complete) =>
      this.deps.service.rotateSecret(context, { clientId, reason: why }, complete),
    );
  }

  @Allow('clients:write')
  @Mutation(() => ClientType, { description: 'Its access tokens stop working within a second.' })
  disableClient(
    @Arg('clientId', () => ID, { description: 'Id of the API client that is acted on.' }) clientId: string,
    @Ctx() context: RequestContext,
    @Arg('reason', () => String, reasonArgument) reason?: string | null,
  ): Promise<Client> {
    const why = reasonOfAct(context, reason);
    return this.deps.idempotent<Client>(context, 'disableClient', (complete) =>
      this.deps.service.setStatus(context, { clientId, status: 'DISABLED', reason: why }, complete),
    );
  }

  @AllowFresh('clients:write')
  @Mutation(() => ClientType, { description: 'Lets a disabled API client get access tokens again.' })
  enableClient(
    @Arg('clientId', () => ID, { description: 'Id of the API client that is acted on.' }) clientId: string,
    @Ctx() context: RequestContext,
  ): Promise<Client> {
    return this.deps.idempotent<Client>(context, 'enableClient', (complete) =>
      this.deps.service.setStatus(context, { clientId, status: 'ACTIVE', reason: null }, complete),
    );
  }

  @AllowFresh('rights:write')
  @Mutation(() => ClientType, {
    description:
      'An empty list: the client may obtain no access token. Rights of staff to act are given by proposeClientScopes.',
  })
  setClientScopes(
    @Arg('clientId', () => ID, { description: 'Id of the API client that is acted on.' }) clientId: string,
    @Arg('scopes', () => [String], { description: 'Everything that its access tokens may do from now on.' })
    scopes: string[],
    @Ctx() context: RequestContext,
    @Arg('reason', () => String, reasonArgument) reason?: string | null,
  ): Promise<Client> {
    const why = reasonOfAct(context, reason);
    return this.deps.idempotent<Client>(context, 'setClientScopes', (complete) =>
      this.deps.service.setScopes(context, { clientId, scopes, reason: why }, complete),
    );
  }

  @AllowFresh('rights:write')
  @Mutation(() => ProposedProposalType, {
    description: 'For scopes that let staff do what they could not do before: a second person confirms it.',
  })
  proposeClientScopes(
    @Arg('clientId', () => ID, { description: 'Id of the API client that is acted on.' }) clientId: string,
    @Arg('scopes', () => [String], { description: 'Everything that its access tokens may do from then on.' })
    scopes: string[],
    @Ctx() context: RequestContext,
  ): Promise<{ proposalId: string }> {
    return this.deps.idempotent<{ proposalId: string }>(context, 'proposeClientScopes', (complete) =>
      this.deps.service.proposeScopes(context, { clientId, scopes }, complete),
    );
  }

  @Allow('clients:write')
  @Mutation(() => ClientType, { description: 'Ends every access token that the API client has.' })
  revokeAccessTokens(
    @Arg('clientId', () => ID, { description: 'Id of the API client that is acted on.' }) clientId: string,
    @Ctx() context: RequestContext,
    @Arg('reason', () => String, reasonArgument) reason?: string | null,
  ): Promise<Client> {
    const why = reasonOfAct(context, reason);
    return this.deps.idempotent<Client>(context, 'revokeAccessTokens', (complete) =>
      this.deps.service.revokeAccessTokens(context, { clientId, reason: why }, complete),
    );
  }

  @AllowFresh('clients:write', 'mts:token')
  @Mutation(() => ClientType, { description: 'Results are sealed to the new key from now on.' })
  registerEncryptionKey(
    @Arg('clientId', () => ID, { description: 'Id of the API client that is acted on.' }) clientId: string,
    @Arg('key', () => RecipientJwkInput, { description: 'The public key that results are to be sealed to.' })
    key: RecipientJwkInput,
    @Ctx() context: RequestContext,
  ): Promise<Client> {
    return this.deps.idempotent<Client>(context, 'registerEncryptionKey', (complete) =>
      this.deps.service.registerEncryptionKey(context, { clientId, jwk: key }, complete),
    );
  }

  @AllowFresh('clients:write', 'mts:token')
  @Mutation(() => ClientType, { description: 'Stops sealing results to a key of the API client.' })
  retireEncryptionKey(
    @Arg('clientId', () => ID, { description: 'Id of the API client that is acted on.' }) clientId: string,
    @Arg('kid', () => String, { description: 'The id of the key that is to be retired.' }) kid: string,
    @Ctx() context: RequestContext,
    @Arg('reason', () => String, reasonArgument) reason?: string | null,
  ): Promise<Client> {
    const why = reasonOfAct(context, reason);
    return this.deps.idempotent<Client>(context, 'retireEncryptionKey', (complete) =>
      this.deps.service.retireEncryptionKey(context, { clientId, kid, reason: why }, complete),
    );
  }
}

/** The request's loader of clients that its caller may see. */
export function clientLoader(clients: ClientRepository, context: RequestContext) {
  return requestLoader(
    context,
    'client',
    (ids) => clients.find(context.caller, ids),
    (client) => client.clientId,
  );
}
