// The mutations of staff's contract, apart from those that try another one, which do what that does (`test/rights/trials`).
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSchema } from 'graphql';

const contract = buildSchema(readFileSync(join(__dirname, '../../schema/contracts/staff.graphql'), 'utf8'));
const all = Object.values(contract.getMutationType()?.getFields() ?? {});
export const isTrial = ({ name }: { name: string }) => /^try[A-Z]/.test(name);

export const staffMutations = all.filter((field) => !isTrial(field));
export const staffTrials = all.filter(isTrial);

/** The mutation that a trial is of. */
export function triedBy({ name }: { name: string }): string {
  return name.charAt(3).toLowerCase() + name.slice(4);
}
