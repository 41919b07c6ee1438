// The five people of the sandbox: one for each role of staff, and one of a tenant.
export interface SandboxPerson {
  /** Names the person in addresses: `/sign-in?as=olga`. */
  key: string;
  name: string;
  email: string;
  role: 'viewer' | 'support' | 'operator' | 'administrator' | 'tenant';
  tenant?: string;
  /** As OIDC_ROLES of the sandbox knows it (subgraphs/shared/config-sign-in.ts). */
  group: string;
  /** What the chooser says of the person. */
  may: string;
}

export const sandboxPeople: readonly SandboxPerson[] = [
  person('vera', 'Vera Viewer', { role: 'viewer', group: 'viewers', may: 'sees everything and changes nothing' }),
  person('sam', 'Sam Support', { role: 'support', group: 'support', may: 'resends callbacks and helps applicants' }),
  person('olga', 'Olga Operator', {
    role: 'operator',
    group: 'operators',
    may: 'captures, refunds, books and settles',
  }),
  person('ada', 'Ada Administrator', {
    role: 'administrator',
    group: 'administrators',
    may: 'does all that, and decides about keys and people',
  }),
  person('tom', 'Tom Tenant', {
    role: 'tenant',
    tenant: 'alpha',
    group: 'tenant-alpha',
    may: 'sees what belongs to tenant alpha, and nothing else',
  }),
];

function person(key: string, name: string, rest: Omit<SandboxPerson, 'key' | 'name' | 'email'>): SandboxPerson {
  return { key, name, email: `${key}@sandbox.example`, ...rest };
}
