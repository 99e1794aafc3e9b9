/** Two services on one network, each with a database, a paymail domain and a shopkeeper of its own. */
import { registerPerson } from '../../e2e/drive/person.ts';
import { startService } from '../../e2e/drive/service.ts';
import type { Account } from '../../protocol/wallet-messages.ts';
import type { Credentials } from '../shop/server.ts';

/** One of the two. */
export interface ExampleService {
  name: string;
  url: string;
  /** Who sells there: the service's first user. Their keys are thrown away, and what they earn with them. */
  keeper: Account;
  /** Registers the shop, as its keeper does in the dashboard. */
  register(shop: string, webhookUrl: string): Promise<Credentials>;
  /** Ends it and deletes its data. */
  stop(): Promise<void>;
}

/** Where a service is to be. */
export interface Place {
  /** `localhost` and `127.0.0.1` are two sites for a browser; two ports of `localhost` would share their cookies. */
  host: string;
  port: number;
}

/**
 * Starts both. The network is the devnet of the first; the second uses it as a service elsewhere uses the miners' ARC.
 * @param blockIntervalMs how often a block is mined; 0 never
 */
export async function startServices(
  first: Place,
  second: Place,
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

async function start(name: string, { host, port }: Place, env: Record<string, string>): Promise<ExampleService> {
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
