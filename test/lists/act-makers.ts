// What the rows of acts hold that wait, are done in bulk, or had a second person.

interface Place {
  index: number;
  isRare: boolean;
  at: Date;
  parent(name: string): string;
}

export const actMakers = {
  proposals: ({ isRare, at }: Place) => ({
    kind: 'LEDGER_BOOKING',
    subjectType: 'merchant',
    subjectId: 'x',
    reason: null,
    changes: [],
    input: {},
    kept: isRare ? 'PENDING' : 'CONFIRMED',
    proposedBy: 'x',
    proposedAt: at,
    endedBy: null,
    endedAt: null,
    rejection: null,
    resultId: isRare ? 'rare' : null,
  }),
  jobs: ({ isRare, at }: Place) => ({
    act: 'REFUND_PAYMENT',
    isDryRun: false,
    reason: 'x',
    state: isRare ? 'PAUSED' : 'DONE',
    startedBy: 'x',
    startedByName: 'x',
    scopes: [],
    selection: null,
    gatheredTo: null,
    isGathered: true,
    hasMore: false,
    total: 1,
    succeeded: 1,
    failed: 0,
    hindrance: null,
    createdAt: at,
    finishedAt: null,
    updatedAt: at,
    expiresAt: new Date('2100-01-01T00:00:00Z'),
    sequence: 1,
    version: 1,
  }),
  job_rows: ({ index, isRare, parent }: Place) => ({
    jobId: parent('job'),
    number: index,
    key: 'x',
    asked: null,
    outcome: isRare ? 'FAILED' : 'SUCCEEDED',
    target: null,
    attemptedAt: null,
    amount: null,
    currency: null,
    operationId: null,
    code: null,
    message: null,
    endedAt: null,
    expiresAt: new Date('2100-01-01T00:00:00Z'),
  }),
};
