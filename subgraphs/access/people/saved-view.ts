// A view that a person keeps: a screen of a dashboard with its filters, under a name; shared, everybody of the same account or of staff has it. Pure.
import type { Environment } from '../../shared/callers/caller';
import { DomainError } from '../../shared/errors';

export interface SavedView {
  viewId: string;
  environment: Environment;
  /** Whose colleagues see it when it is shared; null: staff. */
  accountId: string | null;
  /** Caller.credentialId of the person. */
  owner: string;
  ownerName: string;
  screen: string;
  name: string;
  /** What the screen shows, in the screen's own words. */
  query: string;
  isShared: boolean;
  createdAt: Date;
  updatedAt: Date;
}

export interface WantedView {
  viewId: string | null;
  screen: string;
  name: string;
  query: string;
  isShared: boolean;
}

/** Views that one person may keep. */
export const viewsMax = 100;

const bounds = { screen: [1, 40], name: [1, 80], query: [0, 2_000] } as const;

/** The view in its final form. Refuses with `invalidInput`. */
export function decideView(wanted: WantedView): WantedView {
  const decided = { ...wanted, screen: wanted.screen.trim(), name: wanted.name.trim() };
  for (const field of ['screen', 'name', 'query'] as const) {
    const [least, most] = bounds[field];
    const { length } = decided[field];
    if (length >= least && length <= most) continue;
    throw new DomainError('invalidInput', `${field} has ${length} characters; expected ${least} to ${most}`, { field });
  }
  return decided;
}
