// Who looks, for every screen: name, roles and rights, and whether an act is theirs.
import { createContext, useContext } from 'react';
import type { MyselfQuery } from './queries';

export interface Viewer extends Omit<MyselfQuery['viewer'], 'preferences' | 'kind' | 'now' | '__typename'> {
  /** As proposals and the audit name whoever did something. */
  credentialId: string;
}

export const ViewerContext = createContext<Viewer>({
  id: '',
  credentialId: '',
  name: '',
  environment: 'PRODUCTION',
  email: null,
  roles: [],
  rights: [],
  account: null,
});

export const useViewer = (): Viewer => useContext(ViewerContext);

export function useMay(right: string): boolean {
  return useViewer().rights.includes(right);
}

/** Where to sign in, coming back to the present place; `isFresh` asks for the password again. */
export function signInHere(isFresh = false): string {
  const to = encodeURIComponent(location.pathname + location.search);
  return `/sign-in?to=${to}${isFresh ? '&fresh=1' : ''}`;
}
