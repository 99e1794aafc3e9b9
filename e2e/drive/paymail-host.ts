/** A third-party paymail host on this machine, with responses set by a test. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { CAPABILITIES, DISCOVERY_PATH } from '../../protocol/http/paymail.ts';

export interface PaymailHost {
  /** The part after the @ in its paymails. */
  domain: string;
  name: string;
  /** Decoded paths of all requests, in order. */
  asked: string[];
  stop(): Promise<void>;
}

/** Starts a host that accepts every name as a user. All users have the same `script` (hex) and public key. */
export async function startPaymailHost(script: string, pubkey: string): Promise<PaymailHost> {
  const server = createServer((request, response) => {
    void (async () => {
      const path = decodeURIComponent(request.url ?? '');
      host.asked.push(path);
      const body = request.method === 'POST' ? ((await json(request)) as { satoshis?: number }) : {};
      const answers: Record<string, unknown> = {
        [DISCOVERY_PATH.slice(1)]: { bsvalias: '1.0', capabilities },
        pay: { outputs: [{ script, satoshis: body.satoshis }], reference: 'a-reference' },
        name: { name: host.name, avatar: null },
        key: { bsvalias: '1.0', handle: path.slice(path.lastIndexOf('/') + 1), pubkey },
      };
      const answer = answers[path.slice(1)] ?? answers[path.split('/')[1] ?? ''];
      response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(answer ?? {}));
    })().catch(() => response.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const domain = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const at = (what: string) => `http://${domain}/${what}/{alias}@{domain.tld}`;
  const capabilities = {
    [CAPABILITIES.p2pDestination]: at('pay'),
    [CAPABILITIES.receiveTransaction]: at('receive'),
    [CAPABILITIES.publicProfile]: at('name'),
    [CAPABILITIES.pki]: at('key'),
  };
  const host: PaymailHost = {
    domain,
    name: 'Somebody',
    asked: [],
    async stop() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
  return host;
}
