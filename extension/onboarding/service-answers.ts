/** Checks whether the service responds, because a new wallet gets its network from the service. */
import { call } from '../ui/window/call.ts';
import { asServiceError } from '../ui/window/use-action.ts';

/** Returns false if the service doesn't respond. Other errors are shown in a later step. */
export async function isServiceReachable(): Promise<boolean> {
  try {
    const { serviceUrl } = await call('settings/read', {});
    await call('settings/change', { serviceUrl }); // The background accepts only a service that responds.
    return true;
  } catch (error) {
    const { code } = asServiceError(error);
    return code !== 'service-unavailable' && code !== 'not-a-service';
  }
}
