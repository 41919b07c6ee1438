// Points the callbacks of tenants to receivers of a proof.
import { sandboxCall } from '../support/partner';
import type { World } from '../support/world';

export async function pointCallbacks(world: World, addresses: Record<string, string>): Promise<void> {
  for (const [tenant, notifyBaseUrl] of Object.entries(addresses)) {
    const { status, text } = await sandboxCall(world, 'PUT', '/sandbox/tra', { tenant, notifyBaseUrl });
    if (status !== 204) throw new Error(`the callback address of ${tenant} was not taken: ${status} ${text}`);
  }
}
