// A day that is closed by hand: in the audit with the reason where staff did it, before the first book is closed; not where the sandbox's key did, or nothing was begun.
import { type GraphQLSchema, graphql } from 'graphql';
import { type Caller, systemCaller } from '../../subgraphs/shared/callers/caller';
import { requestContext } from '../../subgraphs/shared/callers/context';
import { newId } from '../../subgraphs/shared/ids';
import { refusalOf } from '../../subgraphs/shared/log/faults';
import { schemaOf } from '../support/subgraph';
import { openReportingWorld, type ReportingWorld, start } from './reporting-world';

let world: ReportingWorld;
let schema: GraphQLSchema;
beforeAll(async () => {
  world = await openReportingWorld();
  schema = await schemaOf({ subgraph: { ...world.reporting.subgraph, clock: world.clock } });
});
afterAll(() => world.close());

const person: Caller = {
  ...systemCaller('sandbox', 'staff'),
  kind: 'person',
  credentialId: 'person:olga',
  scopes: ['graph:operator'],
  authTime: start,
};
const program: Caller = { ...person, kind: 'client', credentialId: 'till-roll' };
const sandboxKey: Caller = { ...person, kind: 'sandboxKey', scopes: ['sandbox:control'] };
const reason = { field: 'reason', from: null, to: 'the bank asked' };

test.each([
  ['a person says why', person, '2026-02-01', ', reason: "the bank asked"', null, [[reason]]],
  ['a person does not', person, '2026-02-02', '', 'invalidInput', []],
  ['a program need not', program, '2026-02-03', '', null, [[]]],
  ['a program may', program, '2026-02-04', ', reason: "the bank asked"', null, [[reason]]],
  ['the holder of the key of the sandbox is not staff', sandboxKey, '2026-02-05', '', null, []],
  ['a day to come is not closed', program, '2027-02-05', '', 'invalidData', []],
] as const)('%s', async (_what, caller, day, why, code, records) => {
  const source = `mutation { settleDay(date: "${day}"${why}) { payouts { payoutId } } }`;
  const contextValue = requestContext(caller, newId());
  const { errors } = await graphql({ schema, source, contextValue });
  expect(errors?.[0] ? refusalOf(errors[0])?.code : null).toBe(code);
  const found = await world.stores.connection.collection('audit').find({ subjectId: day }).toArray();
  expect(found.map(({ action, subjectType, changes }) => [action, subjectType, changes])).toEqual(
    records.map((changes) => ['day.settled', 'day', changes]),
  );
});
