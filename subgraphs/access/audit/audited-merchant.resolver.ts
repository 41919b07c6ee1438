// The merchant that a record of the audit is about: named here, and read where merchants are kept.
import { FieldResolver, Resolver, Root } from 'type-graphql';
import { AuditRecordType } from '../clients/client.type';
import { AccessMerchant } from '../keys/api-key.type';
import type { AuditRecord } from './audit';

@Resolver(() => AuditRecordType)
export class AuditedMerchantResolver {
  @FieldResolver(() => AccessMerchant, {
    nullable: true,
    description:
      'The merchant that it was done to; null when it was done to something else or the caller may not see it.',
  })
  merchant(@Root() { subjectType, subjectId }: AuditRecord): AccessMerchant | null {
    return subjectType === 'merchant' ? { merchantId: subjectId } : null;
  }
}
