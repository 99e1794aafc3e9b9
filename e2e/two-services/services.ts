/** Two services on one network, each with its own database, paymail domain and shopkeeper. */
import { registerPerson } from '../../tooling/drive/person.ts';
import { startService } from '../../tooling/drive/service.ts';
import type { Account } from '../../protocol/messages/wallet-messages.ts';
import type { Credentials } from '../../examples/shop/server.ts';
import type { ShopService } from '../../examples/two-services/shop.ts';

export interface ExampleService extends ShopService {
  /** The service's first user, whose keys are discarded. */
  keeper: Account;
  stop(): Promise<void>;
}

export interface ServiceAddress {
  /**
   * The services need different hosts, such as `localhost` and `127.0.0.1`, because all ports of a host share cookies.
   */
  host: string;
  port: number;
}

/**
 * Starts both services. The network is the first service's devnet, which the second uses as its ARC.
 * @param blockIntervalMs interval between blocks; 0 for none
 */
export async function startServices(
  first: ServiceAddress,
  second: ServiceAddress,
  blockIntervalMs: number,
): Promise<[ExampleService, ExampleService]> {
  const one = await start('One', first, { BLOCK_INTERVAL_MS: String(blockIntervalMs) });
  const network = `${one.url}/devnet`;
  try {
    return [one, await start('Two', second, { ARC_URL: `${network}/arc`, WOC_URL: `${network}/woc/v1/bsv/test` })];
  } catch (error) {
    await one.stop();
    throw error;
  }
}

async function start(
  name: string,
  { host, port }: ServiceAddress,
  env: Record<string, string>,
): Promise<ExampleService> {
  const url = `http://${host}:${port}`;
  const service = await startService({ BASE_URL: url, PAYMAIL_DOMAIN: `${host}:${port}`, ...env }, { port });
  try {
    const { user, accessToken } = await registerPerson(url, 'keeper', `The shopkeeper at ${name}`);
    return {
      name,
      url,
      keeper: user,
      async register(shop, webhookUrl) {
        const made = await fetch(`${url}/api/v2/me/applications`, {
          method: 'POST',
          headers: { Authorization: `Bearer ${accessToken}`, 'Content-Type': 'application/json' },
          body: JSON.stringify({ name: shop, url: new URL(webhookUrl).origin, webhookUrl }),
        });
        if (made.status !== 201) throw new Error(`no application at ${name}: ${await made.text()}`);
        const { application } = (await made.json()) as { application: Omit<Credentials, 'serviceUrl'> };
        return { ...application, serviceUrl: url };
      },
      stop: () => service.stop(),
    };
  } catch (error) {
    await service.stop();
    throw error;
  }
}
