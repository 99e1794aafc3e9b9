/** Whether the service responds. A new wallet takes its network from it. */
import { call } from '../ui/window/call.ts';
import { asServiceError } from '../ui/window/use-action.ts';

/** False if it doesn't. Other errors are shown later. */
export async function serviceAnswers(): Promise<boolean> {
  try {
    const { serviceUrl } = await call('settings/read', {});
    await call('settings/change', { serviceUrl }); // the background accepts only a service that responds
    return true;
  } catch (error) {
    const { code } = asServiceError(error);
    return code !== 'service-unavailable' && code !== 'not-a-service';
  }
}
