// The graph's contract as it is printed in schema/.
import { join } from 'node:path';
import { readContract } from '../../gateway/plan/contract';

export const contract = readContract(join(__dirname, '../../schema'));
