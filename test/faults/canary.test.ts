// Proof: card data, tokens and secrets of a whole run, failures and crashes included, are nowhere in databases, files, queues, logs, metrics or error bodies.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { newId } from '../../subgraphs/shared/ids';
import { send } from '../support/client';
import { accountExpiry } from '../support/expiry';
import { accessTokenOf, type Card, freshCardNumber, graph, type Partner, partnerOf } from '../support/partner';
import type { Topology, World } from '../support/world';
import { openDatabase } from './audit';
import { type Canaries, createCanaries, newName } from './canaries';
import { crashAmidst, heldCards, kindsToKill } from './canary-crash';
import { oneHostedForm } from './canary-hosted';
import { oneApplication } from './canary-onboarding';
import { merchantOf, oneCheckout, onePayment } from './canary-payments';
import { searchInstallation } from './leftovers';
import { expectNone, type Figures, namedProof, type ProofRun, proof } from './proof';
import type { Random } from './random';
import { issuerEvent } from './traffic';
import { withWorld } from './with-world';

/** One card through create, pay, suspend and delete, and through every refusal that sees its data. */
async function oneCard(world: World, partner: Partner, canaries: Canaries, random: Random): Promise<void> {
  const { plant, answers } = canaries;
  const key = () => ({ 'Idempotency-Key': plant('Idempotency-Key', `key-${randomBytes(12).toString('hex')}`) });
  const card = (changes: Partial<Card> = {}, prefix = '4'): Card => ({
    account: plant('card number', freshCardNumber(prefix)),
    accountExpiry,
    cvv: canaries.plantVerification('tokenization'),
    name: plant('cardholder', newName(random)),
    ...changes,
  });
  const created = await partner.createToken(card(), key());
  answers.push(created);
  const { token = '' } = await partner.open(created.body.encryptedData);
  plant('token', token);
  const { virtualAccountId } = created.body;
  const paid = await partner.createTransaction(virtualAccountId, {}, key());
  plant('cryptogram', (await partner.open(paid.body.encryptedData))['cryptogram'] ?? '');
  for (const event of ['SUSPEND', 'REPLACE_CARD', 'RESUME'])
    await send(world.urls.rest, issuerEvent(world, virtualAccountId, event));
  const wrongLuhn = freshCardNumber().replace(/\d$/, (digit) => String((Number(digit) + 1) % 10));
  const refused = [
    card({ account: plant('card number (Luhn)', wrongLuhn) }),
    card({ accountExpiry: '012020' }),
    card({ cvv: '12' }),
    card({ name: '<script>' }),
    card({}, '378'),
    card({}, '9'),
    card({ account: `${plant('card number (letters)', freshCardNumber())}x` }),
  ];
  for (const each of refused) answers.push(await partner.createToken(each));
  const { merchantId } = partner.credentials;
  // Card data where none belongs: in the clear, in a wrong field, in a path, a query and a header.
  const { account } = card();
  const clear = { merchantInfo: { merchantId }, accountInfo: { encryptedData: JSON.stringify({ account }) }, account };
  answers.push(await partner.call('POST', '/virtual-accounts/token', clear));
  answers.push(await partner.call('GET', `/virtual-accounts/${account}?number=${account}`));
  answers.push(await partner.call('GET', `/virtual-accounts/${newId()}`, undefined, { 'X-Request-ID': account }));
  answers.push(await partner.createTransaction(virtualAccountId, { transactionId: newId(), amount: account }));
  answers.push(await partner.deleteToken(virtualAccountId, { tokenState: account, reasonCode: account }));
  answers.push(await partner.deleteToken(virtualAccountId));
}

/** Every secret that the program was given or has given away. */
async function plantSecrets(world: World, { plant, answers }: Canaries): Promise<void> {
  const { credentials, dataDir } = world;
  for (const { clientSecret } of Object.values(credentials.graph)) plant('client secret (graph)', clientSecret);
  for (const { tokenization, payments, checkout, admin, partner, reporting } of Object.values(credentials.tenants)) {
    plant('consumer secret', admin.consumerSecret);
    plant('partner key', partner.secretApiKey);
    plant('webhook secret', partner.webhookSecret.replace('whsec_', ''));
    plant('merchant key', reporting.merchantApiKey);
    plant('client secret (payments)', payments.clientSecret);
    for (const { apiKey } of [checkout.implicit, checkout.explicit]) plant('API key', apiKey);
    plant('notification secret', checkout.notifySecret.replace('whsec_', ''));
    plant('client secret', tokenization.clientSecret);
    plant('notify secret', tokenization.notifySecret.replace('whsec_', ''));
    for (const part of ['d', 'p', 'q'] as const) plant(`private key (${part})`, tokenization.privateJwk[part] ?? '');
    plant('access token', await accessTokenOf(world, tokenization));
  }
  plant('access token (graph)', await accessTokenOf(world, credentials.graph.admin));
  const kept = JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8')) as Record<string, string>;
  for (const [name, value] of Object.entries(kept)) plant(name, value);
  const wrong = plant('wrong client secret', randomBytes(24).toString('base64url'));
  const basic = Buffer.from(`${credentials.tenants.alpha.tokenization.clientId}:${wrong}`).toString('base64');
  const headers = { authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded' };
  answers.push(
    await send(world.urls.auth, {
      method: 'POST',
      path: '/token',
      options: { headers, body: 'grant_type=client_credentials' },
    }),
  );
  const unknown = plant('unknown access token', randomBytes(24).toString('base64url'));
  const bearer = { authorization: `Bearer ${unknown}` };
  answers.push(
    await send(world.urls.rest, { method: 'GET', path: `/virtual-accounts/${newId()}`, options: { headers: bearer } }),
  );
  const rotated = await graph(
    world,
    'mutation($id: ID!) { rotateCallbackSecret(accountId: $id, kind: NOTIFY_UPDATE) { secret } }',
    { id: 'beta' },
  );
  const secret = rotated.data?.rotateCallbackSecret?.secret;
  if (typeof secret !== 'string') throw new Error(`no secret was rotated: ${JSON.stringify(rotated)}`);
  plant('rotated notify secret', secret.replace('whsec_', ''));
}

interface Size extends Record<string, number> {
  cards: number;
  /** How often each kind is killed while a card is typed, one is in a form, a challenge is open and a payment is under way. */
  crashes: number;
}

async function run(topology: Topology, { size, isSmoke, random }: ProofRun<Size>): Promise<Figures> {
  return withWorld({ topology, databases: 'own', env: { LOG_LEVEL: 'trace' } }, async (world) => {
    const canaries = createCanaries(random.branch('verification values'));
    await plantSecrets(world, canaries);
    const partner = await partnerOf(world, 'alpha');
    canaries.plant('access token', partner.accessToken);
    const merchant = await merchantOf(world);
    for (let index = 0; index < size.cards; index += 1) {
      await oneCard(world, partner, canaries, random);
      await oneCheckout(world, merchant, canaries, random);
      await onePayment(world, merchant, canaries, random);
      await oneHostedForm(world, merchant, canaries, random);
      await oneApplication(world, merchant.receiver, canaries);
    }
    const kinds = kindsToKill(world, isSmoke);
    const kills = Array.from({ length: size.crashes }, () => kinds).flat();
    for (const kind of kills) {
      const account = canaries.plant('card number (crash)', freshCardNumber());
      const cvv = canaries.plantVerification('tokenization');
      const creation = partner.createToken({ account, accountExpiry, cvv }).catch(() => undefined);
      await crashAmidst(world, { merchant, canaries, random, kind });
      await creation;
    }
    await merchant.receiver.close();
    const client = await openDatabase(world);
    try {
      const { found, shapes, files, megabytesOfFiles, megabytesOfDocuments } = await searchInstallation(
        world,
        client,
        canaries,
      );
      expectNone('secrets left behind', found);
      expectNone('cards held for payments that are over', await heldCards(client));
      return {
        topology,
        canaries: canaries.needles.length,
        shapes,
        'kinds crashed': kinds.length,
        crashes: kills.length,
        files,
        'MB of files': megabytesOfFiles,
        'MB of documents': megabytesOfDocuments,
        hits: 0,
      };
    } finally {
      await client.close();
    }
  });
}

proof('canary', { smoke: { cards: 3, crashes: 1 }, full: { cards: 400, crashes: 10 } }, (context) =>
  run('embedded', context),
);
namedProof('canary-split', { smoke: { cards: 1, crashes: 1 }, full: { cards: 40, crashes: 10 } }, (context) =>
  run('split', context),
);
