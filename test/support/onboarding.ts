// A partner of the onboarding interface as a test needs one: its key, the documented calls, and the sandbox's lever for what merchant and staff do.
import { type Answer, type CallOptions, rest } from './client';
import { sandboxCall } from './partner';
import type { World } from './world';

export const onboardingPath = '/partner/v1/onboarding';

export interface OnboardingPartner {
  key: string;
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  create(application?: object, options?: { adminUser?: object; headers?: Record<string, string> }): Promise<Answer>;
  update(id: number | string, application?: object, headers?: Record<string, string>): Promise<Answer>;
  read(id: number | string): Promise<Answer>;
  resend(id: number | string, headers?: Record<string, string>): Promise<Answer>;
  /** The status after the last of the events. */
  lever(id: number | string, ...events: string[]): Promise<string>;
}

/** The least that is an application. */
export const smallApplication = (changes: object = {}) => ({
  country: 'DNK',
  currency: 'DKK',
  company: { organizationNumber: '25313763' },
  ...changes,
});

export function onboardingOf(world: World, tenant: 'alpha' | 'beta' = 'alpha'): OnboardingPartner {
  const key = world.credentials.tenants[tenant].partner.secretApiKey;
  const client = rest(world.urls.rest, { Authorization: key });
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    client.call('POST', path, { body, headers });
  return {
    key,
    call: client.call,
    create: (application = {}, { adminUser = {}, headers = {} } = {}) => {
      const admin = { email: 'admin@shop.example', ...adminUser };
      return post(onboardingPath, { application: smallApplication(application), adminUser: admin }, headers);
    },
    update: (id, application = {}, headers = {}) =>
      post(`${onboardingPath}/${id}`, { application: smallApplication(application) }, headers),
    read: (id) => client.call('GET', `${onboardingPath}/${id}`),
    resend: (id, headers = {}) => post(`${onboardingPath}/${id}/resend-activation`, undefined, headers),
    async lever(id, ...events) {
      let status = '';
      for (const event of events) {
        const { body } = await sandboxCall(world, 'POST', `/sandbox/onboarding/${id}/events`, { event });
        status = body.status;
      }
      return status;
    },
  };
}
