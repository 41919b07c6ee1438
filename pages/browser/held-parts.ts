// What the server holds of the card, as far as a frame can know: a part that was typed into frames before this one is never charged unseen.

interface Surroundings {
  /** Parts, by field id, that the server held when the frame was drawn. */
  entered: readonly string[];
  /** Fields of this frame. */
  own: readonly string[];
  /** Fields that the shop's page shows together with it. */
  together: readonly string[];
  siblings: BroadcastChannel;
  /** Has the server forget a part. */
  wipe(fieldId: string): Promise<unknown>;
}

interface HeldParts {
  /** What the server was told last of each field of this frame; null where it may hold what does not stand here. */
  sent: Map<string, string | null>;
  /** Tells the frames that were there before which fields are shown anew, without what was typed into them. */
  announce(): void;
  /** The server holds of this part what its field shows. */
  settle(fieldId: string): void;
  /** Before a part is handed over: it is not joined with others that no field shows. */
  wipeUnseen(fieldId: string): Promise<void>;
  /** A message of another frame; answers which part of this one is to be handed over again. */
  hear(data: { type?: unknown; fieldId?: unknown; fieldIds?: unknown } | null): string | null;
}

export function holdParts({ entered, own, together, siblings, wipe }: Surroundings): HeldParts {
  const sent = new Map(entered.filter((id) => own.includes(id)).map((id): [string, string | null] => [id, null]));
  const unseen = new Set(entered.filter((id) => sent.has(id) || together.includes(id)));
  return {
    sent,
    announce() {
      if (sent.size > 0) siblings.postMessage({ type: 'unseen', fieldIds: [...sent.keys()] });
    },
    settle(fieldId) {
      unseen.delete(fieldId);
      siblings.postMessage({ type: 'settled', fieldId });
    },
    async wipeUnseen(fieldId) {
      for (const other of unseen) {
        if (other === fieldId) continue;
        await wipe(other);
        unseen.delete(other);
        // A value of this frame is still on its way then.
        if (sent.get(other) === null) sent.delete(other);
        siblings.postMessage({ type: 'wiped', fieldId: other });
      }
    },
    hear(data) {
      if (data?.type === 'unseen' && Array.isArray(data.fieldIds))
        for (const id of data.fieldIds) unseen.add(String(id));
      if (data?.type !== 'settled' && data?.type !== 'wiped') return null;
      const fieldId = String(data.fieldId);
      unseen.delete(fieldId);
      // Both frames may have been typed into at once: what was wiped after it came is handed over again.
      return data.type === 'wiped' && sent.delete(fieldId) ? fieldId : null;
    },
  };
}
