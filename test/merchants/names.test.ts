// What people call a merchant, a terminal, an account: one rule, whichever mutation takes it; a card number in a merchant's name is masked.
import { newId } from '../../subgraphs/shared/ids';
import { run } from '../tokenization/calls';
import { openWorld, type World } from '../tokenization/world';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const merchantId = 'merchant-alpha-1';
type Answer = Record<string, { name: string }>;
const ask = (source: string, variables: object) =>
  run<Answer>(world, source, { caller: world.staff, subgraph: 'merchants', variables });
const id = () => newId().slice(0, 12);

/** By mutation: with that name. */
const takers: Record<string, (name: string) => ReturnType<typeof ask>> = {
  createMerchant: (name) =>
    ask('mutation ($input: CreateMerchantInput!) { answer: createMerchant(input: $input) { name } }', {
      input: { accountId: 'alpha', merchantId: id(), name },
    }),
  updateMerchant: (name) =>
    ask(
      'mutation ($input: UpdateMerchantInput!) { answer: updateMerchant(merchantId: "merchant-alpha-1", input: $input) { name } }',
      {
        input: { name },
      },
    ),
  createAccount: (name) =>
    ask('mutation ($input: CreateAccountInput!) { answer: createAccount(input: $input) { name } }', {
      input: { accountId: id(), name },
    }),
  createTerminal: (label) =>
    ask('mutation ($input: CreateTerminalInput!) { answer: createTerminal(input: $input) { name: label } }', {
      input: { terminalId: id(), merchantId, label, origins: ['https://shop.example'] },
    }),
};
const mutations = Object.keys(takers);

const refused: [what: string, name: string][] = [
  ['nothing', ''],
  ['blanks', ' \t '],
  ['101 characters', 'x'.repeat(101)],
  ['a control character', 'Nord\u0007lys'],
  ['a line break', 'Nord\nlys'],
  ['half of a surrogate pair', 'Nord\ud83d'],
];

describe.each(mutations)('%s', (mutation) => {
  const field = mutation === 'createTerminal' ? 'label' : 'name';

  test.each(refused)('refuses %s as a name', async (_what, name) => {
    expect(await takers[mutation]?.(name)).toMatchObject({ code: 'invalidInput', field });
  });

  test('takes a name of a hundred characters', async () => {
    const name = `Søren & Ægir «cykler» ${'x'.repeat(78)}`;
    expect((await takers[mutation]?.(name))?.data?.['answer']?.name).toBe(name);
  });
});

test.each(['createMerchant', 'updateMerchant'])('%s masks a card number', async (mutation) => {
  const { data } = (await takers[mutation]?.('Nine 4242424242424242')) ?? {};
  expect(data?.['answer']?.name).toBe('Nine ************4242');
});
