/** Does the service answer? A wallet that is to be made takes its network from it. */
import { call } from '../ui/call.ts';
import { asServiceError } from '../ui/use-action.ts';

/** False where it does not. Other errors appear where they matter. */
export async function serviceAnswers(): Promise<boolean> {
  try {
    const { serviceUrl } = await call('settings/read', {});
    await call('settings/change', { serviceUrl }); // the background takes an address only from a service that answers
    return true;
  } catch (error) {
    const { code } = asServiceError(error);
    return code !== 'service-unavailable' && code !== 'not-a-service';
  }
}
