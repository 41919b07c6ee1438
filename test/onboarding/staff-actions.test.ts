// What staff may do with an application, told ahead: by its status, what was done before, and the right of whoever asks.
import type { OnboardingCase } from '../../subgraphs/onboarding/applications/application';
import { judgeApplication, type StaffAction } from '../../subgraphs/onboarding/applications/application-action';
import type { Caller, Scope } from '../../subgraphs/shared/callers/caller';
import { staff } from '../gateway/fixture';
import { fresh } from './fresh-application';
import { dayMs, start } from './world';

const callerOf = (...scopes: Scope[]): Caller => ({ ...staff, scopes });
const operator = callerOf('graph:operator');
const approval = { by: 'x', at: start, requestId: 'r', reason: null, step: 'REQUESTED', terminalId: null } as const;
const sentOften = Array.from({ length: 5 }, () => start);

function allowed(caller: Caller, onboarding: OnboardingCase, now = start): StaffAction[] {
  return judgeApplication(caller, onboarding, now).flatMap((each) => (each.allowed ? [each.action] : []));
}

const rows: [string, Partial<OnboardingCase>, StaffAction[]][] = [
  ['fresh', {}, ['abandon', 'resend']],
  ['waiting for its signature', { status: 'AWAITING_SIGNATURE' }, ['abandon', 'resend']],
  ['badly signed', { status: 'SIGNATURE_FAILED' }, ['abandon', 'resend']],
  ['signed', { status: 'PROCESSING' }, ['approve', 'refuse']],
  ['being approved', { status: 'PROCESSING', approval }, []],
  ['approved', { status: 'APPROVED' }, []],
  ['abandoned', { status: 'ABANDONED' }, []],
  ['sent five times today', { resentAt: sentOften }, ['abandon']],
];

test.each(rows)('%s: %j allows %j', (_name, change, expected) => {
  const onboarding = { ...fresh, ...change };
  expect(allowed(operator, onboarding)).toEqual(expected);
  expect(allowed(callerOf('graph:viewer'), onboarding)).toEqual([]);
  expect(allowed(callerOf('graph:support'), onboarding)).toEqual(expected.filter((action) => action !== 'approve'));
});

test('tells why not in the words of the mutation', () => {
  const reasons = judgeApplication(operator, { ...fresh, resentAt: sentOften }, start).map(
    ({ reason }) => reason?.code,
  );
  expect(reasons).toEqual(['applicationStatusInvalid', 'applicationStatusInvalid', undefined, 'resendLimit']);
  const [approve] = judgeApplication(callerOf('graph:support'), { ...fresh, status: 'PROCESSING' }, start);
  expect(approve?.reason).toEqual({ code: 'forbidden', message: 'needs onboarding:approve' });
});

test('a day later the link may be sent again', () => {
  const later = new Date(start.getTime() + dayMs);
  expect(allowed(operator, { ...fresh, resentAt: sentOften }, later)).toEqual(['abandon', 'resend']);
});
