// The graph's view of our decryption keys: JSON Web Keys (RFC 7517), public halves only.
import { Field, ID, ObjectType } from 'type-graphql';
import { type DecryptionKey, decryptionKeyAlgorithm } from './decryption-key';

@ObjectType('DecryptionKey', {
  simpleResolvers: true,
  description: 'A public key of the platform that card data is sealed to before it is sent.',
})
export class DecryptionKeyType {
  @Field(() => ID, { description: 'The id of the key, to be named in the header of what is sealed to it.' })
  kid!: string;
  @Field(() => String, { description: 'The kind of key of RFC 7517: always RSA.' }) kty!: string;
  @Field(() => String, { description: 'The modulus of the RSA key, Base64URL.' }) n!: string;
  @Field(() => String, { description: 'The exponent of the RSA key, Base64URL.' }) e!: string;
  @Field(() => String, { description: 'What the key is for in the words of RFC 7517: enc, for sealing.' })
  use!: string;
  @Field(() => String, { description: 'The algorithm in the words of RFC 7518 that the key is used with.' })
  alg!: string;
  @Field(() => Boolean, { description: 'Seal to this one; the others still open for a while.' }) current!: boolean;
}

export function printDecryptionKey({ kid, state, n, e }: DecryptionKey): DecryptionKeyType {
  return { kid, kty: 'RSA', n, e, use: 'enc', alg: decryptionKeyAlgorithm, current: state === 'active' };
}
