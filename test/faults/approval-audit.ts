// The independent checker of approvals: applications, events, merchants, terminals and the partner's receiver must tell the same story, once.
import type { Db } from 'mongodb';
import { auditOrder } from './order-audit';
import { expectNone, type Figures } from './proof';
import { isAccepted, type Receiver } from './receivers';

interface StoredApplication {
  _id: string;
  merchantId: string;
  merchantNumber: number;
  sequence: number;
  approval: { terminalId: string } | null;
}

/** Throws at the first broken promise. Reads MongoDB itself: applications, events, merchants and terminals must tell the same story, once. */
export async function auditApprovals(database: Db, receiver: Receiver): Promise<Figures> {
  const applications = await database.collection<StoredApplication>('onboarding_applications').find().toArray();
  const events = await database.collection('events').find({ aggregateType: 'application' }).toArray();
  const merchants = await database.collection('merchants').find({}).toArray();
  const terminals = await database.collection('terminals').find({}).toArray();
  const faults = applications.flatMap(({ _id, merchantId, merchantNumber, sequence, approval }) => {
    const made = merchants.filter((merchant) => merchant['merchantId'] === merchantId);
    const sold = terminals.filter((terminal) => terminal['merchantId'] === merchantId);
    const told = events.filter((event) => event['aggregateId'] === _id);
    const approved = told.filter((event) => event['type'] === 'onboarding.approved');
    const numbers = told.map((event) => Number(event['sequence'])).sort((a, b) => a - b);
    const isWhole = numbers.every((number, index) => number === index + 1) && numbers.length === sequence;
    const isOne = made.length === 1 && Number(made[0]?.['merchantNumber']) === Number(merchantNumber);
    return [
      ...(isOne ? [] : [`${_id}: ${made.length} merchants, number ${merchantNumber}`]),
      ...(sold.length === 1 && sold[0]?.['terminalId'] === approval?.terminalId
        ? []
        : [`${_id}: ${sold.length} terminals`]),
      ...(approved.length === 1 ? [] : [`${_id}: approved ${approved.length} times`]),
      ...(isWhole ? [] : [`${_id}: events ${numbers.join(' ')} of ${sequence}`]),
    ];
  });
  expectNone('applications that are not one merchant', faults);
  const numbers = applications.map(({ merchantNumber }) => String(merchantNumber));
  expectNone(
    'merchant numbers given twice',
    numbers.filter((number, index) => numbers.indexOf(number) !== index),
  );
  const taken = new Set(receiver.deliveries.filter(isAccepted).map(({ webhookId }) => webhookId));
  const approvals = events.filter((event) => event['type'] === 'onboarding.approved').map(({ _id }) => String(_id));
  expectNone(
    'webhooks that never came',
    approvals.filter((id) => !taken.has(id)),
  );
  expectNone(
    'webhooks without an event',
    [...taken].filter((id) => !approvals.includes(id)),
  );
  return {
    applications: applications.length,
    merchants: applications.length,
    webhooks: approvals.length,
    double: 0,
    missing: 0,
    ...(await auditOrder(database)),
  };
}
