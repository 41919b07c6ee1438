// Mails at rest: written in the transaction of what they tell about, taken one at a time by whoever sends (document 3 B, sendActivationEmail).
import { type Connection, type Model, Schema, trusted } from 'mongoose';
import { type Environment, environments } from '../shared/caller';
import type { InsertWrite } from '../shared/outbox';
import { reading } from '../shared/reading';
import { portalLanguages } from './application';
import { type Mail, type MailDecision, mailStatuses, mailTakenMs } from './mail';

const mailsCollection = 'mails';

type Stored = Omit<Mail, 'mailId'> & { _id: string };

const text = { type: String, required: true } as const;
const schema = new Schema<Stored>(
  {
    _id: text,
    environment: { ...text, enum: environments },
    ...{ accountId: text, to: text, kind: text },
    language: { ...text, enum: portalLanguages },
    link: { type: Schema.Types.Mixed, default: null },
    companyName: { type: String, default: null },
    status: { ...text, enum: mailStatuses },
    ...{ tries: Number, dueAt: Date, createdAt: Date, endedAt: Date },
    lastFailure: { type: String, default: null },
  },
  { collection: mailsCollection, versionKey: false, autoIndex: false, autoCreate: false },
);
schema.index({ environment: 1, status: 1, dueAt: 1 });
schema.index({ environment: 1, createdAt: -1, _id: -1 });

export type MailRepository = ReturnType<typeof createMailRepository>;

export function createMailRepository(connection: Connection) {
  const mails: Model<Stored> =
    (connection.models['Mail'] as Model<Stored> | undefined) ?? connection.model<Stored>('Mail', schema);
  const majority = { w: 'majority', j: true } as const;

  return {
    insertOf: ({ mailId, ...rest }: Mail): InsertWrite => ({
      collection: mailsCollection,
      document: { _id: mailId, ...rest },
    }),
    /** The newest first. */
    async list(environment: Environment, limit: number): Promise<Mail[]> {
      const found = mails.find({ environment }).sort({ createdAt: -1, _id: -1 }).limit(limit).lean<Stored[]>();
      return (await reading(found)).map(mailOf);
    },
    /** Takes the mail that has been due longest; nobody else takes it for a while. Null when none is due. */
    async takeDue(environment: Environment, now: Date): Promise<Mail | null> {
      const taken = await mails
        .findOneAndUpdate(
          { environment, status: 'WAITING', dueAt: trusted({ $lte: now }) },
          { $set: { dueAt: new Date(now.getTime() + mailTakenMs) }, $inc: { tries: 1 } },
          { sort: { dueAt: 1 }, returnDocument: 'after', writeConcern: majority },
        )
        .lean<Stored>();
      return taken ? mailOf(taken) : null;
    },
    /** Writes down how a try came out; not when somebody took the mail again since. The link goes with its end. */
    async record({ mailId, tries }: Mail, decision: MailDecision): Promise<void> {
      const change = { ...decision, ...(decision.endedAt ? { link: null } : {}) };
      await mails.updateOne({ _id: mailId, status: 'WAITING', tries }, { $set: change }, { writeConcern: majority });
    },
    /** How many wait, and how many were given up. */
    async count(environment: Environment): Promise<{ waiting: number; failed: number }> {
      const [waiting, failed] = await Promise.all(
        (['WAITING', 'FAILED'] as const).map((status) => mails.countDocuments({ environment, status })),
      );
      return { waiting: waiting ?? 0, failed: failed ?? 0 };
    },
    ensureIndexes: (): Promise<void> => mails.createIndexes(),
  };
}

function mailOf({ _id, ...rest }: Stored): Mail {
  return { mailId: _id, ...rest };
}
