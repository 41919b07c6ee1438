// Mails at rest: written in the transaction of what they tell about, taken one at a time by whoever sends (onboarding interface, sendActivationEmail).
import { type Connection, type Model, trusted } from 'mongoose';
import { type Environment, environments } from '../../shared/callers/caller';
import { prepareCollection } from '../../shared/store/prepare-collection';
import { reading } from '../../shared/store/reading';
import { maybeText, orNull, sealedPart, storedSchema, storedText, there } from '../../shared/store/stored-schema';
import type { InsertWrite } from '../../shared/store/unit-of-work';
import { portalLanguages } from '../applications/application';
import { type Mail, type MailDecision, mailKinds, mailStatuses, mailTakenMs } from './mail';

const mailsCollection = 'mails';

type StoredMail = Omit<Mail, 'mailId'> & { _id: string };

const schema = storedSchema<StoredMail>(mailsCollection, {
  _id: storedText,
  environment: there(String, { enum: environments }),
  accountId: storedText,
  to: storedText,
  kind: there(String, { enum: mailKinds }),
  language: there(String, { enum: portalLanguages }),
  link: orNull(sealedPart),
  companyName: maybeText,
  status: there(String, { enum: mailStatuses }),
  tries: there(Number),
  dueAt: there(Date),
  createdAt: there(Date),
  endedAt: orNull(Date),
  lastFailure: maybeText,
});
schema.index({ environment: 1, status: 1, dueAt: 1 });
schema.index({ environment: 1, createdAt: -1, _id: -1 });

export type MailRepository = ReturnType<typeof createMailRepository>;

export function createMailRepository(connection: Connection) {
  const mails: Model<StoredMail> =
    (connection.models['Mail'] as Model<StoredMail> | undefined) ?? connection.model<StoredMail>('Mail', schema);
  const majority = { w: 'majority', j: true } as const;

  return {
    insertOf: ({ mailId, ...rest }: Mail): InsertWrite => ({
      collection: mailsCollection,
      document: { _id: mailId, ...rest },
    }),
    /** The newest first. */
    async list(environment: Environment, limit: number): Promise<Mail[]> {
      const found = mails.find({ environment }).sort({ createdAt: -1, _id: -1 }).limit(limit).lean<StoredMail[]>();
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
        .lean<StoredMail>();
      return taken ? mailOf(taken) : null;
    },
    /** Writes down how a try came out; not when somebody took the mail again since. The link goes with its end. */
    async record({ mailId, tries }: Mail, decision: MailDecision): Promise<void> {
      const change = decision.endedAt ? { ...decision, link: null } : decision;
      await mails.updateOne({ _id: mailId, status: 'WAITING', tries }, { $set: change }, { writeConcern: majority });
    },
    /** How many wait, and how many were given up. */
    async count(environment: Environment): Promise<{ waiting: number; failed: number }> {
      const [waiting, failed] = await Promise.all(
        (['WAITING', 'FAILED'] as const).map((status) => mails.countDocuments({ environment, status })),
      );
      return { waiting: waiting ?? 0, failed: failed ?? 0 };
    },
    ensureIndexes: (): Promise<void> => prepareCollection(connection, schema),
  };
}

function mailOf({ _id, ...rest }: StoredMail): Mail {
  return { mailId: _id, ...rest };
}
