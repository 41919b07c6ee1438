// A view that a person keeps: a screen of a dashboard with its filters, under a name; shared, everybody of the same account or of staff has it. Pure.
import type { Environment } from '../../shared/callers/caller';
import { fields, freeText, line } from '../../shared/field-reader';

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

const readView = fields({ screen: line(40), name: line(80), query: freeText(2_000) });

/** The view in its final form. Refuses with `invalidInput`. */
export function decideView(wanted: WantedView): WantedView {
  const { screen, name, query } = wanted;
  return { ...wanted, ...readView({ screen, name, query }, '') };
}
