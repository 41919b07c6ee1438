// The graph's view of our decryption keys: JSON Web Keys (RFC 7517), public halves only.
import { Field, ID, ObjectType } from 'type-graphql';
import { type DecryptionKey, decryptionKeyAlgorithm } from './decryption-key';

@ObjectType('DecryptionKey', { simpleResolvers: true })
export class DecryptionKeyType {
  @Field(() => ID) kid!: string;
  @Field(() => String) kty!: string;
  @Field(() => String) n!: string;
  @Field(() => String) e!: string;
  @Field(() => String) use!: string;
  @Field(() => String) alg!: string;
  @Field(() => Boolean, { description: 'Seal to this one; the others still open for a while.' }) current!: boolean;
}

export function printDecryptionKey({ kid, state, n, e }: DecryptionKey): DecryptionKeyType {
  return { kid, kty: 'RSA', n, e, use: 'enc', alg: decryptionKeyAlgorithm, current: state === 'active' };
}
